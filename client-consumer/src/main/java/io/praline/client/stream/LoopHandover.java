package io.praline.client.stream;

import io.praline.client.metrics.BatchClaims;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.identity.AttemptKey;

/**
 * From what lies ready to the training loop: one frame after the other is taken apart, and one part at a time is promised
 * to the loop and handed over.
 *
 * <pre>
 *   ready --begin--&gt; current, its parts one by one --promise--&gt; promised --handOver--&gt; the loop's
 * </pre>
 *
 * <ul>
 *   <li>A part is claimed when it is handed over, or when its attempt is fenced while it is promised: {@code hasNext()} has
 *       said that it comes. Nothing else of a fenced attempt is claimed.
 *   <li>Each claimed part is in the coverage when its frame is claimed to the end or discarded.
 *   <li>What is discarded is freed; what was handed over is the loop's to free.
 * </ul>
 *
 * <p>Owned by the stream's lock.
 */
public final class LoopHandover {
    private final ConsumptionReporter reporter;
    private final DemandReporter demand;
    private final Coverage coverage;
    private final ReadyEpochs ready = new ReadyEpochs();
    private final TakenTotals totals = new TakenTotals();

    // the frame that is being taken apart; null where there is none
    private Frame current;

    // the part that is promised to the loop; null where there is none
    private Frame promised;
    private int promisedPart;
    private boolean promisedIsClaimed;

    private long unacknowledged;

    public LoopHandover(ConsumptionReporter reporter, DemandReporter demand, Coverage coverage) {
        this.reporter = reporter;
        this.demand = demand;
        this.coverage = coverage;
    }

    // ---- what comes

    /** A frame came. */
    void add(Frame frame, boolean fromLocal) {
        ready.add(frame, fromLocal);
    }

    /** Whether a frame lies ready of which nothing was promised. */
    public boolean hasReady() {
        return !ready.isEmpty();
    }

    /** The epoch of the frame that is next; there must be one. */
    public int nextEpoch() {
        return ready.firstEpoch();
    }

    // ---- what goes to the loop

    /** Whether a frame is being taken apart. */
    public boolean hasCurrent() {
        return current != null;
    }

    /** Begins with the frame that is next; there must be one, and none begun already. */
    public void begin() {
        current = ready.remove();
    }

    /** Promises the next part of the current frame. */
    public void promise() {
        promised = current;
        promisedPart = current.offer();
        promisedIsClaimed = false;
        if (current.allOffered()) {
            current = null;
        }
    }

    public boolean hasPromise() {
        return promised != null;
    }

    /** The frame of which a part is promised. */
    public Frame promised() {
        return promised;
    }

    /** The part that is promised. */
    public int promisedPart() {
        return promisedPart;
    }

    /** Claims the promised part, if it is not; true if with that all of its frame is claimed. */
    public boolean claim() {
        if (promisedIsClaimed) {
            return false;
        }
        promisedIsClaimed = true;
        BatchClaims claims = promised.claims();
        claims.claim();
        reporter.changed(claims);
        boolean all = promisedPart + 1 == promised.parts();
        if (all) {
            cover(promised);
        }
        return all;
    }

    /** Claims what is promised, if anything is. */
    void claimPromise() {
        if (promised != null) {
            claim();
        }
    }

    /**
     * The promised part, claimed before, is the loop's.
     *
     * @param waitedNanos how long the loop waited for it
     */
    public void handOver(long nowNanos, long waitedNanos) {
        long batchesReady = 1 + (current == null ? 0 : current.unoffered()) + ready.batches();
        long elements = promised.claims().elements(promisedPart);
        long bytes = promised.bytes(promisedPart);
        totals.taken(nowNanos, elements, bytes, promised.claims().tracked());
        demand.taken(nowNanos, elements, bytes, waitedNanos, batchesReady);
        promised.taken();
        promised = null;
        unacknowledged++;
    }

    /** The loop is done with a part that it had. */
    public void acknowledge(Frame frame, int part) {
        BatchClaims claims = frame.claims();
        claims.acknowledge(part);
        reporter.changed(claims);
        frame.done();
        unacknowledged--;
    }

    /** Whether the loop has parts that it is not done with. */
    public boolean hasUnacknowledged() {
        return unacknowledged > 0;
    }

    // ---- what goes no further

    /** Claims what is promised of an attempt, and discards what else of it the loop does not have. */
    void fence(AttemptKey attempt) {
        if (promised != null && promised.attempt().equals(attempt)) {
            claim();
        }
        discard(attempt);
    }

    /** Discards what of the attempt is neither promised nor handed over. */
    void discard(AttemptKey attempt) {
        if (current != null && current.attempt().equals(attempt)) {
            discardCurrent();
        }
        ready.removeIf(attempt.epoch(), frame -> frame.attempt().equals(attempt), LoopHandover::free);
    }

    /** Discards all that is neither promised nor handed over. */
    public void discardAll() {
        discardCurrent();
        ready.clear(LoopHandover::free);
    }

    /** Takes back what is promised: the loop will not ask for it. */
    public void breakPromise() {
        if (promised != null) {
            promised.close(1);
            promised = null;
        }
    }

    // ---- what was handed over

    /** How long the loop waited to hear that the stream is over. */
    public void endWaited(long nanos) {
        totals.endWaited(nanos);
    }

    /** What the loop has had so far, all of it in the coverage. */
    public StreamTotals totals(ServingTasks tasks) {
        if (current != null) {
            cover(current);
        }
        return totals.with(tasks.workersLocal(), tasks.workersRemote());
    }

    private void discardCurrent() {
        if (current != null) {
            cover(current);
            free(current);
            current = null;
        }
    }

    /** Counts what of the frame was claimed and not counted yet. */
    private void cover(Frame frame) {
        BatchClaims claims = frame.claims();
        int until = claims.claimed();
        int from = frame.countedUpTo(until);
        int untilTicket = until == frame.parts() ? claims.tickets().length : claims.firstTicket(until);
        coverage.add(frame.attempt().epoch(), claims.tickets(), claims.firstTicket(from), untilTicket);
    }

    private static void free(Frame frame) {
        frame.close(frame.unoffered());
    }
}
