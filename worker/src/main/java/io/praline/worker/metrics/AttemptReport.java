package io.praline.worker.metrics;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.OpenedSplit;
import io.praline.schema.TransformationMetrics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What is to be told of one attempt. Lists, the end and a failure are told once: {@link #take} hands them out, and
 * {@link #putBack} returns them where the beat could not be sent. Safe for several threads.
 */
public final class AttemptReport {
    private final AttemptKey key;
    private final Live live;
    private final Runnable urgent;

    private AttemptPhase phase = AttemptPhase.STARTING;
    private final Deque<OpenedSplit> opened = new ArrayDeque<>();
    private final Deque<Exclusion> excluded = new ArrayDeque<>();
    private Optional<AttemptEnd> end = Optional.empty();
    private Optional<AttemptFailure> failure = Optional.empty();
    private Optional<List<TransformationMetrics>> metrics = Optional.empty();
    private long batches;
    private long elements;
    private long bytes;
    private int lastThrough;
    private int lastUnopened;
    private boolean told;

    /** What was made: batches, elements in them, bytes in them. */
    public record Totals(long batches, long elements, long bytes) {
        /** Nothing. */
        public static final Totals NONE = new Totals(0, 0, 0);

        public Totals plus(Totals other) {
            return new Totals(batches + other.batches, elements + other.elements, bytes + other.bytes);
        }
    }

    /** Numbers that are asked for when a beat is made. */
    public interface Live {
        /** All assignments up to and with this number are taken. */
        int assignedThrough();

        /** Splits assigned whose reading has not begun. */
        int unopened();

        /** Mean seconds from one split's opening to the next; 0 until measured. */
        double splitSeconds();

        /** Bytes made and not yet taken by a client. */
        long outboxBytes();

        /** Seconds in which it was held back by nothing. */
        double busySeconds();
    }

    /** @param urgent called when something should be told at once; must not block */
    public AttemptReport(AttemptKey key, Live live, Runnable urgent) {
        this.key = key;
        this.live = live;
        this.urgent = urgent;
    }

    public AttemptKey key() {
        return key;
    }

    /** The session is made. */
    public void ready() {
        synchronized (this) {
            phase = AttemptPhase.RUNNING;
        }
        urgent.run();
    }

    /** Nothing more will be assigned. */
    public synchronized void draining() {
        if (phase == AttemptPhase.RUNNING) {
            phase = AttemptPhase.DRAINING;
        }
    }

    public synchronized void opened(long ordinal, long records) {
        opened.add(new OpenedSplit(ordinal, records));
    }

    public synchronized void batch(long batchElements, int batchesInIt, long batchBytes) {
        batches += batchesInIt;
        elements += batchElements;
        bytes += batchBytes;
    }

    public synchronized void metrics(List<TransformationMetrics> totals) {
        metrics = Optional.of(totals);
    }

    /** Elements excluded while the attempt goes on. */
    public synchronized void excluded(List<Exclusion> exclusions) {
        excluded.addAll(exclusions);
    }

    /** How it ended; nothing follows. */
    public void ended(AttemptEnd how) {
        synchronized (this) {
            phase = AttemptPhase.ENDED;
            end = Optional.of(how);
        }
        urgent.run();
    }

    /** Why it broke; nothing follows. */
    public void failed(AttemptFailure why) {
        synchronized (this) {
            phase = AttemptPhase.FAILED;
            failure = Optional.of(why);
        }
        urgent.run();
    }

    /** Whether the splits ahead fell to half of what the last beat told, or below, or all that came since are open. */
    public synchronized boolean runsShort() {
        return phase == AttemptPhase.RUNNING
                && (lastUnopened > 0
                        ? live.unopened() <= lastUnopened / 2
                        : live.assignedThrough() > lastThrough && live.unopened() == 0);
    }

    /** Whether it is over and all of it was told. */
    public synchronized boolean told() {
        return told;
    }

    /** Counts so far, for those who watch. */
    public synchronized Totals totals() {
        return new Totals(batches, elements, bytes);
    }

    /**
     * What the next beat says. The end comes with the last of the exclusions, never before them.
     *
     * @param ticketBytes about how many bytes of exclusions and openings the beat has room for; at least one exclusion goes
     */
    public synchronized AttemptProgress take(int ticketBytes) {
        List<OpenedSplit> openedNow = new ArrayList<>();
        List<Exclusion> excludedNow = new ArrayList<>();
        int room = ticketBytes;
        while (!opened.isEmpty() && room > 0) {
            openedNow.add(opened.poll());
            room -= 2 * Long.BYTES;
        }
        while (!excluded.isEmpty() && (room > 0 || (excludedNow.isEmpty() && openedNow.isEmpty()))) {
            Exclusion next = excluded.poll();
            excludedNow.add(next);
            room -= next.getTickets().remaining()
                    + 64
                    + next.getDetails().stream().mapToInt(String::length).sum();
        }
        boolean all = opened.isEmpty() && excluded.isEmpty();
        boolean over = end.isPresent() || failure.isPresent();
        lastThrough = live.assignedThrough();
        lastUnopened = live.unopened();
        AttemptPhase seen = phase == AttemptPhase.RUNNING && lastUnopened == 0 ? AttemptPhase.IDLE : phase;
        AttemptProgress progress = AttemptProgress.newBuilder()
                .setJob(key.job())
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .setPhase(over && !all ? AttemptPhase.DRAINING : seen)
                .setAssignedThrough(lastThrough)
                .setUnopened(lastUnopened)
                .setSplitSeconds(live.splitSeconds())
                .setOpened(openedNow)
                .setExcluded(excludedNow)
                .setBatches(batches)
                .setElements(elements)
                .setBytes(bytes)
                .setOutboxBytes(live.outboxBytes())
                .setBusySeconds(live.busySeconds())
                .setEnd(all ? end.orElse(null) : null)
                .setFailure(all ? failure.orElse(null) : null)
                .setMetrics(metrics.orElse(null))
                .build();
        metrics = Optional.empty();
        told = over && all;
        return progress;
    }

    /** Whether there is more to tell than the beat before had room for. */
    public synchronized boolean more() {
        return !told && (!opened.isEmpty() || !excluded.isEmpty() || end.isPresent() || failure.isPresent());
    }

    /** The beat could not be sent: what it told once is to be told again. */
    public synchronized void putBack(AttemptProgress untold) {
        List<OpenedSplit> openedThen = untold.getOpened();
        for (int i = openedThen.size() - 1; i >= 0; i--) {
            opened.addFirst(openedThen.get(i));
        }
        List<Exclusion> excludedThen = untold.getExcluded();
        for (int i = excludedThen.size() - 1; i >= 0; i--) {
            excluded.addFirst(excludedThen.get(i));
        }
        if (metrics.isEmpty()) {
            metrics = untold.getMetrics();
        }
        told = false;
    }
}
