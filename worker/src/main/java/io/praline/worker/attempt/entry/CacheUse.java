package io.praline.worker.attempt.entry;

import io.praline.schema.AssignedSplit;
import io.praline.schema.CacheOrder;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.engine.BatchMemory;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.caching.PlainBatches;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.metrics.AttemptReport;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * What an attempt has to do with a store: entries stand in for its splits, and where it was told so it makes those that are
 * missing.
 *
 * @param at the point in its graph
 * @param batches what follows behind the point, where that is batches and nothing else
 */
public record CacheUse(
        TaskSettings.CacheAt at, CacheRoad road, Optional<KeptSplits> kept, Optional<PlainBatches> batches)
        implements AutoCloseable {

    /** As the attempt was told; empty where it was told nothing, where this worker has no store, or finds another prefix. */
    public static Optional<CacheUse> of(
            StartAttempt order, KnownPipeline pipeline, Optional<CacheStore> store, Settlement settlement) {
        Optional<CacheOrder> told = order.getCache();
        if (told.isEmpty() || store.isEmpty() || !pipeline.tracked(order.getGuarantee())) {
            return Optional.empty();
        }
        CachePoints points = CachePoints.of(pipeline.graph(), pipeline.analysis(), order.getSeed());
        return points.point(told.get().getPoint())
                .filter(point -> point.prefix().equals(told.get().getPrefix()))
                .map(point -> of(told.get(), point, pipeline, store.get(), settlement));
    }

    private static CacheUse of(
            CacheOrder told, CachePoint point, KnownPipeline pipeline, CacheStore store, Settlement settlement) {
        EntryGroup group = new EntryGroup(told.getTenant(), point.prefix());
        CacheRoad road =
                new CacheRoad(store, group, point, pipeline.analysis().sources().size(), settlement);
        return new CacheUse(
                new TaskSettings.CacheAt(point.node(), told.getPut()),
                road,
                told.getPut() ? Optional.of(new KeptSplits(store, road::key)) : Optional.empty(),
                PlainBatches.behind(pipeline.graph(), point.node()));
    }

    /**
     * What runs the attempt: a session, which is not made before a split must be computed where entries need none.
     *
     * @param session makes it
     * @param rooms memory that clients see, see {@link BatchMemory}
     */
    public RunningGraph running(
            Supplier<RunningGraph> session, Cancellation cancellation, IntFunction<Optional<BatchMemory.Block>> rooms) {
        return batches.<RunningGraph>map(each -> new BatchedEntries(
                        each, at.keeps(), session, cancellation, new BatchMemory(each.bytes(), rooms)))
                .orElseGet(session);
    }

    /** What became of a split that was to be fed. */
    public enum Fed {
        ITS_ENTRY,
        ITSELF,
        /** Somebody makes its entry. */
        NOT_NOW
    }

    /** A split is about to be computed; false where it is left to whoever makes its entry. */
    private boolean computes(AssignedSplit split, boolean free) {
        if (kept.isEmpty()) {
            return true;
        }
        Optional<EntryKey> key = free ? road.lastingKey(split) : Optional.empty();
        if (key.isEmpty()) {
            kept.get().forget(split.getOrdinal());
            return true;
        }
        return kept.get().begins(split, key.get());
    }

    /**
     * Feeds a split, by its entry where there is one.
     *
     * @param there waits until what the split reads is at hand, where it has none
     * @param free whether nobody made its entry a moment ago; else it is computed whoever does
     */
    public Fed enqueue(AssignedSplit split, FeedSplit feed, RunningGraph into, Runnable there, boolean free) {
        if (road.feed(split, into)) {
            kept.ifPresent(all -> all.forget(split.getOrdinal()));
            return Fed.ITS_ENTRY;
        }
        if (!computes(split, free)) {
            return Fed.NOT_NOW;
        }
        there.run(); // others leave it alone by now, however long it takes to come
        into.enqueue(feed);
        return Fed.ITSELF;
    }

    /** What a split's entry is called by what lies there now; empty where none is made of it. */
    public Optional<EntryKey> keptAs(AssignedSplit split) {
        return kept.isPresent() ? road.key(split) : Optional.empty();
    }

    /**
     * A split has so many records.
     *
     * @param as what was kept of what lay there before it was counted
     */
    public void counted(AssignedSplit split, long records, Optional<EntryKey> as) {
        kept.ifPresent(
                all -> as.filter(key -> road.key(split).filter(key::equals).isPresent())
                        .ifPresent(key -> all.counted(split.getOrdinal(), new CacheRoad.Counted(key, records))));
    }

    /** Filters before the cache point dropped these. */
    public void dropped(TicketSet tickets) {
        kept.ifPresent(all -> all.dropped(tickets));
    }

    /** A batch with these elements is about to be settled as delivered. */
    public void delivered(long[] tickets) {
        road.delivered(tickets);
    }

    /** Whether what the graph failed on may be an entry that is not whole any more. */
    public boolean broke() {
        return road.broke();
    }

    /** Whether elements that did not come out may be missing in an entry. */
    public boolean doubt() {
        return road.doubt();
    }

    /** What came of it so far. */
    public AttemptReport.Cached totals() {
        long stored = kept.map(KeptSplits::stored).orElse(0L);
        return new AttemptReport.Cached(road.elements(), road.splits(), stored);
    }

    @Override
    public void close() {
        road.close();
        kept.ifPresent(KeptSplits::close);
    }
}
