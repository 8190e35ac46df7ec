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
