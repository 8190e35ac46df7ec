package io.praline.client.channel;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.praline.wire.memory.AlignedBuffers;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The channels of one client: they share event loops and receive buffers. Any thread but the event loops. */
public final class ChannelPool implements AutoCloseable {
    /** One takes 2 GB/s in; more than two would only take cores from training. */
    private static final int EVENT_LOOPS = 2;

    private final EventLoopGroup eventLoops = new MultiThreadIoEventLoopGroup(
            EVENT_LOOPS, new DefaultThreadFactory("channels", true), NioIoHandler.newFactory());
    private final AlignedBuffers buffers = new AlignedBuffers();
    private final Set<AttemptChannel> channels = ConcurrentHashMap.newKeySet();
    private final HostNames names =
            new HostNames(InetAddress::getAllByName, Duration.ofMillis(SocketDialer.CONNECT_TIMEOUT_MS));
    private final Dialer dialer = new SocketDialer(buffers, names);

    /** Dials a worker and keeps the channel until it is closed, has ended, or is down. Returns at once. */
    public AttemptChannel connect(ChannelRequest request, ChannelListener listener) {
        AttemptChannel[] made = new AttemptChannel[1];
        made[0] = new AttemptChannel(request, listener, eventLoops.next(), dialer, () -> {
            channels.remove(made[0]);
            buffers.addWindow(-request.creditBytes());
        });
        buffers.addWindow(request.creditBytes());
        channels.add(made[0]);
        made[0].start();
        return made[0];
    }

    /** Bytes of the receive buffers for batches over 32 KiB, in a batch or kept for the next. */
    public long bufferBytes() {
        return buffers.bytes();
    }

    /** Closes all channels, and frees the receive buffers that are not in a batch. */
    @Override
    public void close() {
        channels.forEach(AttemptChannel::close);
        eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        names.close();
        buffers.close();
    }
}
