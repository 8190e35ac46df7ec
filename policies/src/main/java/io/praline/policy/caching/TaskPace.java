package io.praline.policy.caching;

/**
 * How long a worker takes for a record. It reads ahead while it computes, as far as pipelines do:
 *
 * <pre>
 *   seconds(reading, computing) = slowdown x (max(r, c) + apart x min(r, c))   r = reading / readers, c = computing / threads
 * </pre>
 *
 * Readers, threads and the share that does not overlap follow from the rate at which a worker computes, where that was
 * measured: what it needs longer than the longer of the two is not overlapped, and what it needs longer than both it lacks.
 */
final class TaskPace {
    /** A trainer that gets so much of what it would take holds workers back: their rate is not what they could do. */
    private static final double HELD_BACK = 0.95;

    private final double readers;
    private final double threads;
    private final double apart;
    private final double slowdown;

    private TaskPace(double readers, double threads, double apart, double slowdown) {
        this.readers = readers;
        this.threads = threads;
        this.apart = apart;
        this.slowdown = slowdown;
    }

    static TaskPace of(CacheSituation situation) {
        double reading = situation.readingNanos() / 1e9;
        double threads = situation.outlook().threads();
        double computing = (situation.allNanos() / 1e9 - reading) / threads;
        double longer = Math.max(reading, computing);
        double shorter = Math.min(reading, computing);
        double rate = situation.taskRecordsPerSecond();
        boolean heldBack = rate * situation.outlook().workers()
                > HELD_BACK * situation.outlook().trainerRecordsPerSecond();
        double taken = 1 / rate;
        if (rate == 0 || (heldBack && taken > longer)) {
            return new TaskPace(1, threads, 0, 1);
        }
        if (taken < longer) {
            return new TaskPace(Math.max(1, reading / taken), threads * Math.max(1, computing / taken), 0, 1);
        }
        if (taken < longer + shorter) {
            return new TaskPace(1, threads, (taken - longer) / shorter, 1);
        }
        return new TaskPace(1, threads, 1, taken / (longer + shorter));
    }

    /** For a record that one thread reads and computes in so many nanoseconds. */
    double seconds(double readingNanos, double computingNanos) {
        double reading = readingNanos / 1e9 / readers;
        double computing = computingNanos / 1e9 / threads;
        return slowdown * (Math.max(reading, computing) + apart * Math.min(reading, computing));
    }
}
