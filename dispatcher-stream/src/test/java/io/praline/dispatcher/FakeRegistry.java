package io.praline.dispatcher;

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

/** As much of a registry as the codec needs, in memory; for as long as the tests run. */
final class FakeRegistry {
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpServer server;
    private final List<String> schemas = new ArrayList<>();

    FakeRegistry() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    KafkaSettings settings() {
        return KafkaSettings.of(
                "localhost:1", "http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Knows this schema from now on; gives its id. */
    int add(String schema) {
        synchronized (schemas) {
            schemas.add(schema);
            return schemas.size();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            String asked = exchange.getRequestMethod() + " " + path;
            String answer = "{\"error_code\":40403,\"message\":\"no\"}";
            int status = 404;
            if (asked.matches("POST /subjects/[^/]+/versions")) {
                JsonNode schema = JSON.readTree(body);
                answer = "{\"id\":" + add(schema.get("schema").asText()) + "}";
                status = 200;
            } else if (asked.startsWith("PUT /config")) {
                answer = new String(body, StandardCharsets.UTF_8);
                status = 200;
            } else if (asked.matches("GET /schemas/ids/\\d+")) {
                int id = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
                synchronized (schemas) {
                    if (id >= 1 && id <= schemas.size()) {
                        answer = JSON.createObjectNode()
                                .put("schema", schemas.get(id - 1))
                                .toString();
                        status = 200;
                    }
                }
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
