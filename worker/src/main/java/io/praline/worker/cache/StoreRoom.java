package io.praline.worker.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much a store holds of each group, and how much it may. Safe for several threads. */
public final class StoreRoom {
    private final long budget;
    private final SortedMap<EntryGroup, Usage> usage = new TreeMap<>();
    private final Map<EntryGroup, Long> making = new HashMap<>();
    private Map<EntryGroup, Target> targets = Map.of();

    /**
     * How much there is of a group.
     *
     * @param bytes of its entries, and of what is written of others
     */
    public record Usage(long entries, long bytes) {
        private Usage plus(long moreEntries, long moreBytes) {
            return new Usage(Math.max(0, entries + moreEntries), Math.max(0, bytes + moreBytes));
        }
    }

    /**
     * How much a group may have.
     *
     * @param pinned whether none of it goes
     */
    public record Target(long bytes, boolean pinned) {}

    /** @param budget the most bytes that all groups together may have */
    StoreRoom(long budget) {
        this.budget = budget;
    }

    /** The most bytes that all groups together may have. */
    long budget() {
        return budget;
    }

    /** This is what there is. */
    synchronized void found(Map<EntryGroup, Usage> all) {
        usage.clear();
        usage.putAll(all);
    }

    /** By group, with what is being written. */
    synchronized SortedMap<EntryGroup, Usage> usage() {
        SortedMap<EntryGroup, Usage> all = new TreeMap<>(usage);
        making.forEach((group, bytes) ->
                all.merge(group, new Usage(0, bytes), (one, other) -> one.plus(other.entries(), other.bytes())));
        return all;
    }

    /** Bytes of a group's entries. */
    synchronized long bytes(EntryGroup group) {
        return of(group).bytes();
    }

    private Usage of(EntryGroup group) {
        return usage.getOrDefault(group, new Usage(0, 0));
    }

    /** What each group may have from now on; one that is not listed gets nothing more. */
    synchronized void divide(Map<EntryGroup, Target> among) {
        targets = Map.copyOf(among);
    }

    synchronized Map<EntryGroup, Target> targets() {
        return targets;
    }

    /** Whether so many bytes more may be written of a group. */
    synchronized boolean mayGrow(EntryGroup group, long by) {
        Target target = targets.get(group);
        long all = usage.values().stream().mapToLong(Usage::bytes).sum()
                + making.values().stream().mapToLong(Long::longValue).sum();
        long its = of(group).bytes() + making.getOrDefault(group, 0L);
        return target != null && its + by <= target.bytes() && all + by <= budget;
    }

    /** So many bytes more are about to be written of a group; false where they may not be. */
    synchronized boolean reserve(EntryGroup group, long bytes) {
        boolean may = mayGrow(group, bytes);
        if (may) {
            making.merge(group, bytes, Long::sum);
        }
        return may;
    }

    /** So many bytes that were reserved are not any more. */
    synchronized void free(EntryGroup group, long bytes) {
        making.merge(group, -bytes, Long::sum);
        making.values().removeIf(left -> left == 0);
    }

    /** Whether all of a group is to go. */
    synchronized boolean isDropped(EntryGroup group) {
        Target target = targets.get(group);
        return target != null && target.bytes() == 0 && !target.pinned();
    }

    /** Entries came or went. */
    synchronized void changed(EntryGroup group, long entries, long bytes) {
        Usage now = of(group).plus(entries, bytes);
        if (now.entries() == 0) {
            usage.remove(group);
        } else {
            usage.put(group, now);
        }
    }
}
