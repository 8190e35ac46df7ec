package io.praline.dispatcher.ledger.epoch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * How many elements of open splits each holder has, followed while somebody asks: all splits are read once, and then those that
 * changed since. In memory only. Owned by the stream thread.
 */
final class HeldSplits {
    private final Map<Long, SortedMap<Integer, Integer>> bySplit = new HashMap<>();
    private final Map<Integer, Long> sums = new TreeMap<>();
    private final Set<Long> changed = new HashSet<>();

    /** A split is opened, changes or is closed. */
    void changed(long ordinal) {
        changed.add(ordinal);
    }

    /**
     * How many elements the holder has.
     *
     * @param rows of open splits; null of others
     */
    long of(int holder, LongFunction<SplitRow> rows) {
        for (long ordinal : changed) {
            take(ordinal, rows.apply(ordinal));
        }
        changed.clear();
        return sums.getOrDefault(holder, 0L);
    }

    private void take(long ordinal, SplitRow split) {
        SortedMap<Integer, Integer> before = bySplit.remove(ordinal);
        if (before != null) {
            before.forEach((holder, elements) -> add(holder, -elements));
        }
        SortedMap<Integer, Integer> now = split == null ? new TreeMap<>() : split.held();
        if (!now.isEmpty()) {
            now.forEach(this::add);
            bySplit.put(ordinal, now);
        }
    }

    private void add(int holder, int elements) {
        sums.merge(holder, (long) elements, (one, other) -> one + other == 0 ? null : one + other);
    }
}
