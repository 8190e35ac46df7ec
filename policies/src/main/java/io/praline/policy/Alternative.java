package io.praline.policy;

/**
 * Workers that were not chosen.
 *
 * @param workers that the job would have
 * @param expected of these; never nothing
 */
public record Alternative(Target workers, Expected expected) {
    public Alternative {
        if (expected.equals(Expected.NOTHING)) {
            throw new IllegalArgumentException("of the alternative " + workers + " something must be expected");
        }
    }
}
