package io.praline.client.channel;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.handler.timeout.IdleStateHandler;
import io.praline.wire.FrameEncoder;
import io.praline.wire.memory.AlignedBuffers;
import io.praline.wire.memory.FrameReceiver;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The channels of one client without sockets: dialled by whoever moves time. */
public final class VirtualChannels {
    private final AlignedBuffers buffers = new AlignedBuffers();
    private final EventLoop eventLoop;
    private final Connecting connecting;

    /** Makes connections. */
    @FunctionalInterface
    public interface Connecting {
        /**
         * Begins to connect.
         *
         * @param handlers makes those of the client's end
         */
        ChannelFuture connect(String address, Supplier<ChannelHandler[]> handlers);
    }

    public VirtualChannels(EventLoop eventLoop, Connecting connecting) {
        this.eventLoop = eventLoop;
        this.connecting = connecting;
    }

    /** Dials, and keeps the channel until it is closed, has ended, or is down. */
    public AttemptChannel connect(ChannelRequest request, ChannelListener listener) {
        AttemptChannel channel = new AttemptChannel(
                request,
                listener,
                eventLoop,
                (loop, address, inbox) -> connecting.connect(address.text(), () -> handlers(inbox)),
                () -> {});
        channel.start();
        return channel;
    }

    private ChannelHandler[] handlers(Inbox inbox) {
        return new ChannelHandler[] {
            new IdleStateHandler(
                    ChannelTimeouts.SILENCE.toMillis(), ChannelTimeouts.ASSURANCE.toMillis(), 0, TimeUnit.MILLISECONDS),
            new FrameReceiver(buffers, inbox.admission()),
            FrameEncoder.INSTANCE,
            inbox
        };
    }
}
