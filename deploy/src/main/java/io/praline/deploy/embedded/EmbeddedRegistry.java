package io.praline.deploy.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A schema registry on the loopback address: {@link RegistryApi} over HTTP, its state in a compacted topic of the broker
 * beside it. Any client of Confluent's registry can use it.
 */
final class EmbeddedRegistry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRegistry.class);
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    /** The record that keeps a schema holds its text escaped, and must fit Kafka's default limit of 1 MiB. */
    private static final int MAX_REQUEST_BYTES = 1 << 20;

    private static final int THREADS = 4;

    private final JsonMapper json = new JsonMapper();
    private final HttpServer server;
    private final ExecutorService threads;
    private final SchemaLog log;
    private final RegistryApi api;

    private EmbeddedRegistry(HttpServer server, SchemaLog log, RegistryApi api) {
        this.server = server;
        this.log = log;
        this.api = api;
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "registry-http");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts it and returns when it serves.
     *
     * @throws ClusterRefused if its port is in use or its topic cannot be read
     */
    static EmbeddedRegistry start(String bootstrap, String clusterId, int port) {
        // the server sends head and body apart, and waits for an acknowledgement between them unless told not to
        System.setProperty("sun.net.httpserver.nodelay", "true");
        // in seconds: a request that does not end would hold one of few threads for ever
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        } catch (BindException taken) {
            throw Ports.inUse("registry", port, taken);
        } catch (IOException failed) {
            throw new ClusterRefused("registry port " + port + " cannot be used: " + failed.getMessage(), failed);
        }
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            SchemaLog log = SchemaLog.open(KafkaSettings.of(bootstrap, url));
            EmbeddedRegistry registry = new EmbeddedRegistry(server, log, new RegistryApi(log, clusterId));
            server.createContext("/", registry::handle);
            server.setExecutor(registry.threads);
            server.start();
            return registry;
        } catch (ExecutionException | KafkaException failed) {
            server.stop(0);
            throw new ClusterRefused(
                    "the registry's topic cannot be read: " + EmbeddedBroker.rootMessage(failed), failed);
        } catch (InterruptedException interrupted) {
            server.stop(0);
            Thread.currentThread().interrupt();
            throw new ClusterRefused("interrupted while the registry was starting", interrupted);
        }
    }

    /** Where clients find it. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Completes, with the reason in a line, when the registry can no longer work; never by {@link #close()}. */
    CompletionStage<String> failure() {
        return log.failure();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            int status = 200;
            JsonNode answer;
            try {
                answer = api.answer(request(exchange));
            } catch (RegistryError error) {
                status = error.status();
                answer = json.createObjectNode().put("error_code", error.code()).put("message", error.getMessage());
            } catch (RuntimeException fault) {
                LOG.warn("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), fault);
                status = 500;
                answer = json.createObjectNode().put("error_code", 500).put("message", fault.toString());
            }
            byte[] body = json.writeValueAsBytes(answer);
            exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private RegistryApi.Request request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_REQUEST_BYTES + 1);
        if (body.length > MAX_REQUEST_BYTES) {
            throw RegistryError.tooLarge(MAX_REQUEST_BYTES);
        }
        URI uri = exchange.getRequestURI();
        return new RegistryApi.Request(exchange.getRequestMethod(), path(uri), query(uri), tree(body));
    }

    private JsonNode tree(byte[] body) throws IOException {
        if (body.length == 0) {
            return MissingNode.getInstance();
        }
        try {
            return json.readTree(body);
        } catch (JsonProcessingException malformed) {
            throw RegistryError.malformed("The body is not JSON: " + malformed.getOriginalMessage());
        }
    }

    private static List<String> path(URI uri) {
        List<String> parts = new ArrayList<>();
        for (String part : uri.getRawPath().split("/", -1)) {
            if (!part.isEmpty()) {
                parts.add(decoded(part.replace("+", "%2B")));
            }
        }
        return List.copyOf(parts);
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                query.putIfAbsent(decoded(name), decoded(value));
            }
        }
        return query;
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw RegistryError.malformed("The path or query is not URL-encoded: " + part);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        log.close();
    }
}
