package io.praline.client.channel;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.praline.wire.FrameEncoder;
import io.praline.wire.memory.AlignedBuffers;
import io.praline.wire.memory.FrameReceiver;
import java.util.concurrent.TimeUnit;

/** Makes connections to workers by sockets. */
record SocketDialer(AlignedBuffers buffers, HostNames names) implements Dialer {
    /** A host that does not answer at all; others answer at once. */
    static final int CONNECT_TIMEOUT_MS = 1_000;

    @Override
    public ChannelFuture dial(EventLoop eventLoop, WorkerAddress address, Inbox inbox) {
        return new Bootstrap()
                .group(eventLoop)
                .channel(address.isUnix() ? NioDomainSocketChannel.class : NioSocketChannel.class)
                .resolver(names)
                .handler(new Pipeline(inbox))
                .connect(address.socketAddress());
    }

    private final class Pipeline extends ChannelInitializer<Channel> {
        private final Inbox inbox;

        Pipeline(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        protected void initChannel(Channel channel) {
            FrameReceiver receiver = new FrameReceiver(buffers, inbox.admission());
            ChannelConfig settings = channel.config();
            settings.setConnectTimeoutMillis(CONNECT_TIMEOUT_MS);
            settings.setRecvByteBufAllocator(receiver);
            if (settings instanceof SocketChannelConfig tcp) {
                tcp.setTcpNoDelay(true);
            }
            channel.pipeline()
                    .addLast(
                            "silence",
                            new IdleStateHandler(
                                    ChannelTimeouts.SILENCE.toMillis(),
                                    ChannelTimeouts.ASSURANCE.toMillis(),
                                    0,
                                    TimeUnit.MILLISECONDS))
                    .addLast("receiver", receiver)
                    .addLast("encoder", FrameEncoder.INSTANCE)
                    .addLast("inbox", inbox);
        }
    }
}
