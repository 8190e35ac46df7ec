package io.praline.wire;

import io.netty.buffer.ByteBuf;

/** The worker has nothing to send and is there. */
public record AliveFrame() implements Frame {

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.ALIVE).writeByte(0).writeShortLE(0);
    }

    static AliveFrame read(ByteBuf in) {
        WireText.expectZero(in.readByte(), "an ALIVE's second byte");
        WireText.expectZero(in.readShortLE(), "an ALIVE's unused bytes");
        return new AliveFrame();
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.alive(this);
    }
}
