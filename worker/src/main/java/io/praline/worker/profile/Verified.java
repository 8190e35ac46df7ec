package io.praline.worker.profile;

import java.util.List;

/**
 * What a sample told of a variant of a pipeline, beside the pipeline itself.
 *
 * @param pairs of runs of the same work, in turns
 * @param elements that both yielded and that were compared: single ones, or batches that cannot be taken apart
 * @param missing that only one of them yielded, or that have other types or shapes
 * @param unequal of those compared, how many are not the same bit for bit
 * @param largestDifference of a value beside the range of its component's values; 0 where there is none, 1 at most, NaN where
 *     one is no number and the other is
 */
public record Verified(List<Pair> pairs, long elements, long missing, long unequal, double largestDifference) {
    public Verified {
        pairs = List.copyOf(pairs);
    }

    /** What the same work took both. */
    public record Pair(long usualNanos, long variantNanos) {}
}
