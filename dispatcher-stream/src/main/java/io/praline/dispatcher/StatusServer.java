package io.praline.dispatcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** {@code /metrics} for Prometheus and {@code /ready} for whoever waits. One thread of its own. */
final class StatusServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService thread;

    private StatusServer(HttpServer server, ExecutorService thread) {
        this.server = server;
        this.thread = thread;
    }

    /**
     * Listens from now on.
     *
     * @throws UncheckedIOException if it cannot, with a one-line message
     */
    static StatusServer start(String host, int port, Supplier<String> metrics, BooleanSupplier ready) {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(host, port), 16);
        } catch (IOException taken) {
            throw new UncheckedIOException(
                    "cannot listen on " + host + ":" + port + " for /metrics: " + taken.getMessage(), taken);
        }
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "dispatcher-http");
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

    int port() {
        return server.getAddress().getPort();
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
