package io.praline.wire;

import io.netty.buffer.ByteBuf;

/**
 * The worker takes the channel; batches follow.
 *
 * @param workerIncarnation who answers
 * @param shares whether batches may come in the segment that the HELLO named
 */
public record WelcomeFrame(String workerIncarnation, boolean shares) implements Frame {
    private static final int SHARES = 1;

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.WELCOME).writeByte(shares ? SHARES : 0).writeShortLE(FrameLimits.VERSION);
        WireText.write(out, workerIncarnation, "worker incarnation", FrameLimits.MAX_INCARNATION_BYTES);
    }

    static WelcomeFrame read(ByteBuf in) {
        int flags = in.readUnsignedByte();
        WireText.expectZero(flags & ~SHARES, "a WELCOME's unused flags");
        int version = in.readUnsignedShortLE();
        if (version != FrameLimits.VERSION) {
            throw new MalformedFrame("the worker speaks version " + version + ", not " + FrameLimits.VERSION);
        }
        return new WelcomeFrame(
                WireText.read(in, "worker incarnation", FrameLimits.MAX_INCARNATION_BYTES), flags == SHARES);
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.welcome(this);
    }
}
