package io.praline.worker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebFilesTest {
    private static final DateTimeFormatter HTTP_TIME = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

    private final WebFiles files = new WebFiles(Retries.planning());
    private HttpServer server;
    private String address;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        address = "http://localhost:" + server.getAddress().getPort() + "/a";
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void changed(int secondsBeforeItIsAsked) {
        server.createContext("/a", asked -> answer(asked, secondsBeforeItIsAsked));
    }

    private static void answer(HttpExchange asked, int seconds) throws IOException {
        Instant changed = Instant.now().minusSeconds(seconds);
        asked.getResponseHeaders().set("Last-Modified", HTTP_TIME.format(changed));
        asked.getResponseHeaders().set("Content-Length", "40");
        asked.sendResponseHeaders(200, -1);
        asked.close();
    }

    private FileVersion version() {
        return files.look(address).version().orElseThrow();
    }

    @Test
    void aContentThatWasChangedAMomentAgoDoesNotLastSinceAnotherChangeMayHaveTheSameTime() {
        changed(0);
        FileVersion version = version();
        assertThat(version.kind()).isEqualTo(FileVersion.Kind.JUST_MODIFIED);
        assertThat(version.lasts()).isFalse();
        assertThat(FileVersion.parse(version.text())).isEqualTo(version);
    }

    @Test
    void aContentThatWasChangedLongAgoLasts() {
        changed(10);
        FileVersion version = version();
        assertThat(version.kind()).isEqualTo(FileVersion.Kind.MODIFIED);
        assertThat(version.lasts()).isTrue();
    }
}
