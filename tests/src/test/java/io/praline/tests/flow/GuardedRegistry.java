package io.praline.tests.flow;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A registry that answers only who knows its password, and passes on to another that asks for none. */
final class GuardedRegistry implements AutoCloseable {
    static final String USER_INFO = "registry-user:registry-" + SecuredKafka.HUSH;

    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String behind;

    private GuardedRegistry(HttpServer server, String behind) {
        this.server = server;
        this.behind = behind;
    }

    static GuardedRegistry before(String registryUrl) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        GuardedRegistry registry = new GuardedRegistry(server, registryUrl);
        server.createContext("/", registry::handle);
        server.start();
        return registry;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String expected = "Basic " + Base64.getEncoder().encodeToString(USER_INFO.getBytes(StandardCharsets.UTF_8));
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                answer(exchange, 401, "{\"error_code\":401,\"message\":\"Unauthorized\"}");
                return;
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI()))
                    .header("Content-Type", CONTENT_TYPE)
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            HttpResponse<String> passed = client.send(request, HttpResponse.BodyHandlers.ofString());
            answer(exchange, passed.statusCode(), passed.body());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
