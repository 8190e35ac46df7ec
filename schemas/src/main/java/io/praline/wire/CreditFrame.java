package io.praline.wire;

import io.netty.buffer.ByteBuf;

/**
 * What the client got, and what it is done with. With all zeroes: it is alive.
 *
 * @param batches closed since the frame before
 * @param bytes of those batches, as they weigh
 * @param receivedThrough sequence of the last batch that came; -1: none
 * @param endReceived whether END came
 */
public record CreditFrame(int batches, long bytes, long receivedThrough, boolean endReceived) implements Frame {
    private static final int END_RECEIVED = 1;

    public CreditFrame {
        if (batches < 0) {
            throw new IllegalArgumentException("batches must not be negative, is " + batches);
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must not be negative, is " + bytes);
        }
        if (receivedThrough < -1) {
            throw new IllegalArgumentException("received through must be at least -1, is " + receivedThrough);
        }
    }

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.CREDIT)
                .writeByte(endReceived ? END_RECEIVED : 0)
                .writeShortLE(0);
        out.writeIntLE(batches).writeLongLE(bytes).writeLongLE(receivedThrough);
    }

    static CreditFrame read(ByteBuf in) {
        int flags = in.readUnsignedByte();
        WireText.expectZero(flags & ~END_RECEIVED, "a CREDIT's unused flags");
        WireText.expectZero(in.readShortLE(), "a CREDIT's unused bytes");
        return new CreditFrame(in.readIntLE(), in.readLongLE(), in.readLongLE(), flags == END_RECEIVED);
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.credit(this);
    }
}
