package io.praline.client.stream;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * Which elements of an epoch came, and how many came again. Small splits share bitmaps, so that a million of them cost a
 * few bytes each:
 *
 * <pre>
 *   record &lt; 4096:  dense = ordinal &lt;&lt; 12 | record
 *   else:           wide  = ticket
 *   bitmap          = by the high 32 bits of either, holding the low ones
 * </pre>
 */
final class SeenTickets {
    private static final int DENSE_BITS = 12;
    private static final long DENSE_RECORDS = 1L << DENSE_BITS;

    private final Map<Long, RoaringBitmap> dense = new HashMap<>();
    private final Map<Long, RoaringBitmap> wide = new HashMap<>();
    private long distinct;
    private long duplicates;

    /** Adds the tickets from {@code from} (inclusive) to {@code until} (exclusive), neighbours at once. */
    void add(long[] tickets, int from, int until) {
        int at = from;
        while (at < until) {
            int end = TicketRuns.endOfRun(tickets, at, until);
            addRun(tickets[at], end - at);
            at = end;
        }
    }

    long distinct() {
        return distinct;
    }

    long duplicates() {
        return duplicates;
    }

    private void addRun(long first, long length) {
        long at = first;
        long end = first + length;
        while (at < end) {
            long record = Ticket.record(at);
            if (record < DENSE_RECORDS) {
                long run = Math.min(end - at, DENSE_RECORDS - record);
                addRange(dense, (Ticket.ordinal(at) << DENSE_BITS) | record, run);
                at += run;
            } else {
                long run = Math.min(end - at, (1L << Ticket.RECORD_BITS) - record);
                addRange(wide, at, run);
                at += run;
            }
        }
    }

    private void addRange(Map<Long, RoaringBitmap> bitmaps, long first, long length) {
        long at = first;
        long rest = length;
        while (rest > 0) {
            RoaringBitmap bitmap = bitmaps.computeIfAbsent(at >>> 32, high -> new RoaringBitmap());
            long low = at & 0xFFFF_FFFFL;
            long run = Math.min(rest, (1L << 32) - low);
            long fresh = run == 1 ? (bitmap.checkedAdd((int) low) ? 1 : 0) : addRange(bitmap, low, run);
            distinct += fresh;
            duplicates += run - fresh;
            at += run;
            rest -= run;
        }
    }

    private static long addRange(RoaringBitmap bitmap, long low, long run) {
        long known = bitmap.rangeCardinality(low, low + run);
        bitmap.add(low, low + run);
        return run - known;
    }
}
