package io.praline.deploy.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Ports of the loopback address. What is found free may be taken by another a moment later: the bind then says so. */
final class Ports {
    private static final Duration LOOK = Duration.ofMillis(50);

    private Ports() {}

    /** This many different ports that nobody listens on. */
    static List<Integer> free(int count) {
        List<ServerSocket> held = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports.add(socket.getLocalPort());
            }
            return ports;
        } catch (IOException none) {
            throw new ClusterRefused("no free port on the loopback address: " + none.getMessage(), none);
        } finally {
            held.forEach(Ports::close);
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
