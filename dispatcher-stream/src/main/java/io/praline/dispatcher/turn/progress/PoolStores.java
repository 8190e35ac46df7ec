package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.GroupRow;
import io.praline.dispatcher.ledger.GroupRow.Held;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.schema.CacheGroup;
import io.praline.schema.CacheReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The stores in which a pool's workers keep entries, and what they hold. Groups of entries are rows; what stores have besides
 * is what the next beats tell again. Owned by the stream thread.
 */
public final class PoolStores {
    /** Workers tell every 10 s at least what their store holds: nobody has one of which none told for so long. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final SortedMap<GroupName, GroupRow> groups = new TreeMap<>();
    private final SortedMap<String, Store> stores = new TreeMap<>();
    private final SortedMap<String, String> unusable = new TreeMap<>();
    private final Set<GroupName> unsaved = new HashSet<>();
    private final SortedSet<GroupName> untold = new TreeSet<>();
    private final Map<GroupName, Double> read = new HashMap<>();
    private Optional<Instant> since = Optional.empty();

    /**
     * A store as workers tell of it. Those that share one may be told another budget each, and one of them may not be able to
     * write where others are.
     */
    public static final class Store {
        private final boolean shared;
        private final SortedMap<String, Word> workers = new TreeMap<>();
        private final Map<GroupName, Set<String>> seenBy = new HashMap<>();

        /** What a worker told last. */
        private record Word(long budgetBytes, String failure, Instant at) {
            boolean same(Word other) {
                return budgetBytes == other.budgetBytes && failure.equals(other.failure);
            }
        }

        private Store(boolean shared) {
            this.shared = shared;
        }

        private void leaves(String worker) {
            workers.remove(worker);
            seenBy.values().forEach(seen -> seen.remove(worker));
        }

        /**
         * Whether nothing of a group is there any more, which a worker does not see. Those that share a store look at different
         * times: while one of them still sees some of what another took away, it is there. Of a group that a row alone tells of
         * nobody has said yet that he sees it.
         */
        private boolean isGone(GroupName group, String worker) {
            Set<String> seen = seenBy.getOrDefault(group, new HashSet<>());
            seen.remove(worker);
            return seen.isEmpty();
        }

        /** Whether it is there for several workers. */
        public boolean shared() {
            return shared;
        }

        /** The most bytes that it may hold, by the word of whoever allows it least; 0 where nothing is kept in it now. */
        public long room() {
            return workers.values().stream()
                    .filter(word -> word.failure().isEmpty())
                    .mapToLong(Word::budgetBytes)
                    .min()
                    .orElse(0);
        }

        /** Why nothing is kept in it; empty where it works for somebody. */
        public String failure() {
            List<String> all = failures().toList();
            return all.size() < workers.size() || all.isEmpty() ? "" : all.get(0);
        }

        private Stream<String> failures() {
            return workers.values().stream().map(Word::failure).filter(why -> !why.isEmpty());
        }

        /** Who uses it. */
        public Collection<String> workers() {
            return Collections.unmodifiableCollection(workers.keySet());
        }
    }

    /** A group as its row tells. */
    public void restore(GroupName name, GroupRow row) {
        groups.put(name, row);
    }

    public SortedMap<GroupName, GroupRow> groups() {
        return Collections.unmodifiableSortedMap(groups);
    }

    /** One of which nothing is known is empty. */
    public GroupRow group(GroupName name) {
        return groups.getOrDefault(name, GroupRow.NEW);
    }

    /** It is known so from now on. */
    public void group(GroupName name, GroupRow changed) {
        if (!changed.equals(groups.put(name, changed))) {
            unsaved.add(name);
            untold.add(name);
        }
    }

    /** Nothing is remembered of it any more. */
    public void forget(GroupName name) {
        groups.remove(name);
        unsaved.add(name);
        untold.add(name);
    }

    public SortedMap<String, Store> stores() {
        return Collections.unmodifiableSortedMap(stores);
    }

    /** Why workers keep nothing, in a line each; none where all do that can. */
    public List<String> failures() {
        return Stream.concat(
                        unusable.values().stream(), stores.values().stream().flatMap(Store::failures))
                .filter(why -> !why.isEmpty())
                .toList();
    }

    /** Nothing more is heard of a worker. */
    public void gone(String worker) {
        unusable.remove(worker);
    }

