package io.praline.dispatcher;

import io.praline.schema.CacheGroup;
import io.praline.schema.CacheOrder;
import io.praline.schema.CacheReport;
import io.praline.schema.CacheTarget;
import io.praline.schema.CacheTargets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A store of entries as workers have it, in which an entry is nothing but its size. */
final class PretendStore {
    private final String name;
    private long budget;
    private final boolean shared;
    private final SortedMap<String, SortedMap<Long, Long>> entries = new TreeMap<>();
    private Map<String, CacheTarget> targets = Map.of();
    private int told;
    private String failure = "";
    private boolean late;
    private Optional<CacheReport> stale = Optional.empty();

    PretendStore(String name, long budget, boolean shared) {
        this.name = name;
        this.budget = budget;
        this.shared = shared;
    }

    private static String group(String tenant, String prefix) {
        return tenant + "/" + prefix;
    }

    /** It cannot be used any more, for this reason; none: it can. */
    void fails(String why) {
        failure = why;
    }

    /** Whether workers tell what they saw when this was first so, for as long as it is. */
    void stale(boolean now) {
        stale = now ? Optional.of(report()) : Optional.empty();
    }

    /** Whether workers have not looked yet at what came into it. */
    void late(boolean now) {
        late = now;
    }

    void budget(long bytes) {
        budget = bytes;
    }

    /** Does what it is told: what is above a group's target goes. */
    void obey(CacheTargets command) {
        if (!command.getStore().equals(name)) {
            throw new AssertionError("targets of " + command.getStore() + " came to " + name);
        }
        told++;
        Map<String, CacheTarget> next = new TreeMap<>();
        command.getTargets().forEach(target -> next.put(group(target.getTenant(), target.getPrefix()), target));
        targets = next;
        next.forEach((group, target) -> {
            SortedMap<Long, Long> its = entries.getOrDefault(group, new TreeMap<>());
            if (target.getBytes() == 0) {
                its.clear(); // those of empty splits too
            }
            while (bytes(its) > target.getBytes() && !target.getPinned()) {
                its.remove(its.lastKey());
            }
        });
        entries.values().removeIf(Map::isEmpty);
    }

    /** What entries were made of has other contents now, of which there are none. */
    void dataChanged() {
        for (SortedMap<Long, Long> group : entries.values()) {
            SortedMap<Long, Long> former = new TreeMap<>(group);
            group.clear();
            former.forEach((split, bytes) -> group.put(-1 - split, bytes));
        }
    }

    /** How often it was told its targets. */
    int told() {
        return told;
    }

    /** The newest targets, by tenant/prefix. */
    Map<String, CacheTarget> targets() {
        return targets;
    }

    boolean has(CacheOrder order, long split) {
        return failure.isEmpty()
                && entries.getOrDefault(group(order.getTenant(), order.getPrefix()), new TreeMap<>())
                        .containsKey(split);
    }

    /** Makes an entry, if it has room; whether it did. */
    boolean put(CacheOrder order, long split, long size) {
        String group = group(order.getTenant(), order.getPrefix());
        CacheTarget target = targets.get(group);
        long all = entries.values().stream().mapToLong(PretendStore::bytes).sum();
        long its = bytes(entries.getOrDefault(group, new TreeMap<>()));
        if (!failure.isEmpty() || target == null || its + size > target.getBytes() || all + size > budget) {
            return false;
        }
        entries.computeIfAbsent(group, none -> new TreeMap<>()).put(split, size);
        return true;
    }

    int entries(String prefix) {
        return entries.getOrDefault(group("default", prefix), new TreeMap<>()).size();
    }

    private static long bytes(SortedMap<Long, Long> group) {
        return group.values().stream().mapToLong(Long::longValue).sum();
    }

    CacheReport report() {
        if (stale.isPresent()) {
            return stale.get();
        }
        List<CacheGroup> groups = entries.entrySet().stream()
                .map(group -> new CacheGroup(
                        group.getKey().substring(0, group.getKey().lastIndexOf('/')),
                        group.getKey().substring(group.getKey().lastIndexOf('/') + 1),
                        (long) group.getValue().size(),
                        bytes(group.getValue())))
                .filter(group -> !late)
                .toList();
        long used = entries.values().stream().mapToLong(PretendStore::bytes).sum();
        return new CacheReport(name, shared, budget, used, failure, groups);
    }
}
