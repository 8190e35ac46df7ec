package io.praline.wire;

import io.netty.buffer.ByteBuf;

/**
 * The worker ends the channel.
 *
 * @param reason one line; cut off where it is too long
 */
public record RefusedFrame(RefusalCode code, String reason) implements Frame {

    public RefusedFrame {
        reason = WireText.cut(reason, FrameLimits.MAX_REASON_BYTES);
    }

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.REFUSED).writeByte(0).writeShortLE(code.number());
        WireText.write(out, reason, "reason", FrameLimits.MAX_REASON_BYTES);
    }

    static RefusedFrame read(ByteBuf in) {
        WireText.expectZero(in.readByte(), "a REFUSED's second byte");
        RefusalCode code = RefusalCode.of(in.readUnsignedShortLE());
        return new RefusedFrame(code, WireText.read(in, "reason", FrameLimits.MAX_REASON_BYTES));
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.refused(this);
    }
}
