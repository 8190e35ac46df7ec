package io.praline.wire.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.praline.wire.BatchFrame;
import io.praline.wire.Frame;
import io.praline.wire.FrameLimits;
import io.praline.wire.FrameType;
import io.praline.wire.MalformedFrame;
import java.util.function.IntConsumer;

/**
 * Reads what a worker sends: {@link Frame}s and {@link LandedBatch}es. It is the channel's receive allocator too, which is
 * how a batch's bytes get from the socket into its memory with no copy in Java:
 *
 * <pre>
 *   between frames    the socket is read into 16 KiB that stay with the channel: a small frame is copied out of them, of
 *                     a large one the first bytes
 *   within a batch    the socket is read into what is missing of its memory
 * </pre>
 *
 * Bytes that come in other buffers are copied. One for each channel; owned by its event loop.
 */
public final class FrameReceiver extends ChannelInboundHandlerAdapter implements RecvByteBufAllocator {
    /** Many small frames in one read, and little to copy of a large one. */
    private static final int BETWEEN_BYTES = 16 * 1024;

    /** Type and fixed part of a BATCH: less is no batch. */
    private static final int MIN_BATCH_BYTES = FrameLimits.ALIGNMENT;

    /** Length and type: what must be known before memory is taken. */
    private static final int HEAD_BYTES = Integer.BYTES + 1;

    private final AlignedBuffers buffers;
    private final IntConsumer admission;
    private final ByteBuf head = Unpooled.buffer(HEAD_BYTES, HEAD_BYTES);
    private final ByteBuf plain = Unpooled.buffer(64, FrameLimits.MAX_PLAIN_PAYLOAD_BYTES);
    private ByteBuf between = Unpooled.EMPTY_BUFFER;
    private ByteBuf lent = Unpooled.EMPTY_BUFFER;
    private AlignedBuffers.Memory batch;
    private int landedBytes;
    private int plainBytes;
    private boolean broken;

    /**
     * @param admission asked with the payload's bytes before memory is taken for a batch; throws {@link MalformedFrame}
     *     if the worker has no credit for it
     */
    public FrameReceiver(AlignedBuffers buffers, IntConsumer admission) {
        this.buffers = buffers;
        this.admission = admission;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        between = ctx.alloc().directBuffer(BETWEEN_BYTES, BETWEEN_BYTES);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        broken = true;
        between.release();
        dropBatch();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        broken = true;
        dropBatch();
        ctx.fireChannelInactive();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // is it the very buffer that was lent?
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            if (!broken && batch != null && in == lent) {
                landedBytes += in.readableBytes();
                completeIfAllLanded(ctx);
            } else {
                take(ctx, in);
            }
        } catch (Throwable failure) {
            broken = true;
            dropBatch();
            throw failure;
        } finally {
            lent = Unpooled.EMPTY_BUFFER;
            in.release();
        }
    }

    private void take(ChannelHandlerContext ctx, ByteBuf in) {
        while (!broken && in.isReadable()) {
            if (batch != null) {
                int bytes = Math.min(in.readableBytes(), batch.length() - landedBytes);
                batch.payload().setBytes(landedBytes, in, bytes);
                landedBytes += bytes;
                completeIfAllLanded(ctx);
            } else if (plainBytes > 0) {
                plain.writeBytes(in, Math.min(in.readableBytes(), plainBytes - plain.writerIndex()));
                completePlain(ctx);
            } else {
                head.writeBytes(in, Math.min(in.readableBytes(), head.writableBytes()));
                if (!head.isWritable()) {
                    start(ctx, head.readIntLE(), head.readUnsignedByte());
                    head.clear();
                }
            }
        }
    }

    private void start(ChannelHandlerContext ctx, int bytes, int type) {
        boolean isBatch = type == FrameType.BATCH;
        int least = isBatch ? MIN_BATCH_BYTES : 1;
        int most = isBatch ? FrameLimits.MAX_BATCH_PAYLOAD_BYTES : FrameLimits.MAX_PLAIN_PAYLOAD_BYTES;
        if (bytes < least || bytes > most) {
            throw new MalformedFrame("a frame of type " + type + " must have " + least + " to " + most + " bytes, has "
                    + Integer.toUnsignedString(bytes));
        }
        if (isBatch) {
            admission.accept(bytes);
            batch = buffers.take(bytes);
            batch.payload().setByte(0, type);
            landedBytes = 1;
        } else {
            plainBytes = bytes;
            plain.clear().writeByte(type);
            completePlain(ctx);
        }
    }

    private void completePlain(ChannelHandlerContext ctx) {
        if (plain.writerIndex() == plainBytes) {
            plainBytes = 0;
            ctx.fireChannelRead(Frame.read(plain));
        }
    }

    private void completeIfAllLanded(ChannelHandlerContext ctx) {
        if (landedBytes == batch.length()) {
            BatchFrame frame = BatchFrame.read(batch.payload());
            LandedBatch landed = new LandedBatch(frame, batch);
            batch = null; // the next handler's from here on
            ctx.fireChannelRead(landed);
        }
    }

    private void dropBatch() {
        if (batch != null) {
            batch.free();
            batch = null;
        }
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Landing();
    }

    /** Tells the channel where to read to. */
    private final class Landing implements ExtendedHandle {
        /** So that one channel does not hold the event loop for ever. */
        private static final int MAX_READS = 16;

        private ChannelConfig config;
        private int reads;
        private int attempted;
        private int last;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            if (batch == null) {
                return between.clear().retain();
            }
            lent = batch.lend(landedBytes);
            return lent;
        }

        @Override
        public int guess() {
            return BETWEEN_BYTES;
        }

        @Override
        public void reset(ChannelConfig now) {
            config = now;
            reads = 0;
        }

        @Override
        public void incMessagesRead(int messages) {
            reads += messages;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return config.isAutoRead() && last == attempted && reads < MAX_READS;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }

        @Override
        public void readComplete() {}
    }
}
