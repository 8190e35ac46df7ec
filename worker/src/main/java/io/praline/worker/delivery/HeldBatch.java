package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.praline.wire.FrameLimits;
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

    private final long sequence;
    private final long weightBytes;
    private final ByteBuf header;
    private final OutgoingBatch batch;

    /**
     * @param weightBytes of the payload
     * @param header the frame's length and the payload up to the first tensor's bytes; taken over
     */
    HeldBatch(long sequence, long weightBytes, ByteBuf header, OutgoingBatch batch) {
        this.sequence = sequence;
        this.weightBytes = weightBytes;
        this.header = header;
        this.batch = batch;
    }

    long sequence() {
        return sequence;
    }

    long weightBytes() {
        return weightBytes;
    }

    /** Writes the frame, to be flushed by the caller; takes over one reference, which goes when the socket has all of it. */
    @SuppressWarnings("FutureReturnValueIgnored") // void promises: a failure goes to the pipeline
    ChannelFuture write(ChannelHandlerContext ctx) {
        // the last buffer of the frame carries the listener: the socket takes them in order, and fails them in order
        ByteBuf next = header.retainedDuplicate();
        long end = 0; // the header's length is a multiple of the alignment
        for (ByteBuf body : bodies()) {
            int zeroes = (int) (FrameLimits.aligned(end) - end);
            if (zeroes > 0) {
                ctx.write(next, ctx.voidPromise());
                next = ZEROES.slice(0, zeroes);
            }
            end += zeroes + body.readableBytes();
            if (body.isReadable()) {
                ctx.write(next, ctx.voidPromise());
                next = body.retainedDuplicate();
            }
        }
        return ctx.write(next).addListener(done -> release());
    }

    /** Puts the payload where both sides see it, in place of {@link #write}: the reference stays the caller's. */
    void copyTo(ByteBuf shared) {
        shared.writeBytes(header, Integer.BYTES, header.readableBytes() - Integer.BYTES);
        long end = 0;
        for (ByteBuf body : bodies()) {
            int zeroes = (int) (FrameLimits.aligned(end) - end);
            shared.writeZero(zeroes).writeBytes(body, body.readerIndex(), body.readableBytes());
            end += zeroes + body.readableBytes();
        }
    }

    private List<ByteBuf> bodies() {
        return batch.tensors().stream().map(OutgoingTensor::body).toList();
    }

    @Override
    protected void deallocate() {
        header.release();
        batch.release().run();
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
