package io.praline.client.channel;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;

/** Makes connections to workers. The edge to sockets, which is a {@link SocketDialer}. */
@FunctionalInterface
interface Dialer {
    /** Begins to connect; the connection's events go to the inbox. */
    ChannelFuture dial(EventLoop eventLoop, WorkerAddress address, Inbox inbox);
}
