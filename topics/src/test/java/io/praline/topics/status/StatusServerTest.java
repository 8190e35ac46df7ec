package io.praline.topics.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
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
                .timeout(Duration.ofSeconds(10))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
