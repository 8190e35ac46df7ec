package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.terminal.JobFiles;
import io.praline.policy.Terms;
import io.praline.schema.ClosedSplits;
import io.praline.schema.FileRun;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlannedFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOKEN = "a-token-of-many-letters";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Entries journal =
            new Entries("train/7").begun(Terms.USUAL).wants(2, 0).has(2, 0).window(2, 0, 0.25);
    private final Board board = new Board(picture(Statuses.running("train/7")));
    private PageServer server;

    private Picture picture(JobStatus... jobs) {
        return Pictures.with(new TreeMap<>(Map.of("train/7", journal.figures())), jobs);
    }

    private void serve(Optional<String> token) {
        Journals journals = job -> job.equals("train/7") ? journal.all() : List.<JournalEntry>of();
        server = PageServer.start(PageData.of(board, journals), "127.0.0.1", 0, token);
    }

    @AfterEach
    void ends() {
        if (server != null) {
            server.close();
        }
    }

    private URI at(String path) {
        return URI.create(server.url().replaceFirst("\\?.*", "")).resolve(path);
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder asked = HttpRequest.newBuilder(at(path));
        if (headers.length > 0) {
            asked.headers(headers);
        }
        return http.send(asked.build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** As no client of the JDK sends it. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at("/").getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(90_000);
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    @Test
    void everyAnswerIsStrict() throws Exception {
        serve(Optional.empty());
        for (String path : List.of("/", "/page.mjs", "/api/v1/jobs", "/nothing")) {
            Map<String, List<String>> headers = get(path).headers().map();
            assertThat(headers)
                    .as(path)
                    .containsEntry(
                            "content-security-policy",
                            List.of("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
                    .containsEntry("x-content-type-options", List.of("nosniff"))
                    .containsEntry("referrer-policy", List.of("no-referrer"))
                    .containsEntry("x-frame-options", List.of("DENY"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/api/v1/nothing", "/../secret", "/api/v1/jobs/nobody", "/api/v2/jobs"})
    void whatThereIsNotIsOneLine(String path) throws Exception {
        serve(Optional.empty());
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body().lines()).hasSize(1);
    }

    @Test
    void nothingIsChangedHere() throws Exception {
        serve(Optional.empty());
        HttpResponse<String> posted = http.send(
                HttpRequest.newBuilder(at("/api/v1/jobs"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.headers().firstValue("allow")).contains("GET, HEAD");
        HttpResponse<String> head = http.send(
                HttpRequest.newBuilder(at("/"))
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aNameThatWasMadeToLeadHereIsRefused() throws Exception {
        serve(Optional.empty());
        assertThat(raw("GET /api/v1/jobs HTTP/1.1\r\nHost: evil.example:8465\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(raw("GET /api/v1/jobs HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 421 ");
        assertThat(raw("GET /api/v1/jobs HTTP/1.1\r\nHost: localhost:1\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void aTokenIsExchangedForACookie() throws Exception {
        serve(Optional.of(TOKEN));
        assertThat(get("/api/v1/jobs").statusCode()).isEqualTo(401);
        assertThat(get("/").statusCode()).isEqualTo(401);
        assertThat(get("/?token=another").statusCode()).isEqualTo(401);
        assertThat(get("/api/v1/jobs", "Authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(200);
        HttpResponse<String> exchanged = get("/?token=" + TOKEN);
        assertThat(exchanged.statusCode()).isEqualTo(303);
        assertThat(exchanged.headers().firstValue("location")).contains("/");
        String cookie = exchanged.headers().firstValue("set-cookie").orElseThrow();
        assertThat(cookie).endsWith("; Path=/; HttpOnly; SameSite=Strict").doesNotContain(TOKEN);
        assertThat(get("/api/v1/jobs", "Cookie", cookie.split(";", 2)[0]).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aJobHasItsSentenceItsFiguresAndItsCommands() throws Exception {
        serve(Optional.empty());
        JsonNode job = json("/api/v1/jobs/train%2F7");
        assertThat(json("/api/v1/jobs")).hasSize(1).first().isEqualTo(job);
        // begun at 100 s, given two workers in the fourth second; 3,200 elements in 2 s
        assertThat(job.path("now")).isEqualTo(JSON.readTree("""
                        {"urgency": "look",
                         "sentence": "Batches limit it: the loop waits 25 % of its time for them.",
                         "advice": "It has 2 remote and 0 local workers: nothing is worth a change.",
                         "commands": ["praline explain train/7", "praline job pin train/7 --remote 3 --local 0"],
                         "change": ["praline explain train/7", "praline job pause train/7",
                                    "praline job pin train/7 --remote 2 --local 0", "praline job cancel train/7"],
                         "elementsPerSecond": 1600.0, "waitShare": 0.25, "batchMillis": 20.0,
                         "measuredAtMillis": 104000, "remote": 2, "local": 0, "wantedRemote": 2, "wantedLocal": 0,
                         "pinned": false, "spent": SPENT, "cap": null, "costPerHour": 5.814638, "goal": "COST",
                         "decisions": 5}""".replace(
                        "SPENT", job.path("now").path("spent").asText())));
        assertThat(job.path("now").path("spent").doubleValue()).isEqualTo((3 * 4.96 + 5.814638) / 3600);
    }

    @Test
    void aJobsDecisionsAndItsCourseAreReadFromItsJournal() throws Exception {
        serve(Optional.empty());
        JsonNode told = json("/api/v1/jobs/train%2F7/explanation?last=2");
        assertThat(told.path("entries").asLong()).isEqualTo(5);
        assertThat(told.path("explanation"))
                .extracting(one -> one.path("sequence").asLong())
                .containsExactly(3L, 4L);
        assertThat(told.path("explanation").get(0).path("lines").get(0).asText())
                .contains("granted");
        assertThat(get("/api/v1/jobs/nobody/explanation").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/jobs/train%2F7/explanation?last=x").statusCode())
                .isEqualTo(400);
        JsonNode course = json("/api/v1/jobs/train%2F7/course");
        assertThat(course.path("atMillis")).isEqualTo(JSON.readTree("[104000]"));
        assertThat(course.path("batchMillis")).isEqualTo(JSON.readTree("[20.0]"));
        assertThat(course.path("remote")).isEqualTo(JSON.readTree("[2]"));
        assertThat(course.path("decisions"))
                .isEqualTo(
                        JSON.readTree(
                                "[{\"atMillis\":102000,\"sequence\":2,\"remote\":2,\"local\":0,\"reason\":\"it is faster so\"}]"));
    }

    // two files of four splits, of which five are closed
    @Test
    void whichOfItsFilesAreDoneIsReadFromItsLedger() throws Exception {
        JobFiles files = new JobFiles("train/7");
        files.take(
                "train/7/files/0",
                Optional.of(new LedgerPage(
                        "train/7",
                        0,
                        new PlannedFiles(1, List.of(new FileRun("/a", 4, 9L), new FileRun("/b", 4, 9L))))));
        files.take(
                "train/7/0/0",
                Optional.of(new LedgerPage("train/7", 0, new ClosedSplits(0, ByteBuffer.wrap(new byte[] {31})))));
        board.show(picture(JobStatus.newBuilder(Statuses.running("train/7"))
                .setProgress(List.of(Statuses.epoch(0, 80, 50, 5, false)))
                .build()));
        server = PageServer.start(PageData.of(board, job -> List.of(), job -> files), "127.0.0.1", 0, Optional.empty());
        assertThat(json("/api/v1/jobs/train%2F7/files")).isEqualTo(JSON.readTree("""
                        {"job": "train/7", "epoch": 0, "splits": 8, "closed": 5, "untold": 0, "files": 2, "filesClosed": 1,
                         "matching": 2, "from": 0,
                         "rows": [{"file": "/a", "splits": 4, "closed": 4, "bytes": 9},
                                  {"file": "/b", "splits": 4, "closed": 1, "bytes": 9}]}"""));
        assertThat(json("/api/v1/jobs/train%2F7/files?epoch=0&open=true&from=0&most=1")
                        .path("rows"))
                .isEqualTo(JSON.readTree("[{\"file\": \"/b\", \"splits\": 4, \"closed\": 1, \"bytes\": 9}]"));
        assertThat(get("/api/v1/jobs/nobody/files").statusCode()).isEqualTo(404);
        for (String wrong : List.of("epoch=1", "epoch=x", "from=-1", "most=0", "most=10001")) {
            HttpResponse<String> answer = get("/api/v1/jobs/train%2F7/files?" + wrong);
            assertThat(answer.statusCode()).as(wrong).isEqualTo(400);
            assertThat(answer.body()).startsWith(wrong.replaceFirst("=.*", "") + " must be a number from ");
        }
    }

    @Test
    void whatChangesIsTold() throws Exception {
        serve(Optional.empty());
        HttpResponse<InputStream> stream = http.send(
                HttpRequest.newBuilder(at("/api/v1/events")).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.headers().firstValue("content-type")).contains("text/event-stream; charset=utf-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            JsonNode all = event(lines, "all");
            assertThat(all.path("jobs")).hasSize(1);
            assertThat(all.path("source"))
                    .isEqualTo(JSON.readTree("{\"what\":\"kafka:9092\",\"live\":true,\"trouble\":null}"));
            board.show(picture(Statuses.running("train/7"), Statuses.running("other")));
            assertThat(event(lines, "jobs"))
                    .extracting(job -> job.path("job").asText())
                    .contains("other");
            board.show(Pictures.withPools(
                    board.picture(), Pictures.pool(Pictures.tenant("vision", 1.5, 0, "train/7", "other"))));
            JsonNode pool = event(lines, "pools").get(0);
            assertThat(pool.path("wanted").asInt()).isEqualTo(4);
            assertThat(pool.path("most").asInt()).isEqualTo(8);
            JsonNode tenant = pool.path("tenants").get(0);
            assertThat(tenant.path("jobs")).isEqualTo(JSON.readTree("[\"train/7\",\"other\"]"));
            assertThat(tenant.path("cap").isNull()).isTrue();
            assertThat(tenant.path("shares").get(1).path("wantedRemote").asInt())
                    .isEqualTo(4);
            board.show(picture(Statuses.running("other")));
            assertThat(event(lines, "gone")).isEqualTo(JSON.readTree("[\"train/7\"]"));
        }
    }

    private static JsonNode event(BufferedReader lines, String name) throws IOException {
        String line = lines.readLine();
        while (!line.equals("event: " + name)) {
            line = lines.readLine();
        }
        return JSON.readTree(lines.readLine().substring("data: ".length()));
    }

    @Test
    void whoReadsTooSlowlyIsCutOff() throws Exception {
        serve(Optional.empty());
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), at("/").getPort())) {
            slow.getOutputStream()
                    .write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            while (board.listening() == 0) {
                Thread.onSpinWait();
            }
            String reason = "x".repeat(1 << 20);
            // what it has not taken and the kernel has not either is bounded: far below these
            for (int i = 0; board.listening() > 0 && i < 100; i++) {
                board.show(picture(Statuses.of("train/7", JobState.WAITING, "slots", reason + i)));
            }
            long deadline = System.nanoTime() + 90_000_000_000L;
            while (board.listening() > 0 && System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
            }
            assertThat(board.listening()).isZero();
        }
    }

    @Test
    void aPortThatIsTakenIsOneLineOrAnotherPort() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PageData data = PageData.of(board, job -> List.of());
            assertThatThrownBy(() -> PageServer.start(data, "127.0.0.1", taken.getLocalPort(), Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("choose another one by --host and --port");
        }
        assertThatThrownBy(() -> PageServer.start(PageData.of(board, job -> List.of()), "0.0.0.0", 0, Optional.empty()))
                .hasMessageContaining("set a token by --token-file");
    }
}
