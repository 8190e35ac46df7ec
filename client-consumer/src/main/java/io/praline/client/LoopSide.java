package io.praline.client;

import io.praline.client.StreamCore.Turn;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.stream.Attempts;
import io.praline.client.stream.ConsumerPlace;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Lease;
import io.praline.client.stream.LoopHandover;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamEffects;
import io.praline.client.stream.StreamSettings;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The training loop's side of a stream: what its question finds, what it takes, what it is done with. A batch is promised
 * before it is taken; while one is promised, the answer stays. The question acknowledges the batch before, once, unless the
 * loop does that itself. The lease is looked at when a batch is promised and again when it is handed out: a process may have
 * slept between the two. Who hands it on to a loop elsewhere asks until when it may. Owned by the stream's lock.
 */
final class LoopSide {
    private final StreamSettings settings;
    private final ConsumerPlace place;
    private final JobFate fate;
    private final Lease lease;
    private final LoopHandover handover;
    private final Attempts attempts;
    private final ConsumptionReporter reporter;
    private final StreamEffects effects;
    // what the loop took last, where it is not acknowledged yet by a question; else null
    private Batch previous;

    LoopSide(
            StreamSettings settings,
            ConsumerPlace place,
            JobFate fate,
            Lease lease,
            LoopHandover handover,
            Attempts attempts,
            ConsumptionReporter reporter,
            StreamEffects effects) {
        this.settings = settings;
        this.place = place;
        this.fate = fate;
        this.lease = lease;
        this.handover = handover;
        this.attempts = attempts;
        this.reporter = reporter;
        this.effects = effects;
    }

    /**
     * What there is for the loop.
     *
     * @throws JobFailed if the job will not complete, or another process has this one's place
     * @throws IllegalStateException if the stream is closed
     */
    Turn turn(Moment now) {
        if (fate.isFailed()) {
            askPast(); // of that it is done with the batch before, whatever the answer is
        }
        fate.requireOpen();
        if (handover.hasPromise()) {
            return mayHandOut(now) ? Turn.READY : Turn.WAIT;
        }
        askPast();
        if (fate.isOver() || fate.hasLeft()) {
            return Turn.OVER;
        }
        if (fate.isCompleted()) {
            return over();
        }
        if (!mayHandOut(now)) {
            return Turn.WAIT;
        }
        if (handover.hasCurrent() || begin()) {
            handover.promise();
            return Turn.READY;
        }
        return nothingFollows() ? over() : Turn.WAIT;
    }

    /**
     * The batch that is promised, claimed; empty where it is not to be handed out just now, or is gone: then the loop asks
     * again.
     *
     * @param stream whose batch it is
     * @param waitedNanos how long the loop waited for it
     * @throws JobFailed if the job failed since the batch was promised, or another process took this one's place
     */
    Optional<Batch> take(StreamCore stream, Moment now, long waitedNanos) {
        fate.requireOpen();
        if (!handover.hasPromise() || !mayHandOut(now)) {
            return Optional.empty();
        }
        Frame frame = handover.promised();
        int part = handover.promisedPart();
        if (handover.claim()) {
            attempts.claimed(frame.lane());
        }
        handover.handOver(now.nanos(), waitedNanos);
        Batch batch = new Batch(stream, frame, part, fate.names());
        previous = batch;
        return Optional.of(batch);
    }

    /** The loop is done with a batch; twice is once. */
    void acknowledge(Batch batch) {
        if (batch.acknowledgeOnce()) {
            handover.acknowledge(batch.frame(), batch.part());
        }
    }

    /** From when on what was handed out is not to go on to a loop elsewhere, unless it is heard again that it may. */
    Moment handsOnUntil(Moment now) {
        return lease.end(now);
    }

    /**
     * As {@link #handsOnUntil}, but empty where that is over, until it is heard again that this process is still the one.
     *
     * @throws JobFailed if the job failed, or another process has this one's place, also where nothing else follows
     * @throws NoSuchElementException if the job completed without this process, and so without what it did not hand on
     * @throws IllegalStateException if the stream is closed
     */
    Optional<Moment> mayHandOnUntil(Moment now) {
        fate.requireNotSuperseded();
        fate.requireOpen();
        boolean may = mayHandOut(now);
        if (!may && fate.isCompleted()) {
            throw new NoSuchElementException("the job is complete without what was not handed on");
        }
        return may ? Optional.of(lease.end(now)) : Optional.empty();
    }

    private void askPast() {
        if (previous != null && !settings.manualAcknowledge()) {
            acknowledge(previous);
        }
        previous = null;
    }

    /** Whether this process is still the one that is given batches; if not, the next echo of a beat is waited for. */
    private boolean mayHandOut(Moment now) {
        boolean may = !lease.isOver(now);
        if (!may) {
            effects.hurry();
            effects.awaitsNews();
        }
        return may;
    }

    /** Begins with the frame that is due; false while there is none. */
    private boolean begin() {
        if (!handover.hasReady()) {
            return false;
        }
        if (!attempts.isOpen(handover.nextEpoch())) {
            // the ledger is waited for: let it know what it lacks
            hurry();
            effects.awaitsNews();
            return false;
        }
        handover.begin();
        return true;
    }

    private boolean nothingFollows() {
        // once it is told, what others give back later is not for this loop, though the epoch is open again for it
        boolean told = place.isToldFinished() && attempts.areDrained();
        return !handover.hasReady() && (told || attempts.isStreamOver(place.isFinished()));
    }

    private Turn over() {
        fate.over();
        hurry();
        return Turn.OVER;
    }

    private void hurry() {
        reporter.hurry();
        if (reporter.urgent()) {
            effects.hurry();
        }
    }
}
