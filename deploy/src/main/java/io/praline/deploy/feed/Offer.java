package io.praline.deploy.feed;

import io.praline.client.Batch;
import io.praline.client.BatchComponent;
import io.praline.client.stream.Moment;
import io.praline.wire.ElementType;
import io.praline.wire.memory.SharedPlace;
import io.praline.wire.memory.SharedSegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A batch on its way to Python: what is said of it, and its bytes: tickets first, then each component.
 *
 * @param until when it is not to be taken any more, unless that is asked again
 * @param parts the bytes, each to lie at its offset
 * @param bytes from the first part's beginning to the last one's end
 * @param inSegment where it lies, if its worker put it into memory that Python may map too
 * @param batch whose memory it is; closed when that is not needed any more
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares it
record Offer(
        long number,
        int epoch,
        long elements,
        long[] tickets,
        Moment until,
        List<Part> parts,
        long bytes,
        Optional<InSegment> inSegment,
        Held batch) {
    private static final int FIXED_BYTES = 59;
    private static final int COMPONENT_BYTES = 18;
    private static final byte IN_MEMORY = 0;
    private static final byte FOLLOWS = 1;
    private static final byte IN_SEGMENT = 2;

    /** A component's bytes. */
    record Part(ElementType type, long[] shape, long offset, ByteBuffer bytes) {}

    /**
     * Where the components of a batch lie that came from a worker of this host.
     *
     * @param offsets of each component, from the segment's beginning
     */
    record InSegment(SharedSegment segment, List<Long> offsets) {}

    /**
     * A batch's memory.
     *
     * @param bytes of its worker's credit that it takes
     * @param free gives it back
     */
    record Held(long bytes, Runnable free) implements AutoCloseable {
        @Override
        public void close() {
            free.run();
        }
    }

    static Offer of(long number, Batch batch, Moment until) {
        long[] tickets = batch.tickets();
        long end = (long) tickets.length * Long.BYTES;
        List<Part> parts = new ArrayList<>(batch.size());
        for (int index = 0; index < batch.size(); index++) {
            BatchComponent component = batch.component(index);
            ByteBuffer bytes = component.bytes();
            long offset = Arena.aligned(end);
            end = offset + bytes.remaining();
            parts.add(new Part(component.dtype(), component.shape(), offset, bytes));
        }
        return new Offer(
                number,
                batch.epoch(),
                batch.elements(),
                tickets,
                until,
                parts,
                end,
                inSegment(batch),
                new Held(batch.bytes(), batch::close));
    }

    private static Optional<InSegment> inSegment(Batch batch) {
        List<Long> offsets = new ArrayList<>(batch.size());
        SharedSegment segment = null;
        for (int index = 0; index < batch.size(); index++) {
            Optional<SharedPlace> place = batch.shared(index);
            if (place.isEmpty()) {
                return Optional.empty();
            }
            segment = place.get().segment();
            offsets.add(place.get().offset());
        }
        return Optional.ofNullable(segment).map(one -> new InSegment(one, offsets));
    }

    /** Lays it where Python sees it; the batch's own memory is not needed any more. */
    void layInto(ByteBuffer place) {
        place.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(tickets);
        for (Part part : parts) {
            place.put(
                    Math.toIntExact(part.offset()),
                    part.bytes(),
                    part.bytes().position(),
                    part.bytes().remaining());
        }
    }

    /** What is said of it, and all of its bytes where they are: for a way beside the memory. */
    ByteBuffer[] pieces() {
        List<ByteBuffer> pieces = new ArrayList<>(2 + 2 * parts.size());
        pieces.add(head(OptionalLong.empty()));
        ByteBuffer first = tickets(0);
        pieces.add(first);
        long end = first.capacity();
        for (Part part : parts) {
            pieces.add(ByteBuffer.allocate(Math.toIntExact(part.offset() - end)));
            pieces.add(part.bytes().duplicate());
            end = part.offset() + part.bytes().remaining();
        }
        return pieces.toArray(ByteBuffer[]::new);
    }

    /** What is said of it, for one that lies at an offset of the memory, or whose bytes follow. */
    ByteBuffer head(OptionalLong offset) {
        List<Long> offsets = parts.stream().map(Part::offset).toList();
        return head(offset.isPresent() ? IN_MEMORY : FOLLOWS, offset.orElse(0), bytes, offsets);
    }

    /** What is said of it, and its tickets, for one that lies where its worker put it. */
    ByteBuffer[] head(InSegment at, long segment) {
        long from = at.offsets().get(0);
        int last = parts.size() - 1;
        long span = at.offsets().get(last) + parts.get(last).bytes().remaining() - from;
        List<Long> offsets = at.offsets().stream().map(each -> each - from).toList();
        return new ByteBuffer[] {
            head(IN_SEGMENT, from, span, offsets), tickets(Long.BYTES).putLong(0, segment)
        };
    }

    /** The tickets behind some bytes that are left out. */
    private ByteBuffer tickets(int behind) {
        ByteBuffer all =
                ByteBuffer.allocate(behind + tickets.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        all.slice(behind, all.capacity() - behind)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .put(tickets);
        return all;
    }

    private ByteBuffer head(byte place, long from, long span, List<Long> offsets) {
        int size = FIXED_BYTES;
        for (Part part : parts) {
            size += COMPONENT_BYTES + Long.BYTES * part.shape().length;
        }
        ByteBuffer head = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(number)
                .putInt(epoch)
                .putLong(elements)
                .put(place)
                .putShort((short) parts.size())
                .putLong(from)
                .putLong(span)
                .putInt(tickets.length)
                .putLong(until.nanos())
                .putLong(until.wallMillis());
        for (int index = 0; index < parts.size(); index++) {
            Part part = parts.get(index);
            long[] shape = part.shape();
            head.put((byte) part.type().number())
                    .put((byte) shape.length)
                    .putLong(offsets.get(index))
                    .putLong(part.bytes().remaining());
            for (long dimension : shape) {
                head.putLong(dimension);
            }
        }
        return head.flip();
    }
}
