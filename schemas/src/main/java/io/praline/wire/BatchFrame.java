package io.praline.wire;

import io.netty.buffer.ByteBuf;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The header of a BATCH: all but the tensors' bytes.
 *
 * @param packed 0: one batch as the user made it; k: every tensor has a leading dimension k, each index a batch
 * @param ticketRuns the elements, as {@link TicketRuns}; empty where they are not tracked
 */
public record BatchFrame(
        int epoch, int attempt, long sequence, int packed, List<TensorLayout> tensors, ByteBuffer ticketRuns) {
    private static final int FIXED_BYTES = 32;
    private static final int SEQUENCE_AT = 16;

    public BatchFrame {
        if (epoch < 0 || attempt < 0 || sequence < 0) {
            throw new IllegalArgumentException("epoch, attempt and sequence must not be negative, are " + epoch + ", "
                    + attempt + ", " + sequence);
        }
        if (packed < 0) {
            throw new IllegalArgumentException("packed must not be negative, is " + packed);
        }
        if (tensors.size() > FrameLimits.MAX_TENSORS) {
            throw new IllegalArgumentException(
                    "a batch must have at most " + FrameLimits.MAX_TENSORS + " tensors, has " + tensors.size());
        }
        tensors = List.copyOf(tensors);
        if (packed > 0) {
            for (TensorLayout tensor : tensors) {
                if (tensor.shape().length == 0 || tensor.shape()[0] != packed) {
                    throw new IllegalArgumentException(
                            "a tensor packed " + packed + " times must have that leading dimension, is " + tensor);
                }
            }
        }
    }

    /** Where the first tensor's bytes start. */
    public long headerBytes() {
        long bytes = FIXED_BYTES + (long) ticketRuns.remaining();
        for (TensorLayout tensor : tensors) {
            bytes += tensor.headerBytes();
        }
        return FrameLimits.aligned(bytes);
    }

    /** Bytes of the whole payload: what the batch weighs. */
    public long payloadBytes() {
        long end = headerBytes();
        for (TensorLayout tensor : tensors) {
            end = FrameLimits.aligned(end) + tensor.bytes();
        }
        return end;
    }

    /**
     * Appends the frame's length and the payload up to the first tensor's bytes.
     *
     * @throws IllegalArgumentException if the batch is larger than a frame may be, naming both
     */
    public void writeHeader(ByteBuf out) {
        long payloadBytes = payloadBytes();
        if (payloadBytes > FrameLimits.MAX_BATCH_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a batch of " + payloadBytes
                    + " bytes is larger than the channel takes, which is " + FrameLimits.MAX_BATCH_PAYLOAD_BYTES);
        }
        int headerBytes = (int) headerBytes();
        out.writeIntLE((int) payloadBytes);
        int start = out.writerIndex();
        out.writeByte(FrameType.BATCH).writeByte(0).writeShortLE(tensors.size());
        out.writeIntLE(headerBytes).writeIntLE(epoch).writeIntLE(attempt);
        out.writeLongLE(sequence).writeIntLE(packed).writeIntLE(ticketRuns.remaining());
        for (TensorLayout tensor : tensors) {
            out.writeIntLE(tensor.dtype()).writeIntLE(tensor.shape().length).writeLongLE(tensor.bytes());
            for (long dimension : tensor.shape()) {
                out.writeLongLE(dimension);
            }
        }
        out.writeBytes(ticketRuns.duplicate());
        out.writeZero(start + headerBytes - out.writerIndex());
    }

    /** Gives what {@link #writeHeader} appended, and nobody read yet, another sequence. */
    public static void renumber(ByteBuf written, long sequence) {
        written.setLongLE(written.readerIndex() + Integer.BYTES + SEQUENCE_AT, sequence);
    }

    /**
     * Reads the header of a payload that is all there; leaves its indices alone. The ticket runs stay where they are.
     *
     * @throws MalformedFrame if the header does not describe exactly these bytes
     */
    public static BatchFrame read(ByteBuf payload) {
        ByteBuf in = payload.duplicate();
        try {
            WireText.expectZero(in.readUnsignedByte() - FrameType.BATCH, "a BATCH's type, less 4,");
            WireText.expectZero(in.readByte(), "a BATCH's second byte");
            int count = in.readUnsignedShortLE();
            if (count > FrameLimits.MAX_TENSORS) {
                throw new MalformedFrame("a batch must not have " + count + " tensors");
            }
            int headerBytes = in.readIntLE();
            int epoch = in.readIntLE();
            int attempt = in.readIntLE();
            long sequence = in.readLongLE();
            int packed = in.readIntLE();
            int ticketBytes = in.readIntLE();
            List<TensorLayout> tensors = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                tensors.add(readTensor(in));
            }
            if (ticketBytes < 0 || ticketBytes > in.readableBytes()) {
                throw new MalformedFrame("a batch must not have " + ticketBytes + " bytes of ticket runs");
            }
            ByteBuffer tickets = in.nioBuffer(in.readerIndex(), ticketBytes);
            BatchFrame frame = new BatchFrame(epoch, attempt, sequence, packed, tensors, tickets);
            if (frame.headerBytes() != headerBytes || frame.payloadBytes() != payload.readableBytes()) {
                throw new MalformedFrame("a batch says it has " + headerBytes + " of " + payload.readableBytes()
                        + " bytes before its tensors, its tensors make that " + frame.headerBytes() + " of "
                        + frame.payloadBytes());
            }
            return frame;
        } catch (IndexOutOfBoundsException e) {
            throw new MalformedFrame("the header of a batch is cut off");
        } catch (IllegalArgumentException e) {
            throw new MalformedFrame(e.getMessage());
        }
    }

    private static TensorLayout readTensor(ByteBuf in) {
        int dtype = in.readIntLE();
        int rank = in.readIntLE();
        long bytes = in.readLongLE();
        if (rank < 0 || rank > FrameLimits.MAX_RANK) {
            throw new MalformedFrame("a tensor must not have " + rank + " dimensions");
        }
        long[] shape = new long[rank];
        for (int i = 0; i < rank; i++) {
            shape[i] = in.readLongLE();
        }
        return new TensorLayout(dtype, shape, bytes);
    }
}
