package io.praline.dispatcher.ledger.epoch;

import io.praline.policy.Counted;

/**
 * What somebody may have.
 *
 * @param elements of splits whose records are counted
 * @param uncountedSplits others of which it may have something: how many elements that are nobody knows yet
 */
public record Doubt(long elements, long uncountedSplits) {
    public static final Doubt NONE = new Doubt(0, 0);

    public Doubt plus(Doubt other) {
        return new Doubt(elements + other.elements, uncountedSplits + other.uncountedSplits);
    }

    @Override
    public String toString() {
        return Counted.of(elements, "element")
                + (uncountedSplits == 0 ? "" : " and those of " + Counted.of(uncountedSplits, "uncounted split"));
    }
}
