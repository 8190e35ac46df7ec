package io.praline.topics.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** {@code /metrics} for Prometheus and {@code /ready} for whoever waits. One daemon thread of its own. */
public final class StatusServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService thread;

    private StatusServer(HttpServer server, ExecutorService thread) {
        this.server = server;
        this.thread = thread;
    }

    /**
     * Listens from now on.
     *
     * @param address its port 0: any that is free
     * @param metrics in Prometheus' text format; asked by the server's thread, as is {@code ready}
     * @throws IllegalArgumentException if the address is not this host's or the port is taken, naming both
     * @throws UncheckedIOException if it cannot listen for another reason, with a one-line message
     */
    public static StatusServer start(InetSocketAddress address, Supplier<String> metrics, BooleanSupplier ready) {
        String where = address.getHostString() + ":" + address.getPort();
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("cannot listen on " + where + " for /metrics: no such host");
        }
        HttpServer server;
        try {
            server = HttpServer.create(address, 16);
        } catch (BindException taken) {
            throw new IllegalArgumentException(
                    "cannot listen on " + where + " for /metrics: " + reason(taken) + "; choose another http port",
                    taken);
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot listen on " + where + " for /metrics: " + failed.getMessage(), failed);
        }
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "http");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(thread);
        server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.get()));
        server.createContext("/ready", exchange -> {
            boolean now = ready.getAsBoolean();
            answer(exchange, now ? 200 : 503, now ? "ready\n" : "not ready\n");
        });
        server.start();
        return new StatusServer(server, thread);
    }

    /** Where it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    private static String reason(BindException taken) {
        return "Address already in use".equals(taken.getMessage()) ? "the port is in use" : taken.getMessage();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdown();
    }
}
