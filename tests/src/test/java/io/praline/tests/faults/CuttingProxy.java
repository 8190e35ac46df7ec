package io.praline.tests.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between client and worker, and cuts or stops what goes through. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final int port;
    private volatile boolean stalled;
    private volatile long cutEveryBytes = Long.MAX_VALUE;

    CuttingProxy(String address) throws IOException {
        port = URI.create(address).getPort();
        start(this::accept);
    }

    List<String> addresses() {
        return List.of("tcp://127.0.0.1:" + listening.getLocalPort());
    }

    /** Each connection from now on is reset when so many bytes have come from the worker. */
    void cutEvery(long bytes) {
        cutEveryBytes = bytes;
    }

    /** What is connected now hears nothing any more, and is not closed; what connects later works. */
    void stallOpenOnes() {
        stalled = true;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                stalled = false;
                Socket worker = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(client);
                open.add(worker);
                start(() -> pump(client, worker, Long.MAX_VALUE));
                start(() -> pump(worker, client, cutEveryBytes));
            }
        } catch (IOException closed) {
            open.forEach(CuttingProxy::reset);
        }
    }

    private void pump(Socket from, Socket to, long most) {
        byte[] buffer = new byte[10_000];
        long passed = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            while (passed < most) {
                int bytes = in.read(buffer);
                if (bytes < 0) {
                    return;
                }
                if (stalled) {
                    Thread.sleep(Long.MAX_VALUE);
                }
                to.getOutputStream().write(buffer, 0, bytes);
                passed += bytes;
            }
            reset(to);
        } catch (IOException | InterruptedException cut) {
            // the other direction ended it
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException closedAlready) {
            // that is what was wanted
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