    /** A worker told what is in its store; whether a group came or went, or the store has another room. */
    public boolean told(String worker, CacheReport report, Instant at) {
        stores.forEach((name, store) -> {
            if (!name.equals(report.getStore())) {
                store.leaves(worker);
            }
        });
        if (report.getStore().isEmpty()) {
            unusable.put(worker, report.getFailure());
            return false;
        }
        unusable.remove(worker);
        Store store = stores.computeIfAbsent(report.getStore(), none -> new Store(report.getShared()));
        Store.Word word = new Store.Word(report.getBudgetBytes(), report.getFailure(), at);
        Store.Word before = store.workers.put(worker, word);
        boolean news = before == null || !before.same(word);
        boolean other = holds(report.getStore(), store, worker, report.getGroups());
        return other || news;
    }

    private boolean holds(String store, Store its, String worker, List<CacheGroup> told) {
        boolean news = false;
        Set<GroupName> there = new HashSet<>();
        for (CacheGroup group : told) {
            GroupName name = new GroupName(group.getTenant(), group.getPrefix());
            if (group.getEntries() > 0) {
                there.add(name);
                its.seenBy.computeIfAbsent(name, none -> new HashSet<>()).add(worker);
                news |= group(name).isEmpty();
                group(name, group(name).holding(store, new Held(group.getEntries(), group.getBytes())));
            }
        }
        for (GroupName name : List.copyOf(groups.keySet())) {
            if (!there.contains(name) && groups.get(name).stores().containsKey(store) && its.isGone(name, worker)) {
                its.seenBy.remove(name);
                group(name, groups.get(name).without(store));
                news |= groups.get(name).isEmpty();
            }
        }
        return news;
    }

    /** Nobody uses a store any more of which nobody has told for long; whether there was one. */
    public boolean silent(Instant at) {
        since = since.or(() -> Optional.of(at));
        boolean news = false;
        for (Store store : stores.values()) {
            List<String> silent = store.workers.entrySet().stream()
                    .filter(heard -> heard.getValue().at().plus(SILENCE).isBefore(at))
                    .map(Map.Entry::getKey)
                    .toList();
            silent.forEach(store::leaves);
            news |= !silent.isEmpty();
        }
        stores.values().removeIf(store -> store.workers.isEmpty());
        if (known(at)) {
            for (GroupName name : List.copyOf(groups.keySet())) {
                for (String store : groups.get(name).stores().keySet()) {
                    if (!stores.containsKey(store)) {
                        group(name, groups.get(name).without(store));
                        news = true;
                    }
                }
            }
        }
        return news;
    }

    /** Whether this dispatcher has listened for long enough to know of every store. */
    public boolean known(Instant at) {
        return since.filter(from -> !from.plus(SILENCE).isAfter(at)).isPresent();
    }

    /** Bytes that are not negative; a sum that no number holds is the largest. */
    public static long plus(long some, long more) {
        long sum = some + more;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Bytes that may be kept, in all stores together. */
    public long room() {
        return stores.values().stream().mapToLong(Store::room).reduce(0, PoolStores::plus);
    }

    /**
     * The share of splits of which whoever reads them has an entry:
     *
     * <pre>
     *   sum over stores of entries / splits x workers that use the store / workers that use any
     * </pre>
     */
    public double share(GroupName name, long splits) {
        int workers =
                stores.values().stream().mapToInt(store -> store.workers.size()).sum();
        double share = 0;
        for (Map.Entry<String, Held> held : group(name).stores().entrySet()) {
            Store store = stores.get(held.getKey());
            double reached = store == null || workers == 0 ? 0 : (double) store.workers.size() / workers;
            // before its workers told of it, all of them are taken to use it
            double weight = workers == 0 ? 1 : reached;
            share += weight * Math.min(1, (double) held.getValue().entries() / splits);
        }
        return Math.min(1, share);
    }

    /** So many records more were read from its entries, or some were made. */
    public void used(GroupName name, double records) {
        read.merge(name, records, Double::sum);
    }

    /** What was read since this was last called is written down. */
    public void settleUses(Instant at) {
        read.forEach((name, records) -> group(name, group(name).used(records, at)));
        read.clear();
    }

    /** Groups of which something else is to be told than was. */
    public SortedSet<GroupName> takeUntold() {
        SortedSet<GroupName> now = new TreeSet<>(untold);
        untold.clear();
        return now;
    }

    /** Writes what changed. */
    public void save(Ledger ledger, String pool) {
        for (GroupName name : unsaved) {
            GroupRow row = groups.get(name);
            if (row == null) {
                ledger.dropGroup(pool, name);
            } else {
                ledger.saveGroup(pool, name, row);
            }
        }
        unsaved.clear();
    }
}
