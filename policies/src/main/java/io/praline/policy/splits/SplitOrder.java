package io.praline.policy.splits;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * The order in which an epoch's splits are assigned: pseudo-random by seed and epoch, but larger first among the last
 * few, so that no worker is left with a long split while the others have nothing to do.
 *
 * <pre>
 *   the last few = min(16, splits / 4)
 * </pre>
 *
 * @param splits in an epoch
 * @param seed the job's
 * @param epoch counted from 0
 * @param asPlanned whether the plan's own order is kept instead: for pipelines that depend on global position
 */
public record SplitOrder(long splits, long seed, int epoch, boolean asPlanned) {
    private static final int MOST_LAST = 16;

    public SplitOrder {
        if (splits < 1) {
            throw new IllegalArgumentException("splits must be at least 1, is " + splits);
        }
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch must not be negative, is " + epoch);
        }
    }

    /**
     * The ordinal of the split at this position, both counted from 0.
     *
     * @param bytes the size of a split by its ordinal; asked only for the last few
     */
    public long at(long position, LongUnaryOperator bytes) {
        if (asPlanned) {
            return position;
        }
        Permutation shuffled = new Permutation(splits, Permutation.mix(seed) + epoch);
        long lastFrom = splits - lastFew();
        if (position < lastFrom) {
            return shuffled.at(position);
        }
        List<Long> last = LongStream.range(lastFrom, splits)
                .map(shuffled::at)
                .boxed()
                .sorted(Comparator.comparingLong(bytes::applyAsLong).reversed())
                .toList();
        return last.get((int) (position - lastFrom));
    }

    /** How many splits at the end are ordered by size. */
    public int lastFew() {
        return (int) Math.min(MOST_LAST, splits / 4);
    }
}
