package io.praline.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.nio.ByteOrder;

/** Reads what clients send: small frames only, so that no stranger makes the worker hold more than two kilobytes. */
public final class FrameDecoder extends LengthFieldBasedFrameDecoder {

    public FrameDecoder() {
        super(
                ByteOrder.LITTLE_ENDIAN,
                Integer.BYTES + FrameLimits.MAX_CLIENT_PAYLOAD_BYTES,
                0,
                Integer.BYTES,
                0,
                Integer.BYTES,
                true);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
        ByteBuf payload;
        try {
            payload = (ByteBuf) super.decode(ctx, in);
        } catch (TooLongFrameException e) {
            throw new MalformedFrame(
                    "a client's frame must have at most " + FrameLimits.MAX_CLIENT_PAYLOAD_BYTES + " bytes");
        }
        if (payload == null) {
            return null;
        }
        try {
            return Frame.read(payload);
        } finally {
            payload.release();
        }
    }
}
