package io.praline.dispatcher.ledger.epoch;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Elements by the split they belong to.
 *
 * @param bySplit record indexes by ordinal; not to be changed
 */
public record Elements(SortedMap<Long, RoaringBitmap> bySplit) {
    /** More than any message holds that is not made to hurt. */
    public static final long MOST = 64L << 20;

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
        requireFew(TicketRuns.count(runs));
        SortedMap<Long, RoaringBitmap> bySplit = new TreeMap<>();
        TicketRuns.forEachRun(runs, (first, length) -> {
            long from = Ticket.record(first);
            if (first < 0 || from + length > SplitRow.MAX_RECORDS) {
                throw new IllegalArgumentException("ticket " + (first + length - 1) + " is none");
            }
            bySplit.computeIfAbsent(Ticket.ordinal(first), none -> new RoaringBitmap())
                    .add(from, from + length);
        });
        return new Elements(bySplit);
    }

    /**
     * Nothing where a message may name so many.
     *
     * @throws IllegalArgumentException if these are more than all parts of a message may name together
     */
    public static void requireFew(long tickets) {
        if (tickets > MOST) {
            throw new IllegalArgumentException("a message must not name more than " + MOST + " tickets");
        }
    }

    public long count() {
        return bySplit.values().stream()
                .mapToLong(RoaringBitmap::getLongCardinality)
                .sum();
    }
}
