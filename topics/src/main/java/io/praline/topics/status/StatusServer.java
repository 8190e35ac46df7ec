package io.praline.topics.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code /metrics} for Prometheus and {@code /ready} for whoever waits. A few daemon threads of its own; a request that takes
 * longer than its time, to come or to be answered, is cut off, so that nobody keeps others out.
 */
public final class StatusServer implements AutoCloseable {
    private static final int THREADS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final HttpServer server;
    private final ExecutorService threads;
    private final ScheduledExecutorService watch;

    private StatusServer(HttpServer server, ExecutorService threads, ScheduledExecutorService watch) {
        this.server = server;
        this.threads = threads;
        this.watch = watch;
    }

    /**
     * Listens from now on.
     *
     * @param address its port 0: any that is free
     * @param metrics in Prometheus' text format; asked by the server's threads, as is {@code ready}
     * @throws IllegalArgumentException if the address is not this host's or the port is taken, naming both
     * @throws UncheckedIOException if it cannot listen for another reason, with a one-line message
     */
    public static StatusServer start(InetSocketAddress address, Supplier<String> metrics, BooleanSupplier ready) {
        return start(address, metrics, ready, LIMIT);
    }

    /** As {@link #start(InetSocketAddress, Supplier, BooleanSupplier)}, with so much time for each request. */
    static StatusServer start(
            InetSocketAddress address, Supplier<String> metrics, BooleanSupplier ready, Duration limit) {
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
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, StatusServer::thread);
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(StatusServer::thread);
        server.setExecutor(request -> threads.execute(() -> within(limit, watch, request)));
        server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.get()));
        server.createContext("/ready", exchange -> {
            boolean now = ready.getAsBoolean();
            answer(exchange, now ? 200 : 503, now ? "ready\n" : "not ready\n");
        });
        server.start();
        return new StatusServer(server, threads, watch);
    }

    private static Thread thread(Runnable task) {
        Thread made = new Thread(task, "http");
        made.setDaemon(true);
        return made;
    }

    /** A thread that is interrupted while it waits for a connection closes it. */
    private static void within(Duration limit, ScheduledExecutorService watch, Runnable request) {
        Thread server = Thread.currentThread();
        ScheduledFuture<?> cut = watch.schedule(server::interrupt, limit.toMillis(), TimeUnit.MILLISECONDS);
        try {
            request.run();
        } finally {
            cut.cancel(false);
            // whether it was cut is of this request alone
            Thread.interrupted();
        }
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
        threads.shutdown();
        watch.shutdownNow();
    }
}
