package io.praline.deploy.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Ports of the loopback address for programs that bind them later, and again after a restart. They lie below the range from which
 * the system takes the ports of outgoing connections: any connection of this machine may have one of that range when it is bound.
 */
public final class Ports {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Path RANGE_OF_CONNECTIONS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    /** Where IANA lets the range of outgoing connections begin. */
    private static final int CONNECTIONS_OF_IANA = 49_152;

    private static final int FIRST = 15_000;
    private static final int LEAST_CHOICE = 1_000;
    private static final int TRIES = 1_000;

    private Ports() {}

    /**
     * This many different ports that nobody listens on. Another program may take one before it is bound: the bind then says so.
     * Where outgoing connections may have nearly all ports there are, so may these.
     *
     * @throws ClusterRefused if there are none
     */
    public static List<Integer> free(int count) {
        int end = firstOfConnections();
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tries = 0; held.size() < count && tries < TRIES; tries++) {
                // at random, since another program may look for some at the same time
                listening(
                                end - FIRST < LEAST_CHOICE
                                        ? 0
                                        : ThreadLocalRandom.current().nextInt(FIRST, end))
                        .ifPresent(held::add);
            }
            if (held.size() < count) {
                throw new ClusterRefused("no " + count + " ports of the loopback address are free");
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            held.forEach(Ports::close);
        }
    }

    /** The lowest port that an outgoing connection may be given. */
    static int firstOfConnections() {
        // through a buffer: this file gives what it has to the first read, and nothing to a second
        try (BufferedReader range = Files.newBufferedReader(RANGE_OF_CONNECTIONS)) {
            return Integer.parseInt(range.readLine().strip().split("\\s", 2)[0]);
        } catch (IOException | NumberFormatException notOfLinux) {
            return CONNECTIONS_OF_IANA;
        }
    }

    private static Optional<ServerSocket> listening(int port) {
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            return Optional.empty();
        }
    }

    /**
     * Checks that nobody listens on it.
     *
     * @param dying how long somebody may still do so who is about to end
     * @throws ClusterRefused if somebody does
     */
    static void requireFree(String what, int port, Duration dying) {
        long deadline = System.nanoTime() + dying.toNanos();
        while (true) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
                return;
            } catch (BindException taken) {
                if (System.nanoTime() - deadline >= 0) {
                    throw inUse(what, port, taken);
                }
                LockSupport.parkNanos(LOOK.toNanos());
            } catch (IOException failed) {
                throw new ClusterRefused(what + " port " + port + " cannot be used: " + failed.getMessage(), failed);
            }
        }
    }

    static ClusterRefused inUse(String what, int port, Exception cause) {
        return new ClusterRefused(
                what + " port " + port + " is in use: stop the program that has it or choose another port", cause);
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new ClusterRefused("port " + socket.getLocalPort() + " cannot be let go: " + failed, failed);
        }
    }
}
