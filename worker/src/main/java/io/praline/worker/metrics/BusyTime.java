package io.praline.worker.metrics;

/**
 * For how long an attempt was held back by nothing, so that elements / seconds is what it could make:
 *
 * <pre>
 *   busy = time from one batch to the next, first from the first split on
 *          - of that, time at a full outbox
 *          - of that, time before a split came that it had to wait for
 * </pre>
 *
 * While a full outbox holds the puller, the graph goes on and fills its own buffers; what lies there comes out in no time
 * afterwards, and would make the task look faster than it is. So a batch that comes out in less than half of the usual time
 * after the outbox was full counts as much as the mean of those that were not. The first one is no part of that mean, since
 * the graph starts in it. The puller's thread writes, any may read.
 */
public final class BusyTime {
    /** A put that takes longer has waited for room. */
    private static final long HELD_NANOS = 2_000_000;

    /** About so many batches are remembered in the mean. */
    private static final int MEMORY = 32;

    private long markNanos;
    private double seconds;
    private boolean started;
    private int measured;
    private double meanSeconds;
    private boolean buffered;
    private volatile long fedAt = Long.MIN_VALUE;

    /** A split came while there was none to read. Any thread. */
    public void fed(long nowNanos) {
        fedAt = nowNanos;
    }

    /** The graph is asked for its first batch. */
    public synchronized void start(long nowNanos) {
        markNanos = nowNanos;
    }

    /** The graph gave a batch. */
    public synchronized void pulled(long nowNanos) {
        boolean starved = fedAt != Long.MIN_VALUE && fedAt - markNanos > 0 && nowNanos - fedAt > 0;
        double took = (nowNanos - (starved ? fedAt : markNanos)) / 1e9;
        markNanos = nowNanos;
        if (buffered && took < meanSeconds / 2) {
            seconds += meanSeconds;
            return;
        }
        buffered = false;
        seconds += took;
        if (started && !starved) {
            measured = Math.min(MEMORY, measured + 1);
            meanSeconds += (took - meanSeconds) / measured;
        }
        started = true;
    }

    /** The outbox took a batch. */
    public synchronized void put(long sinceNanos, long nowNanos) {
        if (nowNanos - sinceNanos > HELD_NANOS) {
            buffered = true;
            markNanos = nowNanos;
        }
    }

    public synchronized double seconds() {
        return seconds;
    }
}
