package io.praline.dispatcher.ledger;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.roaringbitmap.RoaringBitmap;

/**
 * Elements by the split they belong to.
 *
 * @param bySplit record indexes by ordinal; not to be changed
 */
public record Elements(SortedMap<Long, RoaringBitmap> bySplit) {
    /** More than any message holds that is not made to hurt. */
    private static final long MOST = 64L << 20;

    /** No element at all. */
    public static final Elements NONE = new Elements(Collections.emptySortedMap());

    /**
     * The elements of runs of tickets.
     *
     * @throws IllegalArgumentException if they cannot be read, or name a record that no split can hold
     */
    public static Elements of(ByteBuffer runs) {
        if (!runs.hasRemaining()) {
            return NONE;
        }
        long count = TicketRuns.count(runs);
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException("a message must not name more than " + MOST + " tickets");
        }
        Collector collector = new Collector();
        TicketRuns.forEach(runs, collector);
        collector.flush();
        return new Elements(collector.bySplit);
    }

    public long count() {
        return bySplit.values().stream()
                .mapToLong(RoaringBitmap::getLongCardinality)
                .sum();
    }

    /** Puts neighbours together, so that a bitmap takes them as one range. */
    private static final class Collector implements LongConsumer {
        private final SortedMap<Long, RoaringBitmap> bySplit = new TreeMap<>();
        private long first;
        private long next;

        @Override
        public void accept(long ticket) {
            if (ticket != next || Ticket.record(ticket) == 0) {
                flush();
                first = ticket;
            }
            next = ticket + 1;
        }

        void flush() {
            if (next == first) {
                return;
            }
            long ordinal = Ticket.ordinal(first);
            long from = Ticket.record(first);
            long until = from + (next - first);
            if (first < 0 || until > SplitRow.MAX_RECORDS) {
                throw new IllegalArgumentException("ticket " + (next - 1) + " is none");
            }
            bySplit.computeIfAbsent(ordinal, none -> new RoaringBitmap()).add(from, until);
            first = next;
        }
    }
}
