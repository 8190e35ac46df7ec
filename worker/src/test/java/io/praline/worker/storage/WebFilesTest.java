package io.praline.worker.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
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

    /** Answers by hand: the JDK's server does not break its word. */
    private static Thread answers(ServerSocket socket, String... answers) {
        Thread thread = new Thread(() -> {
            for (String answer : answers) {
                try (Socket asked = socket.accept()) {
                    BufferedReader request = new BufferedReader(
                            new InputStreamReader(asked.getInputStream(), StandardCharsets.US_ASCII));
                    for (String line = request.readLine(); line != null && !line.isEmpty(); ) {
                        line = request.readLine();
                    }
                    asked.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException closed) {
                    return;
                }
            }
        });
        thread.start();
        return thread;
    }

    private static String found(String body, int length) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\nConnection: close\r\n\r\n" + body;
    }

    private static List<String> names(Iterator<StoredFile> files) {
        List<String> names = new ArrayList<>();
        files.forEachRemaining(file -> names.add(file.name()));
        return names;
    }

    // of three files of six letters with a line feed each two come, and then the connection breaks
    @Test
    void aListThatBreaksOffIsAskedForAgain() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            String at = "http://127.0.0.1:" + socket.getLocalPort() + "/";
            String list = "a.data\nb.data\nc.data\n";
            Thread answering = answers(
                    socket,
                    found(list.substring(0, 14), 21),
                    found(list, 21),
                    found("", 4),
                    found("", 4),
                    found("", 4));
            assertThat(names(files.find(at + "list?list")))
                    .containsExactly(at + "a.data", at + "b.data", at + "c.data");
            answering.join();
        }
    }

    @Test
    void anAddressWithLettersBeyondAsciiIsAskedForAsThey() {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getRawPath());
            answer(exchange, 10);
        });
        String named = address.replace("/a", "/k\u00e4se");
        assertThat(files.look(named).name()).isEqualTo(named);
        assertThat(asked).containsExactly("/k%C3%A4se");
    }

    // in pieces, as a proxy sends what it packs anew: all of it comes, whatever was asked for
    @Test
    void aContentThatComesWholeAndInPiecesIsTheOneThatItsTagSays() throws Exception {
        byte[] bytes = "forty bytes that nobody counts beforehand".getBytes(StandardCharsets.US_ASCII);
        server.createContext("/a", exchange -> {
            exchange.getResponseHeaders().set("ETag", "\"one\"");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        FileVersion planned = new FileVersion(FileVersion.Kind.ETAG, bytes.length, "\"one\"");
        try (FileStore.Content content = files.open(address, planned, 0, bytes.length)) {
            assertThat(content.whole()).isTrue();
            assertThat(content.in().readAllBytes()).isEqualTo(bytes);
        }
        FileVersion other = new FileVersion(FileVersion.Kind.ETAG, bytes.length, "\"two\"");
        assertThatThrownBy(() -> files.open(address, other, 0, bytes.length)).hasMessageContaining("was changed");
        FileVersion length = new FileVersion(FileVersion.Kind.LENGTH, bytes.length, "");
        assertThatThrownBy(() -> files.open(address, length, 0, bytes.length))
                .hasMessageContaining("does not say how long it is");
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
