package io.praline.worker.assignment;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignedSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * What became of every element that was assigned to one attempt:
 *
 * <pre>
 *   assigned = delivered + excluded + remainder + lost        lost is empty unless the engine broke its word
 * </pre>
 *
 * A split whose elements are all delivered is forgotten at once, so what is held does not grow with the attempt. Safe for
 * several threads.
 */
public final class Settlement {
    private final Map<Long, Row> rows = new TreeMap<>();

    /** Splits that were complete with nothing delivered or dropped, by ordinal: those without records, for the most part. */
    private final RoaringBitmap silent = new RoaringBitmap();

    private boolean abandoned;

    /** A split of which something is still open. */
    private static final class Row {
        private final AssignedSplit split;
        private final RoaringBitmap delivered = new RoaringBitmap();
        private final RoaringBitmap dropped = new RoaringBitmap();
        private RoaringBitmap skip;
        private long records = UNCOUNTED;
        private boolean openEnded;
        private boolean ended;
        private long came;

        Row(AssignedSplit split, RoaringBitmap skip) {
            this.split = split;
            this.skip = skip;
        }

        boolean complete() {
            return records != UNCOUNTED && accounted().getLongCardinality() >= records;
        }

        private RoaringBitmap accounted() {
            return RoaringBitmap.or(skip, delivered, dropped);
        }
    }

    private static final long UNCOUNTED = -1;

    /**
     * What came of the elements that were not delivered.
     *
     * @param remainder still owed: another attempt reads them again
     * @param filtered left out by the user's own transformations, which did not tell of each
     * @param tail left out with a short last batch, as the user wanted
     * @param bad could not be processed, and that is tolerated
     * @param lost should have come out and did not
     */
    public record Outcome(TicketSet remainder, TicketSet filtered, TicketSet tail, TicketSet bad, TicketSet lost) {}

    /**
     * A split is assigned, without the records it says to skip. Assigned again, it has what either assignment wants.
     */
    public synchronized void assigned(AssignedSplit split) {
        RoaringBitmap skip = skipOf(split);
        Row row = rows.get(split.getOrdinal());
        if (row == null) {
            rows.put(split.getOrdinal(), new Row(split, skip));
        } else {
            // what it wants of what came before comes once more
            row.delivered.and(skip);
            row.dropped.and(skip);
            row.skip = RoaringBitmap.and(row.skip, skip);
        }
    }

