package io.praline.worker.assignment;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.LongConsumer;
import org.roaringbitmap.RoaringBitmap;

/** Tickets, each once: a bitmap of records for each split. Immutable. */
public final class TicketSet {
    /** No ticket. */
    public static final TicketSet NONE = new TicketSet(new TreeMap<>());

    private final NavigableMap<Long, RoaringBitmap> records;

    private TicketSet(NavigableMap<Long, RoaringBitmap> records) {
        this.records = records;
    }

    /** These tickets, in whatever order they come. */
    public static TicketSet of(List<Long> tickets) {
        return of(tickets.stream().mapToLong(Long::longValue).toArray());
    }

    /** These tickets, in whatever order they come. */
    public static TicketSet of(long... tickets) {
        NavigableMap<Long, RoaringBitmap> records = new TreeMap<>();
        for (long ticket : tickets) {
            long record = Ticket.record(ticket);
            records.computeIfAbsent(Ticket.ordinal(ticket), ordinal -> new RoaringBitmap())
                    .add(record, record + 1);
        }
        return new TicketSet(records);
    }

    /** Records of splits by ordinal; copied. */
    public static TicketSet of(Map<Long, RoaringBitmap> records) {
        NavigableMap<Long, RoaringBitmap> held = new TreeMap<>();
        records.forEach((ordinal, bitmap) -> put(held, ordinal, bitmap.clone()));
        return new TicketSet(held);
    }

    private static void put(Map<Long, RoaringBitmap> records, long ordinal, RoaringBitmap bitmap) {
        if (!bitmap.isEmpty()) {
            records.put(ordinal, bitmap);
        }
    }

    public TicketSet plus(TicketSet other) {
        NavigableMap<Long, RoaringBitmap> sum = new TreeMap<>(records);
        other.records.forEach(
                (ordinal, bitmap) -> sum.merge(ordinal, bitmap, (one, two) -> RoaringBitmap.or(one, two)));
        return new TicketSet(sum);
    }

    public TicketSet minus(TicketSet other) {
        return combined(other, (these, those) -> RoaringBitmap.andNot(these, those));
    }

    public TicketSet and(TicketSet other) {
        return combined(other, (these, those) -> RoaringBitmap.and(these, those));
    }

    private TicketSet combined(TicketSet other, BinaryOperator<RoaringBitmap> operator) {
        NavigableMap<Long, RoaringBitmap> result = new TreeMap<>();
        RoaringBitmap none = new RoaringBitmap();
        records.forEach((ordinal, bitmap) ->
                put(result, ordinal, operator.apply(bitmap, other.records.getOrDefault(ordinal, none))));
        return new TicketSet(result);
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    /** How many there are. */
    public long count() {
        return records.values().stream()
                .mapToLong(RoaringBitmap::getLongCardinality)
                .sum();
    }

    /** Ascending. */
    public void forEach(LongConsumer each) {
        records.forEach((ordinal, bitmap) -> {
            bitmap.forEach((int record) -> each.accept(Ticket.of(ordinal, Integer.toUnsignedLong(record))));
        });
    }

    /** The records of one split. */
    public RoaringBitmap recordsOf(long ordinal) {
        RoaringBitmap held = records.get(ordinal);
        return held == null ? new RoaringBitmap() : held.clone();
    }

    /** All of them as runs. */
    public ByteBuffer runs() {
        List<Part> parts = parts(Integer.MAX_VALUE);
        return parts.isEmpty() ? ByteBuffer.allocate(0) : parts.get(0).runs();
    }

    /**
     * All of them as runs in parts.
     *
     * @param most tickets in a part
     */
    public List<Part> parts(int most) {
        List<Part> parts = new ArrayList<>();
        Chunk chunk = new Chunk(parts, (int) Math.min(most, count()));
        forEach(chunk);
        chunk.flush();
        return parts;
    }

    /** Some of the tickets, as runs in the encoding of {@link TicketRuns}. */
    public record Part(long count, ByteBuffer runs) {}

    private static final class Chunk implements LongConsumer {
        private final List<Part> parts;
        private final long[] tickets;
        private int size;

        Chunk(List<Part> parts, int most) {
            this.parts = parts;
            this.tickets = new long[most];
        }

        @Override
        public void accept(long ticket) {
            tickets[size++] = ticket;
            if (size == tickets.length) {
                flush();
            }
        }

        void flush() {
            if (size > 0) {
                parts.add(new Part(size, ByteBuffer.wrap(TicketRuns.encode(tickets, 0, size))));
                size = 0;
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TicketSet that && records.equals(that.records);
    }

    @Override
    public int hashCode() {
        return records.hashCode();
    }

    @Override
    public String toString() {
        return records.toString();
    }
}
