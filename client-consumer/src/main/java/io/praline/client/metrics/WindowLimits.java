package io.praline.client.metrics;

import java.time.Duration;

/**
 * When a window is full: with so many batches, but not within {@link #SHORTEST}; or after so long, whichever is first.
 *
 * @param batches taken in it
 * @param longest that it lasts, but for a batch that takes longer
 */
public record WindowLimits(long batches, Duration longest) {
    /** Below this, a window tells more of single batches than of the job. */
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    public static final WindowLimits DEFAULT = new WindowLimits(500, Duration.ofSeconds(10));

    public WindowLimits {
        if (batches < 1) {
            throw new IllegalArgumentException("batches of a window must be at least 1, are " + batches);
        }
        if (longest.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "the longest window must be at least " + SHORTEST.toSeconds() + " s, is " + longest);
        }
    }

    boolean full(long batchesTaken, long ageNanos) {
        return ageNanos >= longest.toNanos() || (batchesTaken >= batches && ageNanos >= SHORTEST.toNanos());
    }
}
