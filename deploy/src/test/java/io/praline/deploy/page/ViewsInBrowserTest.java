package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.praline.schema.JobStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every view in light and dark, wide and narrow, as Chromium shows it: a picture of each is kept below target/screenshots. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ViewsInBrowserTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final String AXE = "META-INF/resources/webjars/axe-core/";

    /** What each view has when all of it is there, by its address. */
    private static final Map<String, String> VIEWS = Map.of(
            "jobs", "resnet-7",
            "jobs/resnet-7", "Change it",
            "workers", "worker-a",
            "pools", "Pool default",
            "topics", "the report is not taken");

    @TempDir
    private static Path folder;

    private static Browser browser;

    @BeforeAll
    static void starts() throws Exception {
        browser = Browser.startedOrSkipped(folder);
    }

    @AfterAll
    static void ends() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    private static PageServer serve(Picture picture) {
        return PageServer.start(
                PageData.of(new Board(picture), job -> Pictures.journal().all(), job -> Pictures.files()),
                "127.0.0.1",
                0,
                Optional.empty());
    }

    private static String axe() throws IOException {
        Properties told = new Properties();
        try (InputStream in = resource("META-INF/maven/org.webjars.npm/axe-core/pom.properties")) {
            told.load(in);
        }
        try (InputStream in = resource(AXE + told.getProperty("version") + "/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream resource(String name) throws IOException {
        InputStream found = ViewsInBrowserTest.class.getClassLoader().getResourceAsStream(name);
        if (found == null) {
            throw new IOException("the class path has no " + name);
        }
        return found;
    }

    // of six jobs one is done; the one that failed wants somebody, and goes on no more
    @Test
    void whatFailedIsNotCountedAmongThoseThatWait() throws Exception {
        try (PageServer server = serve(Pictures.full())) {
            open(server, "jobs", "broken-1");
            await().atMost(SOON).untilAsserted(() -> assertThat(browser.text())
                    .contains("4 jobs go on, 1 waits for somebody, 1 failed"));
        }
    }

    /** Opens the view, and waits until all of it is there. */
    private static void open(PageServer server, String view, String last) throws Exception {
        browser.open(server.url() + "#/" + view);
        await().atMost(SOON).untilAsserted(() -> assertThat(browser.text()).contains(last));
        if (view.startsWith("jobs/")) {
            browser.script("document.querySelector('.files').open = true; return 0");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(browser.text()).contains("train-00023-of-00024.tfrecord"));
            await().atMost(SOON)
                    .until(() -> browser.script("return document.querySelectorAll('.plot canvas').length")
                                            .asInt()
                                    == 4
                            && browser.script("return document.querySelectorAll('.decision').length")
                                            .asInt()
                                    > 0);
        }
    }

    @Test
    void noViewHasASeriousBarrierOrIsWiderThanItsScreen() throws Exception {
        Files.createDirectories(SCREENSHOTS);
        List<String> found = new ArrayList<>();
        try (PageServer server = serve(Pictures.full())) {
            browser.open(server.url());
            browser.script(axe());
            for (Map.Entry<String, String> view : VIEWS.entrySet()) {
                for (String scheme : List.of("light", "dark")) {
                    browser.scheme(scheme);
                    for (int width : new int[] {400, 1280}) {
                        browser.size(width);
                        open(server, view.getKey(), view.getValue());
                        String name = view.getKey().replace('/', '-') + "-" + width + "-" + scheme;
                        Files.write(SCREENSHOTS.resolve(name + ".png"), browser.picture(width));
                        for (JsonNode barrier : browser.later(
                                "const done = arguments[0]; axe.run().then(all => done(all.violations.map(one => one.impact + ' '"
                                        + " + one.id + ': ' + one.nodes.map(each => each.html.slice(0, 120) + ' '"
                                        + " + each.failureSummary.replaceAll('\\n', ' ').slice(0, 200)).join(' | '))),"
                                        + " broke => done(['critical it broke: ' + broke]))")) {
                            if (barrier.asText().matches("(?s)(serious|critical).*")) {
                                found.add(name + ": " + barrier.asText());
                            }
                        }
                        int wider = browser.script("return document.documentElement.scrollWidth")
                                .asInt();
                        if (wider > width) {
                            found.add(name + ": is " + wider + " wide");
                        }
                    }
                }
            }
        } finally {
            browser.scheme("light");
            browser.size(1200);
        }
        assertThat(found).isEmpty();
    }

    // of epoch 1 ten files are closed and one split of the eleventh; epoch 0 is complete
    @Test
    void filesAreShownEpochByEpochAndThoseThatAreDoneCanBeLeftOut() throws Exception {
        try (PageServer server = serve(Pictures.full())) {
            open(server, "jobs/resnet-7", "Change it");
            assertThat(browser.text()).contains("10 of 24 files and 41 of 96 splits are closed; 1 to 24 of 24 shown");
            browser.script("document.getElementById('files-open').click(); return 0");
            await().atMost(SOON).untilAsserted(() -> assertThat(browser.text()).contains("1 to 14 of 14 shown"));
            assertThat(browser.text()).contains("train-00010-of-00024.tfrecord").doesNotContain("train-00009-of-00024");
            browser.script("const all = document.getElementById('files-epoch'); all.selectedIndex = 0;"
                    + " all.dispatchEvent(new Event('change')); return 0");
            await().atMost(SOON).untilAsserted(() -> assertThat(browser.text())
                    .contains("24 of 24 files and 96 of 96 splits are closed"));
            assertThat(browser.text()).doesNotContain("train-00010-of-00024");
        }
    }

    /** Milliseconds from frame to frame, a hundred of them, while the page is scrolled. */
    private static DoubleStream frames(int jobs) throws Exception {
        JobStatus[] all = IntStream.range(0, jobs)
                .mapToObj(number -> Statuses.running("job-" + number))
                .toArray(JobStatus[]::new);
        try (PageServer server = serve(Pictures.of(all))) {
            browser.open(server.url());
            await().atMost(SOON)
                    .until(() -> browser.script("return document.querySelectorAll('article').length")
                                    .asInt()
                            == jobs);
            JsonNode told = browser.later("""
                    const done = arguments[0];
                    const frames = [];
                    let last = null;
                    let down = 1;
                    function frame(now) {
                      if (last !== null) frames.push(now - last);
                      last = now;
                      const end = document.documentElement.scrollHeight - innerHeight;
                      if (scrollY >= end - 1) down = -1;
                      if (scrollY <= 0) down = 1;
                      scrollBy({ top: 120 * down, behavior: 'instant' });
                      if (frames.length < 100) requestAnimationFrame(frame);
                      else done(frames);
                    }
                    requestAnimationFrame(frame);
                    """);
            return StreamSupport.stream(told.spliterator(), false).mapToDouble(JsonNode::asDouble);
        }
    }

    // held against a list of ten in the same run, and by turns, so that a loaded machine slows both; a frame more is
    // one
    // that was missed
    @Test
    void aListOfFiveHundredJobsScrollsAsOneOfTen() throws Exception {
        browser.size(1200);
        DoubleStream ofFew = DoubleStream.empty();
        DoubleStream ofMany = DoubleStream.empty();
        for (int turn = 0; turn < 3; turn++) {
            ofFew = DoubleStream.concat(ofFew, frames(10));
            ofMany = DoubleStream.concat(ofMany, frames(500));
        }
        double[] few = ofFew.sorted().toArray();
        double[] many = ofMany.sorted().toArray();
        System.out.printf(
                "frame times of a list of 10 jobs: median %.1f ms, 95th percentile %.1f ms; of 500: %.1f ms, %.1f ms%n",
                few[150], few[285], many[150], many[285]);
        assertThat(many[150]).isLessThan(2 * few[150] + 1000 / 60.0);
    }
}
