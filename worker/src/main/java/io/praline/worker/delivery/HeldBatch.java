package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.praline.identity.TicketRuns;
import io.praline.wire.BatchFrame;
import io.praline.wire.FrameLimits;
import io.praline.wire.trace.SentBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A batch in an outbox: the header made, the tensors where TensorFlow put them. One reference is the outbox's, one each
 * write's that the socket has not taken whole; the last to go releases the batch.
 */
final class HeldBatch extends AbstractReferenceCounted {
    private static final ByteBuf ZEROES =
            Unpooled.unreleasableBuffer(Unpooled.directBuffer(FrameLimits.ALIGNMENT, FrameLimits.ALIGNMENT)
                    .writeZero(FrameLimits.ALIGNMENT)
                    .asReadOnly());

    private final long weightBytes;
    private final ByteBuffer tickets;
    private final ByteBuf header;
    private final OutgoingBatch batch;
    private long sequence;

    /**
     * @param weightBytes of the payload
     * @param tickets its elements, as {@link TicketRuns}
     * @param header the frame's length and the payload up to the first tensor's bytes; taken over
     */
    HeldBatch(long weightBytes, ByteBuffer tickets, ByteBuf header, OutgoingBatch batch) {
        this.weightBytes = weightBytes;
        this.tickets = tickets;
        this.header = header;
        this.batch = batch;
    }

    /** It is this one of its lane; only before it is sent. Under the outbox's lock. */
    void number(int consumer, int generation, long inItsLane) {
        sequence = inItsLane;
        BatchFrame.renumber(header, inItsLane);
        batch.way().ifPresent(way -> way.placed(consumer, generation, inItsLane));
    }

    long sequence() {
        return sequence;
    }

    /** Its elements, as {@link TicketRuns}; empty where they are not tracked. */
    ByteBuffer tickets() {
        return tickets;
    }

    long weightBytes() {
        return weightBytes;
    }

    /** Writes the frame, to be flushed by the caller; takes over one reference, which goes when the socket has all of it. */
    @SuppressWarnings("FutureReturnValueIgnored") // void promises: a failure goes to the pipeline
    ChannelFuture write(ChannelHandlerContext ctx) {
        // the last buffer of the frame carries the listener: the socket takes them in order, and fails them in order
        batch.way().ifPresent(SentBatch::written);
        List<ByteBuf> parts = parts();
        int last = parts.size() - 1;
        parts.subList(0, last).forEach(part -> ctx.write(part.retain(), ctx.voidPromise()));
        return ctx.write(parts.get(last).retain()).addListener(done -> release());
    }

    /** Puts the payload where both sides see it, in place of {@link #write}: the reference stays the caller's. */
    void copyTo(ByteBuf shared) {
        batch.way().ifPresent(SentBatch::written);
        List<ByteBuf> parts = parts();
        parts.get(0).skipBytes(Integer.BYTES); // the frame's length
        parts.forEach(shared::writeBytes);
    }

    int headerBytes() {
        return header.readableBytes() - Integer.BYTES;
    }

    /** Where the first tensor's bytes lie, if there are any and that is memory outside the heap. */
    OptionalLong address() {
        return batch.tensors().isEmpty()
                ? OptionalLong.empty()
                : address(batch.tensors().get(0).body());
    }

    private static OptionalLong address(ByteBuf body) {
        return body.hasMemoryAddress() && body.isReadable()
                ? OptionalLong.of(body.memoryAddress() + body.readerIndex())
                : OptionalLong.empty();
    }

    /** Whether the tensors lie in memory as a payload has them, with what stands between them. */
    boolean liesInOrder() {
        OptionalLong first = address();
        long end = 0;
        for (OutgoingTensor tensor : batch.tensors()) {
            long at = FrameLimits.aligned(end);
            OptionalLong its = address(tensor.body());
            if (its.isEmpty() || its.getAsLong() != first.getAsLong() + at) {
                return false;
            }
            end = at + tensor.body().readableBytes();
        }
        return first.isPresent();
    }

    /**
     * Puts what is not tensors around tensors that lie where the payload has them, in place of {@link #copyTo}: the reference
     * stays the caller's.
     */
    void surround(ByteBuf payload) {
        batch.way().ifPresent(SentBatch::written);
        payload.setBytes(0, header, header.readerIndex() + Integer.BYTES, headerBytes());
        int end = headerBytes();
        for (OutgoingTensor tensor : batch.tensors()) {
            int at = (int) FrameLimits.aligned(end);
            payload.setZero(end, at - end);
            end = at + tensor.body().readableBytes();
        }
    }

    /** Header, zeroes and bodies as they follow each other, to be read; not counted as references. */
    private List<ByteBuf> parts() {
        List<ByteBuf> parts = new ArrayList<>();
        parts.add(header.duplicate());
        long end = 0; // the header's length is a multiple of the alignment
        for (OutgoingTensor tensor : batch.tensors()) {
            ByteBuf body = tensor.body();
            int zeroes = (int) (FrameLimits.aligned(end) - end);
            if (zeroes > 0) {
                parts.add(ZEROES.slice(0, zeroes));
            }
            if (body.isReadable()) {
                parts.add(body.duplicate());
            }
            end += zeroes + body.readableBytes();
        }
        return parts;
    }

    @Override
    protected void deallocate() {
        header.release();
        batch.way().ifPresent(SentBatch::released);
        batch.release().run();
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
