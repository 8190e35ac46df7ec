package io.praline.worker.attempt.entry;

import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.schema.AssignedSplit;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.entry.CacheRoad.Counted;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.EngineTensor;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.caching.EntryLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entries that an attempt makes of the splits that it computes: elements come by a thread of its own, from the graph, as
 * they pass the cache point; an entry is there when all records of its split have passed or are known to be dropped. What
 * goes wrong costs the entry only.
 */
public final class KeptSplits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeptSplits.class);

    /**
     * Elements are taken from the graph some at a time: to ask for them takes as long as to write some of them. These fill an
     * eighth of the queue in which they wait, or a quarter where nobody knows how large they are.
     */
    private static final int HANDFUL_BYTES = 4 << 20;

    private static final int MOST_OF_A_HANDFUL = 64;
    private static final int HANDFUL_OF_ANY_SIZE = 16;

    /** So long an entry may be there later than it could. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final CacheStore store;
    private final Function<AssignedSplit, Optional<EntryKey>> keys;
    // all guarded by this
    private final Map<Long, Kept> open = new HashMap<>();
    private final Map<Long, Counted> counted = new HashMap<>(); // of splits that were not begun yet
    private final RoaringBitmap begun = new RoaringBitmap();

    private boolean ending; // guarded by this
    private final AtomicLong stored = new AtomicLong();

    private static final class Kept {
        private final EntryKey key;
        private final AssignedSplit split;
        private final EntryMaking making;
        private final RoaringBitmap dropped = new RoaringBitmap();
        private final RoaringBitmap passed = new RoaringBitmap();
        private OptionalLong records = OptionalLong.empty();

        Kept(EntryKey key, AssignedSplit split, EntryMaking making) {
            this.key = key;
            this.split = split;
            this.making = making;
        }

        boolean whole() {
            return records.isPresent()
                    && passed.getLongCardinality() + dropped.getLongCardinality() >= records.getAsLong();
        }
    }

    /** @param keys of splits as they lie there now */
    KeptSplits(CacheStore store, Function<AssignedSplit, Optional<EntryKey>> keys) {
        this.store = store;
        this.keys = keys;
    }

    /**
     * A split is about to be computed. It is kept if it is assigned whole, and if the store takes it.
     *
     * @return false where it is left to whoever has begun its entry a moment before
     */
    boolean begins(AssignedSplit split, EntryKey key) {
        if (split.getSkip().hasRemaining()) {
            forget(split.getOrdinal());
            return true;
        }
        synchronized (this) {
            if (open.containsKey(split.getOrdinal())) {
                return true;
            }
        }
        Optional<EntryMaking> making = store.make(key);
        if (making.isEmpty() && store.beingMade(key)) {
            return false;
        }
        synchronized (this) {
            making.ifPresent(made -> open.put(split.getOrdinal(), new Kept(key, split, made)));
            // it may have been counted before
            Optional.ofNullable(counted.get(split.getOrdinal()))
                    .ifPresent(before -> counted(split.getOrdinal(), before));
            forget(split.getOrdinal());
        }
        return true;
    }

    /** A split is begun, or needs no entry. */
    synchronized void forget(long ordinal) {
        counted.remove(ordinal);
        begun.add(Math.toIntExact(ordinal));
    }

    /** A split has so many records, those that it was counted to have: of another content it may have others. */
    synchronized void counted(long ordinal, Counted records) {
        Kept kept = open.get(ordinal);
        if (kept != null && kept.key.equals(records.as())) {
            kept.records = OptionalLong.of(records.records());
            publishIfWhole(ordinal, kept);
        } else if (!begun.contains(Math.toIntExact(ordinal))) {
            counted.put(ordinal, records);
        }
    }

    /** Filters before the cache point dropped these. */
    synchronized void dropped(TicketSet tickets) {
        for (long ordinal : List.copyOf(open.keySet())) {
            RoaringBitmap told = tickets.recordsOf(ordinal);
            if (!told.isEmpty()) {
                Kept kept = open.get(ordinal);
                kept.dropped.or(told);
                publishIfWhole(ordinal, kept);
            }
        }
    }

    private void publishIfWhole(long ordinal, Kept kept) {
        if (!kept.whole()) {
            return;
        }
        open.remove(ordinal);
        // a file that was changed while it was read is neither the one that the key names nor the other one
        boolean same = keys.apply(kept.split).filter(kept.key::equals).isPresent();
        if (!same) {
            kept.making.close();
        } else if (kept.making.publish(kept.dropped)) {
            stored.incrementAndGet();
        }
    }

    /** Takes elements from the graph until it ends or is cancelled. */
    public Thread start(RunningGraph from, AttemptKey attempt) {
        Thread keeping = new Thread(() -> keep(from), "keep " + attempt);
        keeping.setDaemon(true);
        keeping.start();
        return keeping;
    }

    private void keep(RunningGraph from) {
        int handful = handful(from.keeps().orElseThrow());
        long since = System.nanoTime();
        try {
            OptionalInt came = keepNext(from);
            while (came.isPresent()) {
                long now = System.nanoTime();
                if (came.getAsInt() < handful) {
                    awaitMore(Math.min(LONGEST_PAUSE_NANOS, (now - since) / Math.max(1, came.getAsInt()) * handful));
                }
                since = now;
                came = keepNext(from);
            }
        } catch (CancellationException stopped) {
            LOG.debug("nobody wants the attempt's elements any more");
        } catch (EngineFailure broken) {
            LOG.debug("the graph broke: {}", broken.getMessage()); // whoever pulls from it says so
        }
    }

    /** Takes the elements that are there, and waits for some; how many came, empty where none come any more. */
    public OptionalInt keepNext(RunningGraph from) {
        Optional<EngineBatch> next = from.kept();
        if (next.isEmpty()) {
            return OptionalInt.empty();
        }
        try (EngineBatch elements = next.get()) {
            addOrGiveUp(from.keeps().orElseThrow(), elements);
            return OptionalInt.of(elements.tickets().length);
        }
    }

    private static int handful(EntryLayout layout) {
        return layout.varying() > 0
                ? HANDFUL_OF_ANY_SIZE
                : Math.max(1, Math.min(MOST_OF_A_HANDFUL, HANDFUL_BYTES / Math.max(1, layout.headEnd())));
    }

    /** As long as a handful took to come by the pace of those that came last. */
    private synchronized void awaitMore(long nanos) {
        try {
            if (!ending) {
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            }
        } catch (InterruptedException goesOn) {
            Thread.currentThread().interrupt();
        }
    }

    /** No more elements come than those that wait. */
    public synchronized void ends() {
        ending = true;
        notifyAll();
    }

    /** Elements are taken whatever becomes of entries: the graph would wait for room in the queue for ever. */
    private void addOrGiveUp(EntryLayout layout, EngineBatch elements) {
        try {
            add(layout, elements);
        } catch (RuntimeException broken) {
            LOG.error("elements cannot be kept", broken);
            close();
        }
    }

    private synchronized void add(EntryLayout layout, EngineBatch elements) {
        long[] tickets = elements.tickets();
        List<ByteBuffer> fields =
                elements.tensors().stream().map(EngineTensor::bytes).toList();
        for (int i = 0; i < tickets.length; i++) {
            long ordinal = Ticket.ordinal(tickets[i]);
            Kept kept = open.get(ordinal);
            if (kept == null) {
                continue;
            }
            int record = Math.toIntExact(Ticket.record(tickets[i]));
            if (kept.passed.contains(record)) {
                continue; // it is read once more, since it was lost behind the point
            }
            RecordOfElement element = new RecordOfElement(layout, fields, tickets.length, i, record);
            if (kept.making.add(element)) {
                kept.passed.add(record);
                publishIfWhole(ordinal, kept);
            } else {
                open.remove(ordinal);
            }
        }
    }

    /** Entries that were made. */
    long stored() {
        return stored.get();
    }

    /** Gives up what is not whole. */
    @Override
    public synchronized void close() {
        open.values().forEach(kept -> kept.making.close());
        open.clear();
        counted.clear();
    }
}
