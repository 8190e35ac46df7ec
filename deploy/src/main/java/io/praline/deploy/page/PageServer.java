package io.praline.deploy.page;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Serves the page and its figures over HTTP, to as many as {@value #MOST_CONNECTIONS} connections at a time. One event loop, and
 * one thread that reads journals and ledgers for who asks.
 */
public final class PageServer implements AutoCloseable {
    /** Where it is found if nobody says otherwise. */
    public static final int USUAL_PORT = 8465;

    private static final int MOST_CONNECTIONS = 256;
    private static final int MOST_WAITING = 16;
    private static final int MOST_BODY_BYTES = 1 << 10;
    private static final int TIMEOUT_SECONDS = 30;

    private final EventLoopGroup eventLoop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("page", true), NioIoHandler.newFactory());
    private final ThreadPoolExecutor reading = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), PageServer::reader);
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listening;
    private final Optional<String> token;

    private PageServer(PageData data, InetSocketAddress address, Optional<String> token) {
        this.token = token;
        Access access = Access.of(address.getAddress(), token);
        Api api = new Api(data.board(), data.journals(), data.ledgers(), reading);
        ChannelFuture bound = new ServerBootstrap()
                .group(eventLoop)
                .channel(NioServerSocketChannel.class)
                // connections of who was here before may still be ending
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new Pipeline(access, Assets.load(), data.board(), api))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IllegalArgumentException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                            + bound.cause().getMessage()
                            + "; choose another one by --host and --port, or 0 for any port",
                    bound.cause());
        }
        this.listening = bound.channel();
    }

    /**
     * Serves from now on.
     *
     * @param host address or name of this host on which it listens
     * @param port 0: any that is free
     * @param token that has to be shown; empty: nothing has to be
     * @throws IllegalArgumentException if the address cannot be had, naming it; if others than this host could reach it and
     *     there is no token; if the token is too short
     */
    public static PageServer start(PageData data, String host, int port, Optional<String> token) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("--port must be from 0 to 65535, is " + port);
        }
        try {
            return new PageServer(data, new InetSocketAddress(InetAddress.getByName(host), port), token);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("cannot listen on " + host + ": no such host", unknown);
        }
    }

    /** At its usual port on loopback, or where that is taken at any. */
    public static PageServer startWhereFree(PageData data, String host, Optional<String> token) {
        try {
            return start(data, host, USUAL_PORT, token);
        } catch (IllegalArgumentException taken) {
            if (taken.getCause() instanceof java.net.BindException) {
                return start(data, host, 0, token);
            }
            throw taken;
        }
    }

    /** What to type into a browser; a token is not in it. */
    public String url() {
        InetSocketAddress at = (InetSocketAddress) listening.localAddress();
        InetAddress address = at.getAddress();
        String host = address.isAnyLocalAddress()
                ? "localhost"
                : address instanceof Inet6Address
                        ? "[" + address.getHostAddress().replaceFirst("%.*", "") + "]"
                        : address.getHostAddress();
        return "http://" + host + ":" + at.getPort() + "/" + (token.isPresent() ? "?token=TOKEN" : "");
    }

    private static Thread reader(Runnable task) {
        Thread made = new Thread(task, "page-journal");
        made.setDaemon(true);
        return made;
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
        connections.close().awaitUninterruptibly();
        reading.shutdownNow();
        eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private final class Pipeline extends ChannelInitializer<Channel> {
        private final Access access;
        private final Assets assets;
        private final Board board;
        private final Api api;

        Pipeline(Access access, Assets assets, Board board, Api api) {
            this.access = access;
            this.assets = assets;
            this.board = board;
            this.api = api;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (connections.size() >= MOST_CONNECTIONS) {
                channel.unsafe().closeForcibly();
                return;
            }
            connections.add(channel);
            int port = ((InetSocketAddress) channel.localAddress()).getPort();
            channel.pipeline()
                    .addLast(PageHandler.TIMEOUT, PageHandler.timeout(TIMEOUT_SECONDS))
                    .addLast(new WriteTimeoutHandler(TIMEOUT_SECONDS))
                    .addLast(new HttpServerCodec())
                    .addLast(new HttpObjectAggregator(MOST_BODY_BYTES))
                    // holds the next request back while an answer is made elsewhere
                    .addLast(new FlowControlHandler())
                    .addLast(new PageHandler(access, assets, board, api, "praline-console-" + port));
        }
    }
}
