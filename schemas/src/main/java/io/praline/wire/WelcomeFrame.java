package io.praline.wire;

import io.netty.buffer.ByteBuf;

/**
 * The worker takes the channel; batches follow.
 *
 * @param workerIncarnation who answers
 */
public record WelcomeFrame(String workerIncarnation) implements Frame {

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.WELCOME).writeByte(0).writeShortLE(FrameLimits.VERSION);
        WireText.write(out, workerIncarnation, "worker incarnation", FrameLimits.MAX_INCARNATION_BYTES);
    }

    static WelcomeFrame read(ByteBuf in) {
        WireText.expectZero(in.readByte(), "a WELCOME's second byte");
        int version = in.readUnsignedShortLE();
        if (version != FrameLimits.VERSION) {
            throw new MalformedFrame("the worker speaks version " + version + ", not " + FrameLimits.VERSION);
        }
        return new WelcomeFrame(WireText.read(in, "worker incarnation", FrameLimits.MAX_INCARNATION_BYTES));
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.welcome(this);
    }
}
