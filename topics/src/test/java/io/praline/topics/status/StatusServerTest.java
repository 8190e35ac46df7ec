package io.praline.topics.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StatusServerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void servesWhatIsMeasured() throws Exception {
        try (StatusServer server = StatusServer.start(ANY_PORT, () -> "praline_jobs 3\n", () -> true)) {
            HttpResponse<String> answer = get(server, "/metrics");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("praline_jobs 3\n");
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
        }
    }

    @Test
    void saysWhetherTheProgramIsReadyNow() throws Exception {
        AtomicBoolean ready = new AtomicBoolean();
        try (StatusServer server = StatusServer.start(ANY_PORT, () -> "", ready::get)) {
            assertThat(get(server, "/ready").statusCode()).isEqualTo(503);
            ready.set(true);
            assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
        }
    }

    // more half requests than it has threads
    @Test
    void whoAsksHalfAQuestionKeepsNobodyOut() throws Exception {
        List<Socket> half = new ArrayList<>();
        try (StatusServer server = StatusServer.start(ANY_PORT, () -> "", () -> true, Duration.ofMillis(300))) {
            for (int i = 0; i < 8; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write("GET /ready HTTP/1.1\r\nHost".getBytes(StandardCharsets.UTF_8));
                half.add(socket);
            }
            assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
            for (Socket socket : half) {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
        } finally {
            for (Socket socket : half) {
                socket.close();
            }
        }
    }

    @Test
    void namesThePortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
            assertThatThrownBy(() -> StatusServer.start(address, () -> "", () -> true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot listen on localhost:" + taken.getLocalPort()
                            + " for /metrics: the port is in use; choose another http port");
        }
    }

    @Test
    void namesTheHostThatIsNone() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere..invalid", 9090);
        assertThatThrownBy(() -> StatusServer.start(nowhere, () -> "", () -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot listen on nowhere..invalid:9090 for /metrics: no such host");
    }

    private static HttpResponse<String> get(StatusServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(90))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
