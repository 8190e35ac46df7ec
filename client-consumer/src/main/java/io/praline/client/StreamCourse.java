package io.praline.client;

import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.stream.Attempts;
import io.praline.client.stream.ConsumerPlace;
import io.praline.client.stream.Coverage;
import io.praline.client.stream.Lease;
import io.praline.client.stream.LoopHandover;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamEffects;
import io.praline.client.stream.StreamSettings;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.JobStatus;
import io.praline.wire.RefusalCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a stream goes on: what each status of the job changes, in which order, and the ways in which it stops. It fails or
 * completes with the job, is closed, leaves, or is superseded by another process in its consumer's place. Owned by the
 * stream's lock.
 */
final class StreamCourse {
    private final StreamSettings settings;
    private final JobFate fate;
    private final ConsumerPlace place;
    private final Lease lease;
    private final LoopHandover handover;
    private final Attempts attempts;
    private final ConsumptionReporter reporter;
    private final Coverage coverage;
    private final StreamEffects effects;

    StreamCourse(
            StreamSettings settings,
            ConsumerPlace place,
            JobFate fate,
            Lease lease,
            LoopHandover handover,
            Attempts attempts,
            ConsumptionReporter reporter,
            Coverage coverage,
            StreamEffects effects) {
        this.settings = settings;
        this.fate = fate;
        this.place = place;
        this.lease = lease;
        this.handover = handover;
        this.attempts = attempts;
        this.reporter = reporter;
        this.coverage = coverage;
        this.effects = effects;
    }

    /** The job's newest status. */
    void follow(JobStatus newest, Moment now) {
        if (!fate.accepts(newest)) {
            stop();
            return;
        }
        ConsumerPlace.News news = place.follow(newest);
        renew(newest);
        confirm(newest);
        for (EpochProgress epoch : newest.getProgress()) {
            if (epoch.getComplete()) {
                coverage.complete(epoch.getEpoch());
            }
        }
        if (!fate.goesOn()) {
            return;
        }
        switch (news) {
            case TAKEN -> giveUp("another process took its place as consumer " + settings.consumer() + ", " + since());
            case GIVEN_UP -> giveUp("its consumer " + settings.consumer() + " was given up, " + since());
            case ENTERED, NOTHING -> goOn(newest, news, now);
        }
    }

    private void goOn(JobStatus newest, ConsumerPlace.News news, Moment now) {
        fate.follow(newest);
        if (fate.isFailed()) {
            stop();
            return;
        }
        if (fate.isCompleted()) {
            // what is promised still comes, unless others may have had it meanwhile
            lease.settle(now);
            if (lease.isOver(now)) {
                handover.breakPromise();
            }
            discardAll();
            return;
        }
        if (news == ConsumerPlace.News.ENTERED) {
            int generation = place.generation().orElseThrow();
            attempts.enter(generation);
            if (generation > settings.consumer()) {
                // it may have held others since, of which no status told it
                reporter.discarded(generation - 1);
            }
        }
        if (place.isToldFinished()) {
            attempts.finished();
        }
        if (place.isHeld()) {
            attempts.follow(newest, !place.isTold() && lease.isOver(now), now.nanos());
        }
    }

    private void renew(JobStatus newest) {
        if (place.isTold()) {
            lease.length(Duration.ofMillis(newest.getLeaseMillis()));
            place.echo().ifPresent(lease::echoed);
        }
    }

    // those of other consumers, and of this one's former lives, are not meant
    private void confirm(JobStatus newest) {
        for (Confirmation confirmation : newest.getConfirmed()) {
            if (confirmation.getConsumer() == settings.consumer()
                    && confirmation.getIncarnation().equals(settings.incarnation())) {
                reporter.confirmed(confirmation.getReportSequence()).forEach(this::confirmed);
            }
        }
    }

    // claims of a process that does not hold its place are read, and move nothing where others may have the elements
    private void confirmed(LaneKey lane, long through) {
        if (place.isHeld() && lane.generation() == place.generation().orElseThrow()) {
            effects.confirmed(lane, through);
        }
    }

    /** Whether the job goes on by its newest status, which knows nothing of this process in its place, now or before. */
    boolean isOutside() {
        return fate.goesOn() && fate.status().isPresent() && place.generation().isEmpty();
    }

    /** Where the one that has the place now runs, and since when. */
    private String since() {
        ConsumerSlot slot = place.slot().orElseThrow();
        return (slot.getHost().isEmpty() ? "" : "on host " + slot.getHost() + ", ")
                + "at "
                + Instant.ofEpochMilli(slot.getSinceMillis());
    }

    /** The attempt's worker does not want the channel. */
    void refused(LaneKey lane, RefusalCode code, String reason) {
        Optional<AttemptPlace> worker = attempts.delivering(lane);
        if (worker.isEmpty() || !fate.goesOn()) {
            return;
        }
        String said = "worker " + worker.get().getWorker() + ": " + reason;
        switch (code) {
            case TOKEN, VERSION, UNKNOWN_CONSUMER -> fail(FailureKind.REFUSED, said);
            case REPLACED, STALE -> {
                if (place.isTold()) {
                    attempts.stale(lane);
                } else {
                    fail(
                            FailureKind.FAILED,
                            "another process reads as its consumer " + settings.consumer() + ", " + said);
                }
            }
            // the dispatcher knows by the worker's own beat, and says what follows
            case FAILED, CLOSED -> attempts.silenced(lane);
            case UNKNOWN_ATTEMPT, INCARNATION, OUT_OF_STEP, BUSY -> attempts.lost(lane, said);
        }
    }

    /** Nothing can be learned of the job any more. */
    void lose(RuntimeException cause) {
        if (!fate.isFailed()) {
            fate.lose(cause);
            stop();
        }
    }

    /**
     * The loop wants nothing more: all that it did not take is given back, also where the stream failed and the job goes on,
     * which would wait for it.
     *
     * @param unsure whether the loop may have trained on what it did not acknowledge
     */
    void leave(boolean unsure) {
        if (fate.goesOn() || (fate.hasFailedAlone() && place.generation().isPresent())) {
            fate.leave();
            reportLeft(unsure);
        }
    }

    void close() {
        fate.close();
        stop();
    }

    /** Others have what this process would be given: it says that it uses nothing any more. */
    private void giveUp(String why) {
        fate.supersede(why);
        reportLeft(false);
    }

    private void reportLeft(boolean unsure) {
        stop();
        reporter.left(unsure);
        effects.hurry();
    }

    private void fail(FailureKind kind, String reason) {
        fate.fail(kind, reason);
        stop();
    }

    private void stop() {
        handover.breakPromise();
        discardAll();
    }

    private void discardAll() {
        handover.discardAll();
        attempts.closeAll();
    }
}
