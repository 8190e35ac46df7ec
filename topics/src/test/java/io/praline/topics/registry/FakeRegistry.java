package io.praline.topics.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * As much of a registry as the codec needs, in memory; writes down what it is asked. Tests of other modules find it in
 * this one's test-jar.
 */
public final class FakeRegistry implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpServer server;
    private final List<String> schemas = new ArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Set<String> authorizations = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failWith = new AtomicInteger();

    public FakeRegistry() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    public KafkaSettings settings() {
        return KafkaSettings.of(
                "localhost:1", "http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Knows this schema from now on; gives its id. */
    public int add(String schema) {
        synchronized (schemas) {
            schemas.add(schema);
            return schemas.size();
        }
    }

    public String schema(int id) {
        synchronized (schemas) {
            return schemas.get(id - 1);
        }
    }

    /** Method and path of what it was asked, with what was put. */
    public List<String> requests() {
        return requests;
    }

    /** What it was shown as authorization. */
    public Set<String> authorizations() {
        return authorizations;
    }

    /** Answers everything with this status from now on. */
    public void failWith(int status) {
        failWith.set(status);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                    .ifPresent(authorizations::add);
            byte[] body = exchange.getRequestBody().readAllBytes();
            String asked =
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
            requests.add(
                    exchange.getRequestMethod().equals("PUT")
                            ? asked + " " + new String(body, StandardCharsets.UTF_8)
                            : asked);
            Map.Entry<Integer, String> answer = failWith.get() > 0
                    ? error(failWith.get(), failWith.get())
                    : answer(asked, body.length == 0 ? JSON.createObjectNode() : JSON.readTree(body));
            byte[] bytes = answer.getValue().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.getKey(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Map.Entry<Integer, String> answer(String asked, JsonNode body) throws IOException {
        if (asked.matches("GET /schemas/ids/\\d+")) {
            int id = Integer.parseInt(asked.substring(asked.lastIndexOf('/') + 1));
            synchronized (schemas) {
                return id < 1 || id > schemas.size()
                        ? error(404, 40403)
                        : Map.entry(
                                200,
                                JSON.createObjectNode()
                                        .put("schema", schemas.get(id - 1))
                                        .toString());
            }
        }
        if (asked.matches("GET /config/.*")) {
            return error(404, 40408);
        }
        if (asked.matches("PUT /config/.*")) {
            return Map.entry(200, body.toString());
        }
        if (asked.matches("POST /subjects/[^/]+/versions")) {
            return Map.entry(200, "{\"id\":" + add(body.get("schema").asText()) + "}");
        }
        if (asked.equals("GET /subjects")) {
            return Map.entry(200, "[]");
        }
        return error(404, 40403);
    }

    private static Map.Entry<Integer, String> error(int status, int code) {
        return Map.entry(status, "{\"error_code\":" + code + ",\"message\":\"no\"}");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
