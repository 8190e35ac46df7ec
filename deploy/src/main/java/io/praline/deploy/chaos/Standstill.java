package io.praline.deploy.chaos;

/** For how long a job has stood still that could move. Times are those of {@link System#nanoTime}, of whoever calls. */
final class Standstill {
    private long sinceNanos;
    private long trained;
    private long longestNanos;

    Standstill(long nowNanos) {
        this.sinceNanos = nowNanos;
    }

    /**
     * Takes note of how far it is.
     *
     * @param now how many elements its trainers have trained on
     * @param path whether there is a way from a worker to one of its trainers, and Kafka and a dispatcher for both
     */
    void look(long nowNanos, long now, boolean path) {
        if (path && trained > 0) {
            longestNanos = Math.max(longestNanos, nowNanos - sinceNanos);
        }
        if (now != trained || !path) {
            sinceNanos = nowNanos;
        }
        trained = now;
    }

    /** How long it has stood still by now. */
    long nanos(long nowNanos) {
        return nowNanos - sinceNanos;
    }

    /** The longest that it stood still, once it had begun. */
    long longestNanos() {
        return longestNanos;
    }
}
