package io.praline.policy.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How many workers a pool should have:
 *
 * <pre>
 *   needed = max(what one job needs, ceil(sum of what elastic jobs need / slots of a worker))
 *   target = needed, within minimum and maximum;  lowered only when less was needed for all of {@code grace}, and then to
 *            the most that was needed meanwhile; or to the maximum where that was lowered
 * </pre>
 *
 * The first is there since a job has at most one task on a worker. Jobs that live on what there is are not added up, or
 * two of them would make the pool grow without end.
 *
 * @param minimum workers, also while no job is open
 * @param maximum workers
 * @param grace how long workers that nobody needs are kept: a cold start costs more than a short idling
 */
public record PoolSize(int minimum, int maximum, Duration grace) {
    /** Nobody is kept for long that nobody needs. */
    public static final PoolSize USUAL = new PoolSize(0, 100, Duration.ofSeconds(60));

    public PoolSize {
        if (minimum < 0) {
            throw new IllegalArgumentException("minimum must not be negative, is " + minimum);
        }
        if (maximum < Math.max(1, minimum)) {
            throw new IllegalArgumentException(
                    "maximum must be at least 1 and at least the minimum, " + minimum + ", is " + maximum);
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace must not be negative, is " + grace);
        }
    }

    /** Whoever starts workers starts no more than these. */
    public PoolSize within(int most) {
        return most >= maximum ? this : new PoolSize(Math.min(minimum, most), most, grace);
    }

    /**
     * What a job needs of its pool.
     *
     * @param workers that it wants or that still work for it
     * @param elastic whether the pool should be made larger for it
     */
    public record Need(int workers, boolean elastic) {}

    /**
     * How large a pool should be.
     *
     * @param target workers
     * @param less that fewer are needed; empty where they are not
     */
    public record Size(int target, Optional<Less> less) {}

    /**
     * A time in which fewer workers are needed than there should be.
     *
     * @param since when it began
     * @param most that were needed in it: jobs need few for a moment, where an epoch ends, and the same as before again
     */
    public record Less(Instant since, int most) {
        private Less and(int needed) {
            return new Less(since, Math.max(most, needed));
        }
    }

    /** Workers for these jobs, within the bounds. */
    public int needed(List<Need> needs, int slotsEach) {
        long together =
                needs.stream().filter(Need::elastic).mapToLong(Need::workers).sum();
        long spread = (together + slotsEach - 1) / slotsEach;
        long most = needs.stream().mapToInt(Need::workers).max().orElse(0);
        return (int) Math.max(minimum, Math.min(maximum, Math.max(most, spread)));
    }

    public Size next(Size before, int needed, Instant at) {
        int kept = Math.min(before.target, maximum);
        if (needed >= kept) {
            return new Size(needed, Optional.empty());
        }
        Less less = before.less.map(meanwhile -> meanwhile.and(needed)).orElse(new Less(at, needed));
        if (Duration.between(less.since, at).compareTo(grace) < 0) {
            return new Size(kept, Optional.of(less));
        }
        return new Size(less.most, less.most > needed ? Optional.of(new Less(at, needed)) : Optional.empty());
    }
}
