package io.praline.worker.delivery;

import io.praline.wire.FrameLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which parts of a segment are in use. A part is taken where the first gap is that holds it, so that as few pages as possible
 * are ever written to. Parts are given back about in the order in which they were taken, so that there are few gaps however
 * many parts there are. One thread at a time.
 */
final class SegmentSpace {
    /** Gaps by their start, with their ends; no two touch. */
    private final TreeMap<Long, Long> gaps = new TreeMap<>();

    /** Parts in use by their start, with where the next one may start. */
    private final Map<Long, Long> used = new HashMap<>();

    SegmentSpace(long bytes) {
        gaps.put(0L, bytes);
    }

    /** Takes a part; empty if no gap is large enough. */
    OptionalLong take(int length) {
        OptionalLong found = firstGapOf(length);
        found.ifPresent(start -> {
            long end = gaps.remove(start);
            long next = Math.min(FrameLimits.aligned(start + length), end);
            if (next < end) {
                gaps.put(next, end);
            }
            used.put(start, next);
        });
        return found;
    }

    private OptionalLong firstGapOf(int length) {
        for (Map.Entry<Long, Long> gap : gaps.entrySet()) {
            if (gap.getValue() - gap.getKey() >= length) {
                return OptionalLong.of(gap.getKey());
            }
        }
        return OptionalLong.empty();
    }

    /** Gives the beginning of a part back, up to an aligned place in it, by which it is known from then on. */
    void shorten(long start, long to) {
        if (to > start) {
            used.put(to, used.get(start));
            used.put(start, to);
            free(start);
        }
    }

    /**
     * Gives a part back.
     *
     * @return false if none that starts there is in use
     */
    boolean free(long start) {
        Long end = used.remove(start);
        if (end == null) {
            return false;
        }
        Map.Entry<Long, Long> before = gaps.floorEntry(start);
        long from = before != null && before.getValue() == start ? before.getKey() : start;
        Long behind = gaps.remove(end);
        gaps.put(from, behind == null ? end : behind);
        return true;
    }
}
