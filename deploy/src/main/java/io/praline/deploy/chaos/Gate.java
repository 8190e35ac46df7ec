package io.praline.deploy.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between two processes and passes on what they say. Shut, nothing passes, and nobody is told: what is under way, new
 * connections too, waits until it is open again, as on a network that loses every packet. Any thread.
 */
final class Gate implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int BACKLOG = 50;

    private final ServerSocket listening;
    private final int behind;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    private boolean shut;

    /**
     * Listens there, and passes on to a port of the loopback address.
     *
     * @param address one of the loopback addresses
     * @param port where it listens, and at {@code 127.0.0.1} the other process
     */
    Gate(InetAddress address, int port) {
        try {
            listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(address, port), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ":" + port + ": " + e.getMessage(), e);
        }
        behind = port;
        start(this::accept);
    }

    /** From now on nothing passes. */
    void shut() {
        synchronized (lock) {
            shut = true;
        }
    }

    /** From now on all passes. */
    void open() {
        synchronized (lock) {
            shut = false;
            lock.notifyAll();
        }
    }

    private void awaitOpen() throws InterruptedException {
        synchronized (lock) {
            while (shut) {
                lock.wait();
            }
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "gate");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket came = listening.accept();
                open.add(came);
                start(() -> connect(came));
            }
        } catch (IOException closed) {
            open.forEach(Gate::end);
        }
    }

    private void connect(Socket came) {
        try {
            awaitOpen();
            Socket on = new Socket(InetAddress.getLoopbackAddress(), behind);
            came.setTcpNoDelay(true);
            on.setTcpNoDelay(true);
            open.add(on);
            start(() -> pass(came, on));
            start(() -> pass(on, came));
        } catch (IOException | InterruptedException nobodyThere) {
            drop(came);
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
                awaitOpen();
                out.write(buffer, 0, bytes);
            }
            // nobody hears of an end either, while nothing passes
            awaitOpen();
        } catch (IOException | InterruptedException ended) {
            // the other direction ends with this one
        } finally {
            drop(from);
            drop(to);
        }
    }

    private void drop(Socket socket) {
        open.remove(socket);
        end(socket);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException endedAlready) {
            // that is what was wanted
        }
    }

    @Override
    public void close() {
        open();
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a gate: " + e.getMessage(), e);
        }
    }
}