    /** Records of a split that are not wanted. */
    public static RoaringBitmap skipOf(AssignedSplit split) {
        RoaringBitmap skip = new RoaringBitmap();
        if (split.getSkip().hasRemaining()) {
            try {
                skip.deserialize(split.getSkip().duplicate());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return skip;
    }

    /** Elements of this split are not tracked: nothing is to be settled. */
    public synchronized void forget(long ordinal) {
        rows.remove(ordinal);
        notifyAll();
    }

    /** A split has this many records. */
    public synchronized void counted(long ordinal, long records) {
        Row row = rows.get(ordinal);
        if (row != null) {
            row.records = records;
            forgetIfComplete(ordinal, row);
            notifyAll();
        }
    }

    /** How many records a split has; empty where that is not known, or nothing of it is open. */
    public synchronized OptionalLong records(long ordinal) {
        Row row = rows.get(ordinal);
        return row == null || row.records == UNCOUNTED ? OptionalLong.empty() : OptionalLong.of(row.records);
    }

    /** Nobody can count this split beside the graph: {@link #countOpenEnded} does when all of it has come out. */
    public synchronized void openEnded(long ordinal) {
        Row row = rows.get(ordinal);
        if (row != null) {
            row.openEnded = true;
            notifyAll();
        }
    }

    /**
     * Counts the open-ended splits once the graph has ended: they have as many elements as their last one says that was
     * delivered, dropped, told to have come or is known otherwise. What was to be skipped says nothing: of a split that is to be
     * counted that is more than it has. One whose end was not told is not counted.
     *
     * @param known elements that came out and were not delivered
     * @return elements by ordinal
     */
    public synchronized NavigableMap<Long, Long> countOpenEnded(TicketSet known) {
        NavigableMap<Long, Long> counted = new TreeMap<>();
        rows.forEach((ordinal, row) -> {
            if (row.openEnded && row.ended) {
                RoaringBitmap all = known.recordsOf(ordinal);
                all.or(row.delivered);
                all.or(row.dropped);
                row.records = Math.max(row.came, all.isEmpty() ? 0 : Integer.toUnsignedLong(all.last()) + 1);
                counted.put(ordinal, row.records);
            }
        });
        counted.keySet().forEach(ordinal -> forgetIfComplete(ordinal, rows.get(ordinal)));
        return counted;
    }

    /** A batch with these elements is on its way to a client. */
    public synchronized void delivered(long[] tickets) {
        int at = 0;
        while (at < tickets.length) {
            int end = TicketRuns.endOfRun(tickets, at, tickets.length);
            long ordinal = Ticket.ordinal(tickets[at]);
            Row row = rows.get(ordinal);
            if (row == null) {
                throw new IllegalStateException("split " + ordinal + " was never assigned, and came out of the graph");
            }
            long first = Ticket.record(tickets[at]);
            row.delivered.add(first, first + (end - at));
            forgetIfComplete(ordinal, row);
            at = end;
        }
    }

    /**
     * Filters told that they dropped these.
     *
     * @return those of them that were still open
     */
    public synchronized TicketSet dropped(TicketSet tickets) {
        Map<Long, RoaringBitmap> news = new TreeMap<>();
        for (long ordinal : List.copyOf(rows.keySet())) {
            Row row = rows.get(ordinal);
            RoaringBitmap told = tickets.recordsOf(ordinal);
            told.andNot(row.accounted());
            if (!told.isEmpty()) {
                row.dropped.or(told);
                news.put(ordinal, told);
                forgetIfComplete(ordinal, row);
            }
        }
        return TicketSet.of(news);
    }

    /** An element came out of the reading of its split, whatever becomes of it. */
    public synchronized void came(long ticket) {
        Row row = rows.get(Ticket.ordinal(ticket));
        if (row != null) {
            row.came = Math.max(row.came, Ticket.record(ticket) + 1);
        }
    }

    /**
     * The elements of a split came out of the graph's reading to the last.
     *
     * @param atLeast as many as the last one says that came and was skipped; 0 where none was
     */
    public synchronized void ended(long ordinal, long atLeast) {
        Row row = rows.get(ordinal);
        if (row != null) {
            row.ended = true;
            row.came = Math.max(row.came, atLeast);
        }
    }

    /** Open-ended splits whose end was not told. */
    public synchronized List<Long> unended() {
        return rows.entrySet().stream()
                .filter(each -> each.getValue().openEnded && !each.getValue().ended)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void forgetIfComplete(long ordinal, Row row) {
        if (row.complete()) {
            rows.remove(ordinal);
            if (row.delivered.isEmpty() && row.dropped.isEmpty()) {
                silent.add(Math.toIntExact(ordinal));
            } else {
                silent.remove(Math.toIntExact(ordinal));
            }
        }
    }

    /** The attempt is stopped: nobody counts on, nobody need wait for it. */
    public synchronized void abandon() {
        abandoned = true;
        notifyAll();
    }

    /** Waits until the records of every split are counted, or known to be open-ended, or it is abandoned. */
    public synchronized void awaitCounted() throws InterruptedException {
        while (!abandoned && rows.values().stream().anyMatch(row -> row.records == UNCOUNTED && !row.openEnded)) {
            wait();
        }
    }

    /** Whether a split has elements that are neither skipped nor delivered, or may have. */
    public synchronized boolean isOpen(long ordinal) {
        return rows.containsKey(ordinal);
    }

    /**
     * Whether nothing of a split is open and some of it came out, so that the graph has read it. Of one without records it cannot
     * be said: it is closed as soon as somebody counts it, which may be before the graph opens it.
     */
    public synchronized boolean isRead(long ordinal) {
        return !rows.containsKey(ordinal) && !silent.contains(Math.toIntExact(ordinal));
    }

    /** Splits with elements that are neither skipped nor delivered, by ordinal. */
    public synchronized NavigableMap<Long, AssignedSplit> open() {
        NavigableMap<Long, AssignedSplit> open = new TreeMap<>();
        rows.forEach((ordinal, row) -> open.put(ordinal, row.split));
        return open;
    }

    /** The elements of counted splits that are neither skipped nor delivered. */
    public synchronized TicketSet undelivered() {
        Map<Long, RoaringBitmap> open = new TreeMap<>();
        rows.forEach((ordinal, row) -> {
            if (row.records > 0) {
                RoaringBitmap all = RoaringBitmap.bitmapOfRange(0, row.records);
                all.andNot(row.accounted());
                open.put(ordinal, all);
            }
        });
        return TicketSet.of(open);
    }

    /**
     * Says of every element that was neither delivered nor told to be dropped what became of it. To be called once all has
     * come out of the graph and all splits are counted.
     *
     * @param withheld to be read again: the short last batch that came out and was not delivered, what was lost with a bad record
     * @param unbatched told to be left out with batches that came short
     * @param bad known not to be processable, and tolerated
     * @param leaks whether the user's own transformations leave elements out without a word
     * @param deliverTail whether this attempt was to deliver the last elements of all
     */
    public Outcome settle(TicketSet withheld, TicketSet unbatched, TicketSet bad, boolean leaks, boolean deliverTail) {
        TicketSet open = undelivered();
        TicketSet shortOnes = open.and(unbatched);
        TicketSet owed = deliverTail ? open.and(withheld) : open.and(withheld).plus(shortOnes);
        TicketSet tail = deliverTail ? shortOnes : TicketSet.NONE;
        TicketSet missing = open.minus(owed).minus(tail);
        TicketSet badOpen = missing.and(bad);
        missing = missing.minus(badOpen);
        return leaks
                ? new Outcome(owed, missing, tail, badOpen, TicketSet.NONE)
                : new Outcome(owed, TicketSet.NONE, tail, badOpen, missing);
    }
}
