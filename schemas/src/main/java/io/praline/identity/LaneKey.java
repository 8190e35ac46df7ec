package io.praline.identity;

/**
 * What an attempt has for one consumer: batches numbered from 0, for one generation of it.
 *
 * @param generation which process after which holds the consumer's place, counted in the job from 0
 */
public record LaneKey(AttemptKey attempt, int generation) {
    public LaneKey {
        if (generation < 0) {
            throw new IllegalArgumentException("generation must not be negative, is " + generation);
        }
    }

    @Override
    public String toString() {
        return attempt + "@" + generation;
    }
}
