package io.praline.worker.delivery;

import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

/**
 * The elements of a lane's batches as they come, until the accounts have them: at about a bit for each, in pieces of some
 * {@value #PIECE}, of which each goes when all of its batches are confirmed. So what is held does not grow with the attempt.
 * Untracked ones leave none. Guarded by the outbox's lock.
 */
final class TicketTrail {
    /** Large enough that the pieces of what is under way are few, small enough that what is held beyond that is little. */
    static final int PIECE = 1 << 16;

    /** Of a client that confirms nothing the oldest become one: each costs something for every split that is in it. */
    static final int MOST_PIECES = 64;

    private final Deque<Piece> full = new ArrayDeque<>();
    private Piece newest = new Piece();

    /** Elements of batches that follow each other. */
    private static final class Piece {
        // the other 64-bit bitmap of the library takes milliseconds for a run of two, here on an event loop
        private final Roaring64NavigableMap tickets = new Roaring64NavigableMap();

        // the newest run, which most often goes on with the next batch: it costs nothing then
        private long first;
        private long end;
        private long elements;
        private long through = -1;

        void add(long sequence, ByteBuffer runs) {
            through = sequence;
            TicketRuns.forEachRun(runs, (from, length) -> {
                if (from != end) {
                    flush();
                    first = from;
                }
                end = from + length;
                elements += length;
            });
        }

        private void flush() {
            if (end - first == 1) {
                tickets.addLong(first);
            } else if (end > first) {
                tickets.addRange(first, end);
            }
        }

        Roaring64NavigableMap all() {
            flush();
            return tickets;
        }
    }

    /**
     * A batch of these elements is sent.
     *
     * @param sequence its number in the lane, which is higher than those before
     * @param runs as {@link TicketRuns}
     */
    void add(long sequence, ByteBuffer runs) {
        newest.add(sequence, runs);
        if (newest.elements >= PIECE) {
            full.add(newest);
            newest = new Piece();
            if (full.size() > MOST_PIECES) {
                Piece oldest = full.remove();
                oldest.all().or(full.element().all());
                oldest.through = full.remove().through;
                full.addFirst(oldest);
            }
        }
    }

    /** The accounts have all batches up to and with this one. */
    void confirmed(long through) {
        while (!full.isEmpty() && full.element().through <= through) {
            full.remove();
        }
        if (newest.through <= through && newest.elements > 0) {
            newest = new Piece();
        }
    }

    /** Bytes that they take, about. */
    long bytes() {
        return full.stream()
                        .mapToLong(piece -> piece.tickets.getLongSizeInBytes())
                        .sum()
                + newest.tickets.getLongSizeInBytes();
    }

    /** All of them that are not confirmed, and some that are; nothing is added any more. */
    Roaring64NavigableMap all() {
        Roaring64NavigableMap all = newest.all();
        full.forEach(piece -> all.or(piece.all()));
        return all;
    }
}
