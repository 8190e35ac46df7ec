package io.praline.worker.attempt.entry;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignedSplit;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryInfo;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.caching.CachePoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.roaringbitmap.RoaringBitmap;

/**
 * The entries that stand in for an attempt's splits: looked up when a split is fed, leased until their elements came out. The
 * feeding thread's, but for the numbers and {@link #counted}.
 *
 * @see KeptSplits
 */
public final class CacheRoad implements AutoCloseable {
    private final CacheStore store;
    private final EntryGroup group;
    private final CachePoint point;
    private final int source;
    private final Settlement settlement;
    private final Deque<Leased> leases = new ArrayDeque<>(); // the oldest first; guarded by itself
    // what entries hold that stand in for splits, and has not come out; guarded by the leases
    private final Map<Long, RoaringBitmap> standing = new HashMap<>();
    private final AtomicLong splits = new AtomicLong();
    private final AtomicLong elements = new AtomicLong();

    /** A split may be fed again before all of it came out, and has two then. */
    private record Leased(long ordinal, CacheStore.Lease lease) {}

    /** @param source the number of the graph's queue of entries */
    CacheRoad(CacheStore store, EntryGroup group, CachePoint point, int source, Settlement settlement) {
        this.settlement = settlement;
        this.store = store;
        this.group = group;
        this.point = point;
        this.source = source;
    }

    /** The key of a split's entry, there or not; empty where it can have none. */
    Optional<EntryKey> key(AssignedSplit split) {
        return SplitKey.of(split, point, !store.shared()).map(this::key);
    }

    private EntryKey key(SplitKey split) {
        return new EntryKey(group, split.digest());
    }

    /** The same where another content could not have it too. */
    Optional<EntryKey> lastingKey(AssignedSplit split) {
        return SplitKey.of(split, point, !store.shared())
                .filter(its -> its.lasts(store.now()))
                .map(this::key);
    }

    /**
     * How many records a split has.
     *
     * @param as what lay there when they were counted
     */
    public record Counted(EntryKey as, long records) {}

    /** How many records a split has, if an entry says so. Any thread. */
    public Optional<Counted> counted(AssignedSplit split) {
        return key(split).flatMap(key -> store.info(key).map(info -> new Counted(key, info.records())));
    }

    /** Whether somebody else makes a split's entry just now, so that it will be there a little later. */
    public boolean comesSoon(AssignedSplit split) {
        return key(split).filter(store::beingMade).isPresent();
    }

    /** Feeds the entry of a split in its place; false where there is none. */
    boolean feed(AssignedSplit split, RunningGraph into) {
        Optional<CacheStore.Lease> found = key(split).flatMap(store::lease);
        if (found.isEmpty()) {
            return false;
        }
        CacheStore.Lease lease = found.get();
        release(into.entryQueueSize() + 1);
        EntryInfo info = lease.info();
        RoaringBitmap skip = Settlement.skipOf(split);
        RoaringBitmap dropped = RoaringBitmap.andNot(info.dropped(), skip);
        RoaringBitmap held = RoaringBitmap.bitmapOfRange(0, info.records());
        held.andNot(RoaringBitmap.or(skip, info.dropped()));
        long ordinal = split.getOrdinal();
        synchronized (leases) {
            leases.addLast(new Leased(ordinal, lease));
            standing.merge(ordinal, held, (one, other) -> RoaringBitmap.or(one, other));
        }
        into.enqueueEntry(
                new FeedSplit(
                        ordinal,
                        source,
                        List.of(lease.file().toString()),
                        0,
                        0,
                        1,
                        OptionalLong.of(info.elements()),
                        OptionalLong.empty(),
                        skip),
                dropped.stream().mapToLong(record -> Ticket.of(ordinal, record)).toArray());
        splits.incrementAndGet();
        return true;
    }

    /** A batch with these elements is about to be settled as delivered. */
    void delivered(long[] tickets) {
        long came = 0;
        synchronized (leases) {
            int at = 0;
            while (at < tickets.length && !standing.isEmpty()) {
                int end = TicketRuns.endOfRun(tickets, at, tickets.length);
                came += takeStanding(Ticket.ordinal(tickets[at]), Ticket.record(tickets[at]), end - at);
                at = end;
            }
        }
        elements.addAndGet(came);
    }

    private long takeStanding(long ordinal, long first, int count) {
        RoaringBitmap held = standing.get(ordinal);
        if (held == null) {
            return 0;
        }
        long came = held.rangeCardinality(first, first + count);
        held.remove(first, first + count);
        if (held.isEmpty()) {
            standing.remove(ordinal);
        }
        return came;
    }

    /**
     * Gives leases back of splits that the graph has read and all of whose elements came out or are not wanted. What it failed on
     * comes out in its turn, when it may have read other entries since.
     *
     * @param unread the newest leases, which the graph has not read to their end
     */
    private void release(long unread) {
        Set<Long> open = settlement.open().keySet();
        synchronized (leases) {
            long read = leases.size() - unread;
            Iterator<Leased> oldest = leases.iterator();
            for (long i = 0; i < read; i++) {
                Leased each = oldest.next();
                if (!open.contains(each.ordinal())) {
                    each.lease().close();
                    oldest.remove();
                    standing.remove(each.ordinal());
                }
            }
        }
    }

    /** Whether an entry that is leased is not whole any more, so that what the graph failed on may be that. */
    boolean broke() {
        synchronized (leases) {
            return leases.stream()
                            .filter(each -> !store.stillWhole(each.lease()))
                            .count()
                    > 0;
        }
    }

    /** Elements are missing, which may be an entry's fault. Whether any was read. */
    boolean doubt() {
        store.doubt();
        return splits.get() > 0;
    }

    /** Splits so far that entries stood in for. */
    long splits() {
        return splits.get();
    }

    /** Elements of theirs that came out in batches. */
    long elements() {
        return elements.get();
    }

    @Override
    public void close() {
        synchronized (leases) {
            leases.forEach(each -> each.lease().close());
            leases.clear();
        }
    }
}
