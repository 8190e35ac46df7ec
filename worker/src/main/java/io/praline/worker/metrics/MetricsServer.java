package io.praline.worker.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** {@code /metrics} for Prometheus and {@code /ready} for whoever started the worker, on the loopback only. */
public final class MetricsServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread http = new Thread(work, "http");
        http.setDaemon(true);
        return http;
    });

    /**
     * Listens.
     *
     * @param port 0: any that is free
     * @throws IllegalArgumentException naming the port, where it is taken
     */
    public MetricsServer(int port, PrometheusMeterRegistry registry, BooleanSupplier ready) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (BindException e) {
            throw new IllegalArgumentException("the http port " + port + " is in use; choose another", e);
        } catch (IOException e) {
            throw new UncheckedIOException("the http port " + port + " cannot be had: " + e.getMessage(), e);
        }
        server.createContext(
                "/metrics", exchange -> answer(exchange, 200, "text/plain; version=0.0.4", registry.scrape()));
        server.createContext("/ready", exchange -> {
            boolean yes = ready.getAsBoolean();
            answer(exchange, yes ? 200 : 503, "text/plain", yes ? "ready\n" : "not ready\n");
        });
        server.setExecutor(thread);
        server.start();
    }

    /** Where it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
    }
}
