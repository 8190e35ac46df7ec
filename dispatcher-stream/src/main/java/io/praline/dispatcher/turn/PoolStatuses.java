package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.PoolRecords;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.ledger.TenantRow;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.policy.PolicyState;
import io.praline.schema.PoolShare;
import io.praline.schema.PoolStatus;
import io.praline.schema.PoolTenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells what is public about pools, as time passes. What was told is in memory alone: whoever takes over tells it again. Owned
 * by the stream thread.
 */
final class PoolStatuses {
    /** Money flows all the time. */
    private static final Duration MONEY_EVERY = Duration.ofSeconds(5);

    /** Jobs that are told one by one: a record has an end. */
    private static final int MOST_SHARES = 1_000;

    /** Tenants that are told, likewise: those with jobs first, then those that have spent most. */
    private static final int MOST_TENANTS = 4_000;

    private final WallTime wall;
    private final Outgoing out;
    private final Map<String, PoolStatus> told = new TreeMap<>();

    PoolStatuses(WallTime wall, Outgoing out) {
        this.wall = wall;
        this.out = out;
    }

    /** Tells the pool's status where it is another one. */
    void tell(Pool pool, Instant at) {
        if (pool.name().equals(RowRecords.NO_POOL)) {
            return;
        }
        PoolStatus now = status(pool, at);
        PoolStatus before = told.get(pool.name());
        if (before == null || !same(before, now)) {
            told.put(pool.name(), now);
            out.pool(now);
        }
    }

    /** Nobody is in them any more but in these. */
    void keep(Pools pools) {
        told.keySet().removeIf(name -> pools.all().stream()
                .noneMatch(pool -> pool.name().equals(name)));
    }

    /** Whether nothing is to be told, as all is as it was but the time, or money not for long. */
    private static boolean same(PoolStatus before, PoolStatus now) {
        boolean lately = now.getChangedAtMillis() - before.getChangedAtMillis() < MONEY_EVERY.toMillis();
        return lately ? PoolRecords.alikeButForMoney(before, now) : PoolRecords.alike(before, now);
    }

    private PoolStatus status(Pool pool, Instant at) {
        int present = 0;
        int draining = 0;
        for (KnownWorker worker : pool.workers().values()) {
            if (worker.row().onlyFor().isEmpty()) {
                present++;
                draining += worker.row().draining() ? 1 : 0;
            }
        }
        SortedMap<String, List<Job>> byTenant = new TreeMap<>();
        pool.tenants().forEach((tenant, row) -> {
            if (row.capped() || row.spentByEnded() > 0) {
                byTenant.put(tenant, new ArrayList<>());
            }
        });
        for (Job job : pool.open()) {
            byTenant.computeIfAbsent(job.submit().getTenant(), none -> new ArrayList<>())
                    .add(job);
        }
        List<PoolTenant> tenants = new ArrayList<>();
        int left = MOST_SHARES;
        leave(byTenant, pool);
        for (Map.Entry<String, List<Job>> each : byTenant.entrySet()) {
            PoolTenant tenant = tenant(each.getKey(), pool.tenant(each.getKey()), each.getValue(), left, at);
            left -= tenant.getShares().size();
            tenants.add(tenant);
        }
        return PoolRecords.status(
                pool.name(),
                new PoolRecords.Size(pool.row().target(), pool.row().most(), present, draining, pool.slotsThatServe()),
                tenants,
                wall.of(at));
    }

    /** Leaves those that are told. */
    private static void leave(SortedMap<String, List<Job>> byTenant, Pool pool) {
        if (byTenant.size() > MOST_TENANTS) {
            byTenant.keySet()
                    .retainAll(byTenant.entrySet().stream()
                            .sorted(Comparator.<Map.Entry<String, List<Job>>>comparingInt(
                                            each -> -each.getValue().size())
                                    .thenComparingDouble(
                                            each -> -pool.tenant(each.getKey()).spentByEnded()))
                            .limit(MOST_TENANTS)
                            .map(Map.Entry::getKey)
                            .collect(Collectors.toSet()));
        }
    }

    private static PoolTenant tenant(String name, TenantRow row, List<Job> jobs, int most, Instant at) {
        double spent = row.spentByEnded();
        List<PoolShare> shares = new ArrayList<>();
        for (Job job : jobs) {
            PolicyState state = job.leading().state();
            spent += state.spentUntil(at);
            shares.add(PoolRecords.share(job.outline(), job.wanted(), state.granted()));
        }
        return PoolRecords.tenant(name, row, spent, shares, most);
    }
}
