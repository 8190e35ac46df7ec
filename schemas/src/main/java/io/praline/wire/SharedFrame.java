package io.praline.wire;

import io.netty.buffer.ByteBuf;

/**
 * A batch, in the segment that the client shares: there lies what the payload of a BATCH would be.
 *
 * @param bytes of it: what the batch weighs
 * @param offset in the segment, a multiple of 64; the client's from now on, until a CREDIT gives it back
 */
public record SharedFrame(int bytes, long offset) implements Frame {

    public SharedFrame {
        if (bytes < FrameLimits.ALIGNMENT || bytes > FrameLimits.MAX_BATCH_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a batch must have " + FrameLimits.ALIGNMENT + " to "
                    + FrameLimits.MAX_BATCH_PAYLOAD_BYTES + " bytes, has " + bytes);
        }
        if (offset < 0 || offset % FrameLimits.ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "a batch must lie at a multiple of " + FrameLimits.ALIGNMENT + ", not at " + offset);
        }
    }

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.SHARED).writeByte(0).writeShortLE(0);
        out.writeIntLE(bytes).writeLongLE(offset);
    }

    static SharedFrame read(ByteBuf in) {
        WireText.expectZero(in.readByte(), "a SHARED's second byte");
        WireText.expectZero(in.readShortLE(), "a SHARED's unused bytes");
        return new SharedFrame(in.readIntLE(), in.readLongLE());
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.shared(this);
    }
}
