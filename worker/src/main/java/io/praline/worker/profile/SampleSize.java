package io.praline.worker.profile;

import java.time.Duration;

/**
 * How much of the data is looked at.
 *
 * @param elements that are read from the splits at least, where there are as many
 * @param least how long it is read at least, about, where there is as much
 * @param most after which it ends, however far it came
 */
public record SampleSize(long elements, Duration least, Duration most) {
    /** Enough to tell the steps of a pipeline apart, and soon over. */
    public static final SampleSize USUAL = new SampleSize(300, Duration.ofSeconds(1), Duration.ofSeconds(5));

    public SampleSize {
        if (elements < 1) {
            throw new IllegalArgumentException("elements must be at least 1, is " + elements);
        }
        if (least.isNegative() || most.compareTo(least) < 0 || most.isZero()) {
            throw new IllegalArgumentException("a sample must be read at least no time and at most longer, is " + least
                    + " at least and " + most + " at most");
        }
    }

    /** The same, over after so long at the latest. */
    SampleSize within(Duration longest) {
        Duration ends = most.compareTo(longest) < 0 ? most : longest;
        return new SampleSize(elements, least.compareTo(ends) < 0 ? least : ends, ends);
    }
}
