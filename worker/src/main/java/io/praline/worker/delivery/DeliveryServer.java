package io.praline.worker.delivery;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.praline.identity.AttemptKey;
import io.praline.wire.ConsumerToken;
import io.praline.wire.FrameDecoder;
import io.praline.wire.FrameEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A worker's end of the batch channel: listens on TCP, and on a Unix domain socket where one is configured. Any thread. */
public final class DeliveryServer implements AutoCloseable {
    /** One moves 2 GB/s; more than two would only take cores from TensorFlow. */
    private static final int EVENT_LOOPS = 2;

    /**
     * Large batches: the next one is handed to the socket when 1 MiB of this one is left, so that the socket never runs dry
     * and at most two are on their way. Small ones: so many share a flush.
     */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 2 << 20);

    private final EventLoopGroup eventLoops;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Outboxes attempts = new Outboxes();
    private final DeliveryTally tally = new DeliveryTally();
    private final Welcome welcome;
    private final List<String> addresses = new ArrayList<>();
    private final DeliveryConfig config;

    private DeliveryServer(
            DeliveryConfig config,
            String incarnation,
            boolean refusesOthers,
            DeliveryTimeouts timeouts,
            InstantSource time) {
        this.config = config;
        this.welcome = new Welcome(
                config.secret(), incarnation, refusesOthers, config.maxConnections(), timeouts, time, attempts, tally);
        this.eventLoops = new MultiThreadIoEventLoopGroup(
                EVENT_LOOPS, new DefaultThreadFactory("delivery", true), NioIoHandler.newFactory());
    }

    /** Listens as an incarnation of its own: a HELLO that names another is not refused for it. */
    public static DeliveryServer start(DeliveryConfig config) {
        return start(config, UUID.randomUUID().toString(), false, DeliveryTimeouts.DEFAULT, InstantSource.system());
    }

    /**
     * Listens.
     *
     * @param incarnation the worker's: HELLOs that were meant for another one are refused
     * @throws IllegalArgumentException if an address cannot be had, naming it
     */
    public static DeliveryServer start(DeliveryConfig config, String incarnation) {
        return start(config, incarnation, true, DeliveryTimeouts.DEFAULT, InstantSource.system());
    }

    static DeliveryServer start(
            DeliveryConfig config,
            String incarnation,
            boolean refusesOthers,
            DeliveryTimeouts timeouts,
            InstantSource time) {
        DeliveryServer server = new DeliveryServer(config, incarnation, refusesOthers, timeouts, time);
        try {
            loadCryptography(config, time);
            server.listenOnTcp();
            if (config.unixSocket().isPresent()) {
                server.listenOnUnix(config.unixSocket().get());
            }
            return server;
        } catch (Throwable failure) {
            server.close();
            throw failure;
        }
    }

    /** The first digest of a process takes some tenths of a second, more than a client may have: it is not the first client's. */
    private static void loadCryptography(DeliveryConfig config, InstantSource time) {
        byte[] secret = config.secret();
        Instant now = time.instant();
        ConsumerToken.verify(secret, "", 0, 0, ConsumerToken.mint(secret, "", 0, 0, now), now);
    }

    private void listenOnTcp() {
        String host = config.host();
        Channel listening = listen(
                NioServerSocketChannel.class,
                new InetSocketAddress(host, config.port()),
                "tcp://" + host + ":" + config.port());
        InetSocketAddress bound = (InetSocketAddress) listening.localAddress();
        String name = bound.getAddress().isAnyLocalAddress() ? ownName() : host;
        addresses.add("tcp://" + (name.contains(":") ? "[" + name + "]" : name) + ":" + bound.getPort());
    }

    private static String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("this host does not know its own name: set the channel's host", e);
        }
    }

    private void listenOnUnix(Path path) {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
        try {
            Files.createDirectories(path.getParent());
            removeIfLeftBehind(path, address);
            listen(NioServerDomainSocketChannel.class, address, "unix://" + path);
            PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
            if (view != null) {
                view.setPermissions(PosixFilePermissions.fromString("rw-------"));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot listen on unix://" + path + ": " + e.getMessage(), e);
        }
        addresses.add("unix://" + path);
    }

    /** A worker that was killed leaves its socket's file; one that lives answers on it, and the bind will say so. */
    private static void removeIfLeftBehind(Path path, UnixDomainSocketAddress address) throws IOException {
        if (!Files.exists(path) || Files.isRegularFile(path) || Files.isDirectory(path)) {
            return;
        }
        try (SocketChannel other = SocketChannel.open(address)) {
            throw new IOException("in use by another process, " + other.getRemoteAddress());
        } catch (java.net.ConnectException nobody) {
            Files.delete(path);
        }
    }

    private Channel listen(Class<? extends ServerChannel> kind, SocketAddress address, String name) {
        ChannelFuture bound = new ServerBootstrap()
                .group(eventLoops)
                .channel(kind)
                .childHandler(new Pipeline())
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            String reason = bound.cause() instanceof UnresolvedAddressException
                    ? "no such host"
                    : bound.cause().getMessage() + "; stop the program that has it or choose another";
            throw new IllegalArgumentException("cannot listen on " + name + ": " + reason, bound.cause());
        }
        channels.add(bound.channel());
        return bound.channel();
    }

    private final class Pipeline extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            ChannelConfig settings = channel.config();
            settings.setWriteBufferWaterMark(WATER_MARK);
            if (settings instanceof SocketChannelConfig tcp) {
                tcp.setTcpNoDelay(true);
            }
            DeliveryTimeouts timeouts = welcome.timeouts();
            channels.add(channel);
            channel.pipeline()
                    .addLast(
                            "silence",
                            new IdleStateHandler(
                                    timeouts.silence().toMillis(),
                                    timeouts.alive().toMillis(),
                                    0,
                                    TimeUnit.MILLISECONDS))
                    .addLast("decoder", new FrameDecoder())
                    .addLast("encoder", FrameEncoder.INSTANCE)
                    .addLast("connection", new Connection(welcome));
        }
    }

    /** Where clients find it: {@code tcp://host:port}, {@code unix:///path}. */
    public List<String> addresses() {
        return List.copyOf(addresses);
    }

    /** What it can be asked for. */
    public Outboxes attempts() {
        return attempts;
    }

    /** As {@link Outboxes#open(AttemptKey, Membership, long)}. */
    public Outbox open(AttemptKey attempt, Membership membership, long capacityBytes) {
        return attempts.open(attempt, membership, capacityBytes);
    }

    /** Opens an attempt for consumers 0 to n-1, each in the generation of its number. */
    public Outbox open(AttemptKey attempt, int consumers, long capacityBytes) {
        return open(attempt, Membership.of(consumers), capacityBytes);
    }

    /** As {@link Outboxes#end}. */
    public void close(AttemptKey attempt) {
        attempts.end(attempt);
    }

    public DeliveryCounters counters() {
        return tally.read();
    }

    /** Closes all attempts, connections and sockets. */
    @Override
    public void close() {
        attempts.openAttempts().forEach(this::close);
        channels.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        try {
            if (addresses.contains(
                    "unix://" + config.unixSocket().map(Path::toString).orElse(""))) {
                Files.deleteIfExists(config.unixSocket().orElseThrow());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the socket: " + e.getMessage(), e);
        }
    }
}
