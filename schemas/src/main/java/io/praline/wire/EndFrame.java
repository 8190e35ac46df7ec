package io.praline.wire;

import io.netty.buffer.ByteBuf;

/**
 * No batch follows.
 *
 * @param lastSequence of the last batch for this consumer; -1: there was none
 * @param of what is over with this attempt
 */
public record EndFrame(long lastSequence, EndOf of) implements Frame {
    public EndFrame {
        if (lastSequence < -1) {
            throw new IllegalArgumentException("last sequence must be at least -1, is " + lastSequence);
        }
    }

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.END).writeByte(of.number()).writeShortLE(0);
        out.writeIntLE(0).writeLongLE(lastSequence);
    }

    static EndFrame read(ByteBuf in) {
        EndOf of = EndOf.of(in.readUnsignedByte());
        WireText.expectZero(in.readShortLE(), "an END's unused bytes");
        WireText.expectZero(in.readIntLE(), "an END's unused bytes");
        return new EndFrame(in.readLongLE(), of);
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.end(this);
    }
}
