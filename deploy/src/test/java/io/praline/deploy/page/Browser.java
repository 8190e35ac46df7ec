package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Chromium by its driver, over the W3C's protocol: nothing of either is looked for or loaded elsewhere than on the PATH. */
final class Browser implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Of one answer, on a machine that does much else beside: Chromium's start is the longest. */
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private static final Duration GONE = Duration.ofSeconds(20);

    private static final int HEIGHT = 900;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    /** Starts one; where there is none, the tests that ask for it are skipped and say so. */
    static Browser startedOrSkipped(Path folder) throws Exception {
        Optional<List<Path>> programs = programs();
        assumeTrue(
                programs.isPresent(), "no chromium and chromedriver on the PATH: the page is not tried in a browser");
        return new Browser(programs.get(), folder);
    }

    /** Both programs; empty where one is missing. */
    private static Optional<List<Path>> programs() {
        Optional<Path> chromium = onPath("chromium");
        Optional<Path> driver = onPath("chromedriver");
        return chromium.flatMap(browser -> driver.map(beside -> List.of(browser, beside)));
    }

    private static Optional<Path> onPath(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param folder an empty one for all that it keeps */
    private Browser(List<Path> programs, Path folder) throws Exception {
        Path said = Files.createDirectories(folder).resolve("driver.log");
        // into a file: what nobody reads fills a pipe, and then it stands still
        driver = new ProcessBuilder(programs.get(1).toString(), "--port=0")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            String root = root(said);
            session = root + "/session/" + begin(root, programs.get(0), folder.resolve("profile"));
        } catch (IOException | InterruptedException | RuntimeException failed) {
            end();
            throw failed;
        }
    }

    private String begin(String root, Path chromium, Path profile) throws IOException, InterruptedException {
        Map<String, Object> options = Map.of(
                "binary",
                chromium.toString(),
                "args",
                List.of(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        // a container's /dev/shm has 64 MB
                        "--disable-dev-shm-usage",
                        "--disable-quic",
                        // whatever it would ask for elsewhere is nowhere
                        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--window-size=1200,900",
                        "--user-data-dir=" + profile));
        JsonNode begun = post(
                root + "/session",
                Map.of(
                        "capabilities",
                        Map.of(
                                "alwaysMatch",
                                Map.of(
                                        "goog:chromeOptions",
                                        options,
                                        "timeouts",
                                        Map.of(
                                                "script", PATIENCE.toMillis(),
                                                "pageLoad", PATIENCE.toMillis())))));
        return begun.path("sessionId").asText();
    }

    private String root(Path said) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            String text = Files.readString(said, StandardCharsets.UTF_8);
                            assertThat(driver.isAlive())
                                    .as("chromedriver ended: %s", text)
                                    .isTrue();
                            Matcher port = STARTED.matcher(text);
                            return port.find()
                                    ? Optional.of("http://127.0.0.1:" + port.group(1))
                                    : Optional.<String>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private JsonNode post(String url, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest asked = HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> answer = http.send(asked, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.body());
        }
        return JSON.readTree(answer.body()).path("value");
    }

    void open(String url) throws Exception {
        post(session + "/url", Map.of("url", url));
    }

    /** What a script returns that runs in the page. */
    JsonNode script(String body) throws Exception {
        return post(session + "/execute/sync", Map.of("script", body, "args", List.of()));
    }

    /** What a script tells to its last argument, a function, whenever it has it. */
    JsonNode later(String body) throws Exception {
        return post(session + "/execute/async", Map.of("script", body, "args", List.of()));
    }

    /** All that is to be read on the page. */
    String text() throws Exception {
        return script("return document.body.innerText").asText();
    }

    /** A picture of all of the page, as PNG, in a window of this width that is as high. */
    byte[] picture(int width) throws Exception {
        size(width, script("return document.documentElement.scrollHeight").asInt());
        // what has come into the window with it is drawn with the second frame
        later("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))");
        JsonNode taken = chrome("Page.captureScreenshot", Map.of());
        size(width);
        return Base64.getDecoder().decode(taken.path("data").asText());
    }

    void size(int width) throws Exception {
        size(width, HEIGHT);
    }

    private void size(int width, int height) throws Exception {
        chrome(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** @param scheme light or dark */
    void scheme(String scheme) throws Exception {
        chrome(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    private JsonNode chrome(String command, Map<String, ?> parameters) throws Exception {
        return post(session + "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    @Override
    public void close() throws IOException {
        try {
            http.send(
                    HttpRequest.newBuilder(URI.create(session))
                            .timeout(PATIENCE)
                            .DELETE()
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    /** Waits until nobody is there that writes into the folder. */
    private void end() {
        List<ProcessHandle> all = Stream.concat(driver.descendants(), Stream.of(driver.toHandle()))
                .toList();
        driver.destroy();
        for (ProcessHandle one : all) {
            try {
                one.onExit().get(GONE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException | TimeoutException stays) {
                one.destroyForcibly();
            }
        }
    }
}
