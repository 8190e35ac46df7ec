package io.praline.deploy.feed;

import io.praline.client.Batch;
import io.praline.client.BatchComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A batch on its way to Python: what is said of it, and its bytes: tickets first, then each component.
 *
 * @param parts the bytes, each to lie at its offset
 * @param bytes from the first part's beginning to the last one's end
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares it
record Offer(long number, Batch batch, long[] tickets, List<Part> parts, long bytes) {
    private static final int FIXED_BYTES = 43;
    private static final int COMPONENT_BYTES = 18;
    private static final byte IN_MEMORY = 0;
    private static final byte FOLLOWS = 1;

    /** A component's bytes. */
    record Part(BatchComponent component, long offset, ByteBuffer bytes) {}

    static Offer of(long number, Batch batch) {
        long[] tickets = batch.tickets();
        long end = (long) tickets.length * Long.BYTES;
        List<Part> parts = new ArrayList<>(batch.size());
        for (int index = 0; index < batch.size(); index++) {
            BatchComponent component = batch.component(index);
            ByteBuffer bytes = component.bytes();
            long offset = Arena.aligned(end);
            end = offset + bytes.remaining();
            parts.add(new Part(component, offset, bytes));
        }
        return new Offer(number, batch, tickets, parts, end);
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
        ByteBuffer first = ByteBuffer.allocate(tickets.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        first.asLongBuffer().put(tickets);
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
        int bytes = FIXED_BYTES;
        for (Part part : parts) {
            bytes += COMPONENT_BYTES + Long.BYTES * part.component().shape().length;
        }
        ByteBuffer head = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(number)
                .putInt(batch.epoch())
                .putLong(batch.elements())
                .put(offset.isPresent() ? IN_MEMORY : FOLLOWS)
                .putShort((short) parts.size())
                .putLong(offset.orElse(0))
                .putLong(this.bytes)
                .putInt(tickets.length);
        for (Part part : parts) {
            long[] shape = part.component().shape();
            head.put((byte) part.component().dtype().number())
                    .put((byte) shape.length)
                    .putLong(part.offset())
                    .putLong(part.bytes().remaining());
            for (long dimension : shape) {
                head.putLong(dimension);
            }
        }
        return head.flip();
    }
}
