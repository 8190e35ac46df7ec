package io.praline.policy.ordering;

import io.praline.policy.Counted;
import java.util.Locale;

/**
 * What a step did while a sample was read.
 *
 * @param name the step's
 * @param elements that it yielded
 * @param bytesIn of what it was given, in all
 * @param bytesOut of what it yielded, in all
 * @param nanos of work, summed over threads
 */
public record StepMeasure(String name, long elements, long bytesIn, long bytesOut, long nanos) {
    public StepMeasure {
        if (elements < 0 || bytesIn < 0 || bytesOut < 0 || nanos < 0) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "a measure must not be negative, that of %s is %s, %s in, %d out, %d ns",
                    name,
                    Counted.of(elements, "element"),
                    Counted.of(bytesIn, "byte"),
                    bytesOut,
                    nanos));
        }
    }
}
