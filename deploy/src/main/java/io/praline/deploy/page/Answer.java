package io.praline.deploy.page;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What is sent back, with the headers that every answer has. */
final class Answer {
    static final String JSON = "application/json; charset=utf-8";

    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpResponseStatus status;
    private final String type;
    private final byte[] body;
    private final Map<String, String> headers;

    private Answer(HttpResponseStatus status, String type, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.type = type;
        this.body = body;
        this.headers = headers;
    }

    static Answer json(Object value) {
        return new Answer(HttpResponseStatus.OK, JSON, Board.json(value), Map.of());
    }

    static Answer of(Assets.Asset asset) {
        return new Answer(HttpResponseStatus.OK, asset.type(), asset.bytes(), Map.of());
    }

    /** One line. */
    static Answer line(HttpResponseStatus status, String line) {
        return line(status, line, Map.of());
    }

    static Answer line(HttpResponseStatus status, String line, Map<String, String> headers) {
        return new Answer(status, TEXT, (line + "\n").getBytes(StandardCharsets.UTF_8), headers);
    }

    FullHttpResponse response() {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        strict(response.headers(), type);
        headers.forEach(response.headers()::set);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return response;
    }

    /** Nothing from elsewhere runs or is loaded here, nobody frames it, nobody is told where it lies, and nothing is kept. */
    static void strict(HttpHeaders headers, String type) {
        headers.set(HttpHeaderNames.CONTENT_TYPE, type);
        headers.set(
                HttpHeaderNames.CONTENT_SECURITY_POLICY,
                "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set(HttpHeaderNames.X_FRAME_OPTIONS, "DENY");
        headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    }
}
