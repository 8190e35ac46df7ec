package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.GraphRecords;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.PastRow;
import io.praline.dispatcher.ledger.TenantRow;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.Variant;
import io.praline.schema.PlanCompleted;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is over goes, step by step: an ended job's rows after an hour; what topics tell of it, and the right to its id, when no
 * topic has a record of it any more; a pool when nobody is in it; what a tenant spent when it had no job for as long; a graph with the last job of the pool that had it. Owned by
 * the stream thread.
 */
final class Garbage {
    private final Ledger ledger;
    private final ProtocolLimits limits;
    private final Pools pools;
    private final Outgoing out;
    private final SortedMap<String, PastRow> past = new TreeMap<>();

    Garbage(Ledger ledger, ProtocolLimits limits, Pools pools, Outgoing out) {
        this.ledger = ledger;
        this.limits = limits;
        this.pools = pools;
        this.out = out;
    }

    /** A job that a dispatcher before forgot. */
    void restore(String job, PastRow row) {
        past.put(job, row);
    }

    /** Whether the id is that of a job of which topics still tell. */
    boolean isPast(String job) {
        return past.containsKey(job);
    }

    /** The pool of a job that is past, which time makes forgotten; empty where there is none. */
    Optional<String> anyPool() {
        return past.values().stream()
                .map(PastRow::pool)
                .filter(pool -> !pool.equals(RowRecords.NO_POOL))
                .findFirst();
    }

    /** The plan of a job that is past came after all: the graph that its worker wrote down goes with it. */
    void planned(String job, String digest) {
        PastRow row = past.get(job);
        if (!digest.isEmpty() && !row.graphs().contains(digest)) {
            PastRow more = row.with(digest);
            ledger.savePast(job, more);
            past.put(job, more);
        }
    }

    /** Nothing is kept of an ended job but that there was one. */
    void forget(Job job, Instant at) {
        PastRow row = new PastRow(at, job.row().localTarget().host(), job.pool(), List.copyOf(graphs(job)));
        pools.remove(job);
        ledgerGone(job);
        ledger.dropJob(job.id());
        ledger.savePast(job.id(), row);
        past.put(job.id(), row);
    }

    /** Of complete epochs nothing is on the topic. */
    private void ledgerGone(Job job) {
        int pages = job.row().planning().pages();
        LedgerRecords.filesKeys(job.id(), pages).forEach(out::ledgerPageGone);
        job.epochs().forEach((number, epoch) -> {
            if (!epoch.row().complete()) {
                LedgerRecords.closedKeys(job.id(), number, pages).forEach(out::ledgerPageGone);
            }
        });
    }

    /** Topics tell of past jobs no more, when they have been past for long enough. */
    void collect(Instant at) {
        List<String> due = past.entrySet().stream()
                .filter(each ->
                        Duration.between(each.getValue().forgotten(), at).compareTo(limits.pastKept()) > 0)
                .filter(each -> !graphsUnderWay(each.getValue().pool()))
                .map(each -> each.getKey())
                .toList();
        for (String job : due) {
            PastRow row = past.remove(job);
            ledger.dropPast(job);
            out.forgotten(job);
            row.localHost().ifPresent(host -> out.nobodys(CommandWriter.subject(job, host)));
            graphsGone(row.pool(), row.graphs());
        }
        for (Pool pool : List.copyOf(pools.all())) {
            tenants(pool, at);
            if (!graphsUnderWay(pool.name())) {
                graphsGone(pool.name(), ledger.proved(pool.name()).dropOld());
            }
            if (pool.deserted() && pool.stores().groups().isEmpty()) {
                pool.stores().save(ledger, pool.name()); // the last of them may have gone just now
                graphsGone(pool.name(), ledger.proved(pool.name()).dropAll());
                pools.remove(pool);
                ledger.dropPool(pool.name());
                out.poolGone(pool.name());
                out.nobodys(CommandWriter.subject(pool.name()));
            }
        }
    }

    /** Digests of the graphs that the job's tasks read, or may have read. */
    private static Set<String> graphs(Job job) {
        Set<String> graphs = new TreeSet<>();
        job.outline().plan().map(PlanCompleted::getPipelineDigest).ifPresent(graphs::add);
        job.order().state().flatMap(OrderState::variant).map(Variant::digest).ifPresent(graphs::add);
        graphs.addAll(job.order().graphs());
        graphs.remove("");
        return graphs;
    }

    /** Whether a worker of the pool may be writing a graph of which nobody has heard: of a plan, or of another order. */
    private boolean graphsUnderWay(String pool) {
        return pools.all().stream()
                .filter(each -> each.name().equals(pool))
                .anyMatch(each -> !each.unplanned().isEmpty()
                        || each.jobs().values().stream()
                                .anyMatch(job -> job.order().asked().isPresent()));
    }

    /** What was known of these graphs goes, but for those that another job of the pool has, or will begin with. */
    private void graphsGone(String pool, Collection<String> graphs) {
        if (graphs.isEmpty()) {
            return;
        }
        Set<String> gone = new TreeSet<>(graphs);
        gone.removeAll(ledger.proved(pool).digests());
        pools.all().stream()
                .filter(each -> each.name().equals(pool))
                .flatMap(each -> each.jobs().values().stream())
                .forEach(job -> gone.removeAll(graphs(job)));
        past.values().stream()
                .filter(other -> other.pool().equals(pool))
                .forEach(other -> gone.removeAll(other.graphs()));
        for (String digest : gone) {
            GraphRecords.keys(pool, digest).forEach(out::graphGone);
        }
    }

    private void tenants(Pool pool, Instant at) {
        for (String tenant : List.copyOf(pool.tenants().keySet())) {
            TenantRow row = pool.tenant(tenant);
            boolean there = pool.jobs().values().stream()
                    .anyMatch(job -> job.submit().getTenant().equals(tenant));
            boolean old = row.lastJob()
                    .filter(last -> Duration.between(last, at).compareTo(limits.pastKept()) > 0)
                    .isPresent();
            if (!there && old) {
                pool.forgetTenant(tenant);
                ledger.dropTenant(pool.name(), tenant);
            } else if (row.lastJob().isEmpty()
                    || (there && !row.lastJob().get().plus(Duration.ofDays(1)).isAfter(at))) {
                pool.tenant(tenant, row.withLastJob(at));
            }
        }
    }
}
