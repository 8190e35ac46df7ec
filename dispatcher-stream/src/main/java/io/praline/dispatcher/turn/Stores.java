package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CacheRecords;
import io.praline.dispatcher.convert.CacheRecords.Share;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.GroupRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.PoolStores;
import io.praline.dispatcher.turn.progress.StoreTargets;
import io.praline.policy.caching.CacheBudget;
import io.praline.policy.caching.CacheGrant;
import io.praline.policy.caching.CacheGroup;
import io.praline.schema.CacheReport;
import io.praline.schema.Decided;
import io.praline.schema.DropCache;
import io.praline.schema.JobRequest;
import io.praline.schema.PinCache;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What stores of entries may hold: {@link CacheBudget} divides them among groups; here it is learned what they have and want,
 * and told to whoever uses them. Owned by the stream thread.
 */
final class Stores {
    /** What stores have changes all the time while entries are made. */
    private static final Duration DIVIDED_EVERY = Duration.ofSeconds(10);

    /** What was read is written down so often. */
    private static final Duration USES_EVERY = Duration.ofSeconds(5);

    /** Of a group that was in use so lately there may be more than its stores have told, none of which is to go as too much. */
    private static final Duration UNTOLD = Duration.ofMinutes(1);

    /** Until it is measured what a byte saves: what it takes to decode one of a picture. */
    private static final double USUAL_SECONDS_PER_BYTE = 1e-8;

    /** What any byte saves at most: where nearly nothing is kept of a record, the division may have no number. */
    private static final double MOST_SECONDS_PER_BYTE = 3_600;

    /** A group's worth is known no better than this. */
    private static final double NEWS = 0.1;

    /** Of a group that was empty for so long nothing is remembered. */
    private static final Duration EMPTY_KEPT = Duration.ofDays(31);

    private final Journal journal;
    private final WallTime wall;
    private final Outgoing out;

    Stores(Journal journal, WallTime wall, Outgoing out) {
        this.journal = journal;
        this.wall = wall;
        this.out = out;
    }

    /**
     * What jobs that run make of a group.
     *
     * @param usesLeft how often each of its entries is to be read yet
     * @param usesPerHour how often in an hour
     * @param put whether entries are made
     */
    record Demand(double usesLeft, double usesPerHour, boolean put) {
        Demand and(Demand other) {
            return new Demand(usesLeft + other.usesLeft, usesPerHour + other.usesPerHour, put || other.put);
        }
    }

    /** A worker told what its store has. */
    void told(Pool pool, Place worker, CacheReport report, Instant at) {
        if (pool.stores().told(worker.worker(), report, at)) {
            due(pool);
        }
        if (!report.getStore().isEmpty()) {
            tell(pool, worker, report.getStore(), at);
        }
    }

    /**
     * What keeps entries from being kept in a pool, in a line; empty where nothing does.
     *
     * @param needed whether somebody needs a store
     */
    static Optional<String> wrong(Pool pool, boolean needed) {
        PoolStores its = pool.stores();
        Optional<String> failure = its.failures().stream().findFirst();
        return needed && its.stores().isEmpty() && failure.isEmpty()
                ? Optional.of("no worker has a store, see --cache-dir")
                : failure;
    }

    /** Stores of the pool are to be divided anew. */
    void due(Pool pool) {
        pool.storeTargets().due();
    }

    /** Nothing more is heard of a worker. */
    void gone(Pool pool, String worker) {
        pool.stores().gone(worker);
        pool.storeTargets().forget(worker);
    }

    /**
     * A group is what a job keeps. Numbers are 0 where the job does not know them: what another one measured stays, and where none
     * did, all entries take as much as those that are there.
     *
     * @param saved by a record that is read from it, in ns
     * @param bytes of a record
     * @param epochBytes of all of them
     * @param splits that the job has
     * @param storageSeconds of a worker that cost the job as much as a byte for an hour
     */
    void describe(
            Pool pool,
            GroupName name,
            String steps,
            double saved,
            double bytes,
            double epochBytes,
            long splits,
            double storageSeconds,
            Instant at) {
        GroupRow row = pool.stores().group(name);
        double all = bytes > 0 || row.recordBytes() > 0 ? epochBytes : row.entryBytes() * splits;
        boolean news = !row.steps().equals(steps)
                || differ(row.recordNanos(), saved)
                || differ(row.recordBytes(), bytes)
                || differ(row.epochBytes(), all)
                || row.storageSeconds() != storageSeconds;
        if (news) {
            GroupRow now = row.described(
                    steps,
                    saved > 0 ? saved : row.recordNanos(),
                    bytes > 0 ? bytes : row.recordBytes(),
                    all > 0 ? all : row.epochBytes(),
                    storageSeconds,
                    at);
            pool.stores().group(name, now);
            due(pool);
        }
    }

