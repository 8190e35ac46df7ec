package io.praline.deploy.page;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Changes on their way to one browser. What it has not taken yet is held, up to a bound; who is further behind is cut off, and
 * begins anew with all there is when it comes again.
 */
final class Stream implements Board.Listener {
    /** Beyond what it was told at first. */
    static final long MOST_BEHIND_BYTES = 4 << 20;

    private static final byte[] ALIVE = ": alive\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Channel channel;
    private final AtomicLong behind = new AtomicLong();
    private volatile long first = -1;

    Stream(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void tell(byte[] event) {
        if (first < 0) {
            first = event.length;
        }
        if (behind.addAndGet(event.length) > first + MOST_BEHIND_BYTES) {
            channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
            return;
        }
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(event)))
                .addListener(written -> behind.addAndGet(-event.length));
    }

    /** So that whoever is between does not take a quiet stream for a dead one. */
    void alive() {
        tell(ALIVE);
    }
}
