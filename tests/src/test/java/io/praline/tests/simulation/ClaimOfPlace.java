package io.praline.tests.simulation;

import io.praline.client.stream.Moment;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * By what a process can know, whether it may hand batches to its loop, found out apart from its stream: the newest of its
 * beats that a status echoed was sent less than the lease ago.
 */
final class ClaimOfPlace {
    private final int consumer;
    private final String incarnation;
    private final TreeMap<Long, Moment> sent = new TreeMap<>();
    private Optional<Moment> echoed = Optional.empty();
    private long newestEchoed;
    private long leaseMillis;
    private boolean completed;
    private boolean over;

    ClaimOfPlace(int consumer, String incarnation) {
        this.consumer = consumer;
        this.incarnation = incarnation;
    }

    /** A beat goes out. */
    void sent(long beat, Moment at) {
        sent.putIfAbsent(beat, at);
    }

    void follow(JobStatus status) {
        leaseMillis = status.getLeaseMillis();
        completed |= status.getState() == JobState.COMPLETED;
        status.getSlots().stream()
                .filter(slot -> slot.getConsumer() == consumer)
                .forEach(this::follow);
    }

    private void follow(ConsumerSlot slot) {
        boolean its = slot.getIncarnation().equals(incarnation);
        boolean was = echoed.isPresent() || slot.getSucceeded().contains(incarnation);
        over |= was && (!its || slot.getState() == ConsumerState.LEFT);
        Optional.of(slot)
                .filter(known -> its && known.getState() == ConsumerState.HERE)
                .map(ConsumerSlot::getBeat)
                .map(sent::floorEntry)
                .filter(newest -> newest.getKey() >= newestEchoed) // who takes over echoes none at first
                .ifPresent(newest -> {
                    newestEchoed = newest.getKey();
                    echoed = Optional.of(newest.getValue());
                });
    }

    /** Of a job that is over there are no echoes any more, and nobody else is given anything. */
    boolean mayHandOut(Moment now) {
        return (completed && !over) || holds(now);
    }

    /** Where it saw another one in its place it says so, and others are given what it had. */
    boolean holds(Moment now) {
        return !over
                && echoed.filter(from -> since(from, now) < TimeUnit.MILLISECONDS.toNanos(leaseMillis))
                        .isPresent();
    }

    private static long since(Moment from, Moment now) {
        return Math.max(
                now.nanos() - from.nanos(), TimeUnit.MILLISECONDS.toNanos(now.wallMillis() - from.wallMillis()));
    }
}
