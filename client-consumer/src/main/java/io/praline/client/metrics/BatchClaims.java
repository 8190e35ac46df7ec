package io.praline.client.metrics;

import io.praline.identity.LaneKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.BatchUse;
import io.praline.schema.Use;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * What the loop has claimed and acknowledged of one frame, and what of that is not yet reported. A frame is taken apart
 * into parts that the loop gets one by one; a frame that is one batch has one part. Parts are claimed in order and
 * acknowledged in any.
 *
 * <p>A frame without tickets is reported only as a whole: half of it could not be named.
 *
 * <p>Owned by its stream's lock.
 */
public final class BatchClaims {
    private static final ByteBuffer NO_TICKETS = ByteBuffer.allocate(0).asReadOnlyBuffer();
    private static final int USE_OVERHEAD_BYTES = 16;

    private final LaneKey lane;
    private final long sequence;
    private final int parts;
    private final long[] tickets;
    private final long untrackedElements;
    private final BitSet freshAcks = new BitSet();
    private int claimed;
    private int claimsReported;
    private int acknowledged;
    private boolean dirty;

    /**
     * @param parts how many pieces the loop gets it in; at least 1
     * @param tickets of its elements, taken over; empty where the job is not tracked
     * @param untrackedElements how many elements it counts for where there are no tickets
     */
    public BatchClaims(LaneKey lane, long sequence, int parts, long[] tickets, long untrackedElements) {
        if (parts < 1) {
            throw new IllegalArgumentException("parts must be at least 1, is " + parts);
        }
        this.lane = lane;
        this.sequence = sequence;
        this.parts = parts;
        this.tickets = tickets;
        this.untrackedElements = untrackedElements;
    }

    /** Claims the next part and gives its number. */
    public int claim() {
        if (claimed == parts) {
            throw new IllegalStateException("all " + parts + " parts of " + lane + "/" + sequence + " are claimed");
        }
        return claimed++;
    }

    /** The loop is done with a part that it claimed. Once for each. */
    public void acknowledge(int part) {
        if (part >= claimed) {
            throw new IllegalStateException("part " + part + " of " + lane + "/" + sequence + " is not claimed");
        }
        freshAcks.set(part);
        acknowledged++;
    }

    /** How many parts the loop was given. */
    public int claimed() {
        return claimed;
    }

    public boolean tracked() {
        return tickets.length > 0;
    }

    /** The tickets of all parts, in order; not to be changed. */
    public long[] tickets() {
        return tickets;
    }

    /** Index of a part's first ticket. Where parts and tickets do not correspond, part 0 stands for all. */
    public int firstTicket(int part) {
        if (tickets.length == parts) {
            return part;
        }
        return part == 0 ? 0 : tickets.length;
    }

    /** How many elements a part counts for. */
    public long elements(int part) {
        if (tracked()) {
            return (long) firstTicket(part + 1) - firstTicket(part);
        }
        return part == 0 ? untrackedElements - (parts - 1) : 1;
    }

    /** The lane that it came on. */
    LaneKey lane() {
        return lane;
    }

    /** Its number in that lane. */
    long sequence() {
        return sequence;
    }

    /** Whether the loop was given all of it. */
    boolean isClaimed() {
        return claimed == parts;
    }

    /** Marks it as having something to report; false if it was marked. */
    boolean touch() {
        boolean first = !dirty;
        dirty = true;
        return first;
    }

    /** Adds all that is not yet reported and gives its size in bytes, about. */
    int drainTo(List<BatchUse> uses) {
        dirty = false;
        return tracked() ? drainTracked(uses) : drainUntracked(uses);
    }

    private int drainTracked(List<BatchUse> uses) {
        int bytes = 0;
        for (int from = freshAcks.nextSetBit(0); from >= 0; ) {
            int until = freshAcks.nextClearBit(from);
            bytes += add(uses, from, until, Use.ACKED);
            from = freshAcks.nextSetBit(until);
        }
        for (int from = freshAcks.nextClearBit(claimsReported); from < claimed; ) {
            int nextAck = freshAcks.nextSetBit(from);
            int until = nextAck < 0 ? claimed : Math.min(nextAck, claimed);
            bytes += add(uses, from, until, Use.CLAIMED);
            from = freshAcks.nextClearBit(until);
        }
        claimsReported = claimed;
        freshAcks.clear();
        return bytes;
    }

    private int drainUntracked(List<BatchUse> uses) {
        if (acknowledged == parts) {
            uses.add(use(untrackedElements, NO_TICKETS, Use.ACKED));
            return USE_OVERHEAD_BYTES;
        }
        if (claimed == parts && claimsReported < parts) {
            claimsReported = parts;
            uses.add(use(untrackedElements, NO_TICKETS, Use.CLAIMED));
            return USE_OVERHEAD_BYTES;
        }
        return 0;
    }

    private int add(List<BatchUse> uses, int fromPart, int untilPart, Use use) {
        int from = firstTicket(fromPart);
        int until = untilPart == parts ? tickets.length : firstTicket(untilPart);
        if (from == until) {
            return 0;
        }
        byte[] runs = TicketRuns.encode(tickets, from, until);
        uses.add(use(until - from, ByteBuffer.wrap(runs), use));
        return runs.length + USE_OVERHEAD_BYTES;
    }

    private BatchUse use(long elements, ByteBuffer runs, Use use) {
        return new BatchUse(
                lane.attempt().epoch(), lane.attempt().attempt(), sequence, elements, runs, use, lane.generation());
    }
}