    /** Whether a number is known, and not as it was. */
    private static boolean differ(double known, double now) {
        return now > 0 && Math.abs(now - known) > NEWS * known;
    }

    // ---- requests

    /** Somebody asks for something to be done with what is kept. */
    void fold(Pool pool, JobRequest request, Instant at) {
        if (request.getBody() instanceof PinCache pin) {
            named(pool, pin.getTenant(), pin.getPrefix())
                    .filter(name -> pool.stores().group(name).pinned() != pin.getPinned())
                    .ifPresentOrElse(
                            name -> pin(pool, name, pin.getPinned(), at), () -> out.ignored(Ignored.UNKNOWN_ENTRIES));
        } else if (request.getBody() instanceof DropCache drop) {
            named(pool, drop.getTenant(), drop.getPrefix())
                    .filter(name -> !pool.stores().group(name).dropped())
                    .ifPresentOrElse(name -> drop(pool, name, at), () -> out.ignored(Ignored.UNKNOWN_ENTRIES));
        }
    }

    /** The only group of the tenant whose digest begins so. */
    private Optional<GroupName> named(Pool pool, String tenant, String prefix) {
        List<GroupName> found = pool.stores().groups().keySet().stream()
                .filter(name -> name.tenant().equals(tenant) && name.prefix().startsWith(prefix))
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    private void pin(Pool pool, GroupName name, boolean pinned, Instant at) {
        pool.stores().group(name, pool.stores().group(name).withPinned(pinned));
        due(pool);
        journal.write(
                pool,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.ENTRIES_PINNED, name.toString(), Map.of("pinned", pinned ? 1.0 : 0.0)),
                        pinned
                                ? "it was asked that nothing of it goes"
                                : "it was asked that it may go like any other"));
    }

    private void drop(Pool pool, GroupName name, Instant at) {
        GroupRow row = pool.stores().group(name);
        pool.stores().group(name, row.withPinned(false).withDropped(!row.isEmpty()));
        due(pool);
        journal.write(
                pool,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.ENTRIES_DROPPED,
                                name.toString(),
                                Map.of("entries", (double) row.entries(), "bytes", (double) row.bytes())),
                        "it was asked that all of it goes"));
    }

    // ---- time that passes

    /** Time passed for the stores of a pool, of whose groups jobs that run demand so much. */
    void passed(Pool pool, SortedMap<GroupName, Demand> demands, Instant at) {
        PoolStores its = pool.stores();
        if (its.silent(at)) {
            due(pool);
        }
        StoreTargets told = pool.storeTargets();
        if (told.usesDue(at, USES_EVERY)) {
            its.settleUses(at);
        }
        clean(pool, demands, at);
        if (told.divisionDue(at, DIVIDED_EVERY)) {
            divide(pool, demands, at);
        }
        tellAll(pool, at);
        for (GroupName name : its.takeUntold()) {
            GroupRow row = its.group(name);
            if (row.isEmpty() && !row.pinned()) {
                out.entriesGone(CacheRecords.key(pool.name(), name));
            } else {
                out.entries(CacheRecords.status(pool.name(), name, row, wall));
            }
        }
    }

    /** Something is another than it was: whoever makes entries is to know before it begins what it may make. */
    boolean isDue(Pool pool) {
        return pool.storeTargets().isDue();
    }

    /** The stores of a pool are divided, of whose groups jobs that run demand so much. */
    void divideNow(Pool pool, SortedMap<GroupName, Demand> demands, Instant at) {
        if (pool.storeTargets().divisionDue(at, DIVIDED_EVERY)) {
            divide(pool, demands, at);
            tellAll(pool, at);
        }
    }

    private void tellAll(Pool pool, Instant at) {
        pool.stores().stores().forEach((name, store) -> store.workers().stream()
                .filter(worker -> pool.workers().containsKey(worker))
                .forEach(worker -> tell(pool, pool.workers().get(worker).place(), name, at)));
    }

    private void clean(Pool pool, SortedMap<GroupName, Demand> demands, Instant at) {
        PoolStores its = pool.stores();
        for (GroupName name : List.copyOf(its.groups().keySet())) {
            GroupRow row = its.group(name);
            if (row.isEmpty() && row.dropped() && its.known(at)) {
                its.group(name, row.withDropped(false));
                due(pool);
            } else if (row.isEmpty()
                    && !row.pinned()
                    && !row.dropped()
                    && !demands.containsKey(name)
                    && row.lastUse().plus(EMPTY_KEPT).isBefore(at)) {
                its.forget(name);
            }
        }
    }

    private void divide(Pool pool, SortedMap<GroupName, Demand> demands, Instant at) {
        PoolStores its = pool.stores();
        demands.forEach((name, demand) -> {
            if (differ(its.group(name).usesPerHour(), demand.usesPerHour())) {
                its.group(name, its.group(name).withUsesPerHour(demand.usesPerHour()));
            }
        });
        List<Decided> decided = new ArrayList<>();
        SortedMap<String, Double> numbers = new TreeMap<>();
        pool.storeTargets().only(its.stores().keySet());
        its.stores().forEach((name, store) -> {
            if (!store.failure().isEmpty()) {
                return; // what it has stays, for when it works again
            }
            SortedMap<GroupName, Share> shares = new TreeMap<>();
            SortedMap<GroupName, OptionalLong> wants = new TreeMap<>();
            for (GroupName group : its.groups().keySet()) {
                Optional<Demand> demand = Optional.ofNullable(demands.get(group));
                if (its.group(group).dropped()) {
                    shares.put(group, new Share(0, false));
                } else if (its.group(group).stores().containsKey(name)
                        || demand.filter(Demand::put).isPresent()
                        || its.group(group).pinned()) {
                    wants.put(group, wanted(its.group(group), name, store.room(), demand));
                }
            }
            long known =
                    wants.values().stream().mapToLong(want -> want.orElse(0)).reduce(0, PoolStores::plus);
            int unknown =
                    (int) wants.values().stream().filter(OptionalLong::isEmpty).count();
            List<CacheGroup> groups = new ArrayList<>();
            wants.forEach((group, want) -> groups.add(wanting(
                    its.group(group),
                    name,
                    group,
                    want.orElseGet(() -> CacheBudget.unknown(store.room(), known, unknown)),
                    Optional.ofNullable(demands.get(group)),
                    at)));
            for (CacheGrant grant : CacheBudget.divide(store.room(), groups)) {
                GroupName group = new GroupName(grant.tenant(), grant.prefix());
                GroupRow row = its.group(group);
                boolean untold =
                        grant.bytes() >= row.bytesIn(name) && row.idle(at).compareTo(UNTOLD) < 0;
                long most = untold
                        ? Math.min(store.room(), grant.bytes() + CacheBudget.ahead(store.room()))
                        : grant.bytes();
                shares.put(group, new Share(most, grant.pinned()));
            }
            numbers.put("bytes of " + name, (double) store.room());
            pool.storeTargets()
                    .wanted(name, shares, store.room())
                    .forEach((group, share) -> decided.add(DecisionWriter.decided(
                            JournalCommand.CACHE_TARGET,
                            group.toString(),
                            Map.of("bytes", (double) share.bytes(), "pinned", share.pinned() ? 1.0 : 0.0))));
        });
        if (!decided.isEmpty()) {
            journal.write(
                    pool,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(JournalKind.STORES_DIVIDED, pool.name(), Map.of("stores", (double)
                                    its.stores().size())),
                            decided,
                            "groups of entries have as much as their bytes are expected to save",
                            numbers));
        }
    }

    /** Bytes that a group would have in a store; empty where it is being made and nobody knows. */
    private static OptionalLong wanted(GroupRow row, String name, long room, Optional<Demand> demand) {
        long held = row.bytesIn(name);
        if (demand.filter(Demand::put).isPresent()) {
            return row.epochBytes() > 0
                    ? OptionalLong.of(Math.max(held, CacheBudget.whole(room, row.epochBytes())))
                    : OptionalLong.empty();
        }
        // entries of empty splits take no bytes; what has 0 bytes is dropped
        return OptionalLong.of(Math.max(1, held));
    }

    private static CacheGroup wanting(
            GroupRow row, String name, GroupName group, long want, Optional<Demand> demand, Instant at) {
        double secondsPerByte = row.recordBytes() > 0 && row.recordNanos() > 0
                ? Math.min(MOST_SECONDS_PER_BYTE, row.recordNanos() / 1e9 / row.recordBytes())
                : USUAL_SECONDS_PER_BYTE;
        return new CacheGroup(
                group.tenant(),
                group.prefix(),
                row.bytesIn(name),
                Math.max(row.bytesIn(name), want),
                secondsPerByte,
                demand.map(Demand::usesPerHour).orElse(0.0),
                demand.map(Demand::usesLeft).orElse(0.0),
                demand.isPresent() ? 0 : row.usesPerHour(),
                row.idle(at),
                row.storageSeconds(),
                row.pinned());
    }

    /** A worker is told how its store is divided, where it may not know. */
    private void tell(Pool pool, Place worker, String store, Instant at) {
        pool.storeTargets()
                .untold(store, worker, at)
                .ifPresent(shares -> out.command(CacheRecords.targets(worker, store, shares)));
    }
}
