package io.praline.client;

import io.praline.client.StreamCore.Turn;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.stream.Attempts;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Lease;
import io.praline.client.stream.LoopHandover;
import io.praline.client.stream.StreamEffects;

/**
 * The training loop's side of a stream: what its question finds, what it takes, what it is done with. A batch is promised
 * before it is taken; while one is promised, the answer stays. The question acknowledges the batch before, once, unless the
 * loop does that itself. Owned by the stream's lock.
 */
final class LoopSide {
    private final StreamSettings settings;
    private final JobFate fate;
    private final Lease lease;
    private final LoopHandover handover;
    private final Attempts attempts;
    private final ConsumptionReporter reporter;
    private final StreamEffects effects;
    // what the loop took last, where it is not acknowledged yet by a question; else null
    private Batch previous;
    private boolean over;

    LoopSide(
            StreamSettings settings,
            JobFate fate,
            Lease lease,
            LoopHandover handover,
            Attempts attempts,
            ConsumptionReporter reporter,
            StreamEffects effects) {
        this.settings = settings;
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
     * @throws JobFailed if the job will not complete
     * @throws IllegalStateException if the stream is closed
     */
    Turn turn() {
        fate.requireOpen();
        if (handover.hasPromise()) {
            return Turn.READY;
        }
        if (previous != null && !settings.manualAcknowledge()) {
            acknowledge(previous);
        }
        previous = null;
        if (over) {
            return Turn.OVER;
        }
        if (lease.isOver()) {
            return Turn.WAIT;
        }
        if (handover.hasCurrent() || begin()) {
            handover.promise();
            return Turn.READY;
        }
        if (fate.isCompleted() || nothingFollows()) {
            over = true;
            hurry();
            return Turn.OVER;
        }
        return Turn.WAIT;
    }

    /**
     * The batch that is promised, claimed.
     *
     * @param stream whose batch it is
     * @param waitedNanos how long the loop waited for it
     * @throws JobFailed if the job failed since the batch was promised
     */
    Batch take(StreamCore stream, long nowNanos, long waitedNanos) {
        if (!handover.hasPromise()) {
            // the job may have failed since the batch was promised
            fate.requireNotFailed();
            throw new IllegalStateException("no batch is set aside");
        }
        Frame frame = handover.promised();
        int part = handover.promisedPart();
        if (handover.claim()) {
            attempts.claimed(frame.attempt());
        }
        handover.handOver(nowNanos, waitedNanos);
        Batch batch = new Batch(stream, frame, part, fate.names());
        previous = batch;
        return batch;
    }

    /** The loop is done with a batch; twice is once. */
    void acknowledge(Batch batch) {
        if (batch.acknowledgeOnce()) {
            handover.acknowledge(batch.frame(), batch.part());
        }
    }

    /** Whether the loop was told that nothing follows. */
    boolean isOver() {
        return over;
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
        return !handover.hasReady() && attempts.isStreamOver();
    }

    private void hurry() {
        reporter.hurry();
        if (reporter.urgent()) {
            effects.hurry();
        }
    }
}
