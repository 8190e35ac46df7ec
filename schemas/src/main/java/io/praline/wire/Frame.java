package io.praline.wire;

import io.netty.buffer.ByteBuf;

/** A frame that fits in a few kilobytes: all but BATCH, whose header is a {@link BatchFrame}. */
public sealed interface Frame
        permits HelloFrame, WelcomeFrame, CreditFrame, EndFrame, RefusedFrame, AliveFrame, SharedFrame {

    /** Appends the payload, without its length. */
    void writePayload(ByteBuf out);

    <R> R match(Cases<R> cases);

    /** A place for each kind of frame. */
    interface Cases<R> {
        R hello(HelloFrame hello);

        R welcome(WelcomeFrame welcome);

        R credit(CreditFrame credit);

        R end(EndFrame end);

        R refused(RefusedFrame refused);

        R alive(AliveFrame alive);

        R shared(SharedFrame shared);
    }

    /** Appends the frame: the payload's length, and the payload. */
    default void write(ByteBuf out) {
        int start = out.writerIndex();
        out.writeIntLE(0);
        writePayload(out);
        out.setIntLE(start, out.writerIndex() - start - Integer.BYTES);
    }

    /**
     * Reads all of a payload.
     *
     * @throws MalformedFrame if it is no frame, or more than one
     */
    static Frame read(ByteBuf payload) {
        try {
            if (!payload.isReadable()) {
                throw new MalformedFrame("a frame must not be empty");
            }
            int type = payload.readUnsignedByte();
            Frame frame =
                    switch (type) {
                        case FrameType.HELLO -> HelloFrame.read(payload);
                        case FrameType.WELCOME -> WelcomeFrame.read(payload);
                        case FrameType.CREDIT -> CreditFrame.read(payload);
                        case FrameType.END -> EndFrame.read(payload);
                        case FrameType.REFUSED -> RefusedFrame.read(payload);
                        case FrameType.ALIVE -> AliveFrame.read(payload);
                        case FrameType.SHARED -> SharedFrame.read(payload);
                        default -> throw new MalformedFrame("no frame here has type " + type);
                    };
            if (payload.isReadable()) {
                throw new MalformedFrame(payload.readableBytes() + " bytes follow a frame of type " + type);
            }
            return frame;
        } catch (IndexOutOfBoundsException e) {
            throw new MalformedFrame("a frame is cut off");
        } catch (IllegalArgumentException e) {
            throw new MalformedFrame(e.getMessage());
        }
    }
}
