package io.praline.client.stream;

/** Counts what one stream hands to its loop. Owned by the stream's lock. Times are {@code System.nanoTime} of whoever calls. */
final class TakenTotals {
    private long elements;
    private long untrackedElements;
    private long batches;
    private long bytes;
    private long firstNanos;
    private long lastNanos;
    private long endWaitNanos;

    /** A batch is handed over. */
    void taken(long nowNanos, long batchElements, long batchBytes, boolean tracked) {
        if (batches == 0) {
            firstNanos = nowNanos;
        }
        lastNanos = nowNanos;
        batches++;
        elements += batchElements;
        bytes += batchBytes;
        if (!tracked) {
            untrackedElements += batchElements;
        }
    }

    /** How long the loop waited to hear that the stream is over. */
    void endWaited(long nanos) {
        endWaitNanos = nanos;
    }

    StreamTotals with(int workersLocal, int workersRemote) {
        return new StreamTotals(
                new StreamTotals.Taken(elements, untrackedElements, batches, bytes, firstNanos, lastNanos),
                endWaitNanos,
                workersLocal,
                workersRemote);
    }
}
