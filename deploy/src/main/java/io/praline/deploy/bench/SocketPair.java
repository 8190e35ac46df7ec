package io.praline.deploy.bench;

import io.praline.deploy.local.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What two plain processes and a TCP connection over loopback reach: the yardstick beside a benchmark of the channel. */
public final class SocketPair {

    private static final int BUFFER_BYTES = 1 << 20;

    private SocketPair() {}

    /** The sending process. */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        long nanos = Duration.ofMillis(Long.parseLong(args[1])).toNanos();
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < nanos) {
                buffer.clear();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        }
    }

    /**
     * Receives from a process of its own for so long.
     *
     * @return MB/s, between the first byte and the last
     */
    public static double measure(Duration time, Path log) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            List<String> args = List.of(Integer.toString(port), Long.toString(time.toMillis()));
            ChildProcess.Spec spec =
                    new ChildProcess.Spec("socket sender", SocketPair.class.getName(), args, log, 64, 64, Map.of());
            server.configureBlocking(false);
            try (ChildProcess sender = ChildProcess.start(spec);
                    SocketChannel channel = accept(server, sender)) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
                long first = 0;
                long last = 0;
                long bytes = 0;
                int read = channel.read(buffer);
                while (read >= 0) {
                    last = System.nanoTime();
                    if (first == 0) {
                        first = last;
                    } else {
                        bytes += read;
                    }
                    buffer.clear();
                    read = channel.read(buffer);
                }
                return bytes / 1e6 / ((last - first) / 1e9);
            }
        }
    }

    private static SocketChannel accept(ServerSocketChannel server, ChildProcess sender) throws IOException {
        SocketChannel channel = server.accept();
        while (channel == null) {
            if (!sender.alive()) {
                throw new IOException("the sending process ended: " + sender.lastLine());
            }
            Thread.onSpinWait();
            channel = server.accept();
        }
        channel.configureBlocking(true);
        return channel;
    }
}
