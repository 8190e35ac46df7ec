package io.praline.identity;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Tickets in the order they have in a batch, as runs of neighbours:
 *
 * <pre>
 *   runs  = run*
 *   run   = zigzag varint (first ticket of the run - last ticket of the run before, 0 at the start)
 *           varint        (how many tickets follow one another from there, at least 1)
 * </pre>
 *
 * Varints are little-endian groups of seven bits, the high bit set on all but the last, as in Protocol Buffers. A
 * batch of neighbours takes a few bytes whatever its size; a shuffled one about five bytes an element.
 */
public final class TicketRuns {
    /** Records of one split have neighbouring tickets, those of two never: no run is longer than a split may be. */
    private static final long LONGEST = 1L << Ticket.RECORD_BITS;

    private static final byte[] NONE = {};

    private TicketRuns() {}

    /** The runs of these tickets, in their order. */
    public static byte[] encode(long[] tickets) {
        return encode(tickets, 0, tickets.length);
    }

    /** Behind the last of the tickets before {@code until} that follow one another from {@code from} on. */
    public static int endOfRun(long[] tickets, int from, int until) {
        int end = from + 1;
        while (end < until && tickets[end] == tickets[end - 1] + 1) {
            end++;
        }
        return end;
    }

    /** The runs of the tickets from {@code from} (inclusive) to {@code until} (exclusive). */
    public static byte[] encode(long[] tickets, int from, int until) {
        if (from == until) {
            return NONE;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(16);
        long last = 0;
        int at = from;
        while (at < until) {
            int end = endOfRun(tickets, at, until);
            long difference = tickets[at] - last;
            writeVarint(out, (difference << 1) ^ (difference >> 63));
            writeVarint(out, end - at);
            last = tickets[end - 1];
            at = end;
        }
        return out.toByteArray();
    }

    /** Receives tickets that follow one another. */
    @FunctionalInterface
    public interface EachRun {
        /**
         * The next run.
         *
         * @param first of its tickets
         * @param length how many; at least 1
         */
        void accept(long first, long length);
    }

    /**
     * Calls {@code each} with every run in order, whose length costs nothing; leaves the buffer's position alone.
     *
     * @throws IllegalArgumentException if the bytes are cut off or hold a run that cannot be
     */
    public static void forEachRun(ByteBuffer runs, EachRun each) {
        ByteBuffer in = runs.duplicate();
        long last = 0;
        while (in.hasRemaining()) {
            long zigzag = readVarint(in);
            long first = last + ((zigzag >>> 1) ^ -(zigzag & 1));
            long length = readLength(in);
            each.accept(first, length);
            last = first + length - 1;
        }
    }

    /**
     * Calls {@code each} with every ticket in order; leaves the buffer's position alone. Few bytes may hold very many
     * tickets: where nobody vouches for them, {@link #count} tells first.
     *
     * @throws IllegalArgumentException if the bytes are cut off or hold a run that cannot be
     */
    public static void forEach(ByteBuffer runs, LongConsumer each) {
        forEachRun(runs, (first, length) -> {
            for (long i = 0; i < length; i++) {
                each.accept(first + i);
            }
        });
    }

    /**
     * The tickets in order.
     *
     * @throws IllegalArgumentException if the bytes are cut off or hold a run that cannot be
     */
    public static long[] decode(ByteBuffer runs) {
        Growing tickets = new Growing();
        forEach(runs, tickets);
        return Arrays.copyOf(tickets.values, tickets.size);
    }

    /**
     * How many tickets the runs hold.
     *
     * @throws IllegalArgumentException if the bytes are cut off or hold a run that cannot be
     */
    public static long count(ByteBuffer runs) {
        ByteBuffer in = runs.duplicate();
        long count = 0;
        while (in.hasRemaining()) {
            readVarint(in);
            count = Math.addExact(count, readLength(in));
        }
        return count;
    }

    private static long readLength(ByteBuffer in) {
        long length = readVarint(in);
        if (length < 1 || length > LONGEST) {
            throw new IllegalArgumentException("a run of tickets must not have length " + length);
        }
        return length;
    }

    private static void writeVarint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static long readVarint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (!in.hasRemaining()) {
                throw new IllegalArgumentException("runs of tickets are cut off");
            }
            byte next = in.get();
            value |= ((long) (next & 0x7F)) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number in runs of tickets has more than 64 bits");
    }

    private static final class Growing implements LongConsumer {
        private long[] values = new long[64];
        private int size;

        @Override
        public void accept(long ticket) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = ticket;
        }
    }
}
