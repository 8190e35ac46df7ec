package io.praline.client.stream;

/**
 * What one stream handed to its loop.
 *
 * @param endWaitNanos how long the loop waited for the news that the stream is over; 0 until then
 */
public record StreamTotals(Taken taken, long endWaitNanos, int workersLocal, int workersRemote) {
    /**
     * What the loop took.
     *
     * @param firstNanos when its first batch was handed out; 0 where there was none
     * @param lastNanos when its last one was
     */
    public record Taken(
            long elements, long untrackedElements, long batches, long bytes, long firstNanos, long lastNanos) {}
}
