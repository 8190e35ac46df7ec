package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.dispatcher.replay.JournalFile;
import io.praline.policy.Terms;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page as Chromium shows it; skipped where there is none. */
@Tag("long")
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class PageInBrowserTest {
    /** As long as a loaded machine may take; on an idle one all of it comes within a second. */
    private static final Duration SOON = Duration.ofSeconds(90);

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

    private static PageServer serve(PageData data, int port) {
        return PageServer.start(data, "127.0.0.1", port, Optional.empty());
    }

    private static PageData data(Board board) {
        return PageData.of(board, job -> List.of());
    }

    private static void awaitText(String... parts) {
        await().atMost(SOON).untilAsserted(() -> assertThat(browser.text()).contains(parts));
    }

    @Test
    void aRecordedJobIsShownWithItsSentenceItsCourseAndItsDecisions() throws Exception {
        Path file = folder.resolve("train-7.avro");
        JournalFile.write(
                file,
                new Entries("train-7")
                        .begun(Terms.USUAL)
                        .wants(2, 0)
                        .has(2, 0)
                        .window(2, 0, 0.4)
                        .window(2, 0, 0.4)
                        .all());
        try (PageData data = PageData.recorded(file);
                PageServer server = serve(data, 0)) {
            browser.open(server.url());
            awaitText("recorded: train-7.avro", "Batches limit it: the loop waits 40 % of its time for them.");
            browser.open(server.url() + "#/jobs/train-7");
            awaitText("scaleTo 2 remote and 0 local: it is faster so", "praline job cancel train-7");
            await().atMost(SOON)
                    .until(() -> browser.script("return document.querySelectorAll('.plot canvas').length")
                                    .asInt()
                            == 4);
            browser.script("document.querySelector('.decision').open = true");
            assertThat(browser.text())
                    .contains("then     it had 2 remote and 0 local after 1.0 s")
                    .contains("The journal does not tell.")
                    .doesNotContain("No epoch has begun", "None is known");
        }
    }

    // of a journal from days ago the page hears nothing by itself, so that it knows of no decision
    @Test
    void theCourseOfAJobThatEndedLongAgoIsShownToo() throws Exception {
        Entries journal = new Entries("old")
                .begun(Terms.USUAL)
                .wants(2, 0)
                .has(2, 0)
                .window(2, 0, 0.4)
                .window(2, 0, 0.4);
        Board board = new Board(Pictures.of(Statuses.of("old", JobState.COMPLETED, "", "")));
        try (PageServer server = serve(PageData.of(board, job -> journal.all()), 0)) {
            browser.open(server.url() + "#/jobs/old");
            awaitText("scaleTo 2 remote and 0 local: it is faster so");
            await().atMost(SOON)
                    .until(() -> browser.script("return document.querySelectorAll('.plot canvas').length")
                                    .asInt()
                            == 4);
        }
        try (PageServer server = serve(data(board), 0)) {
            browser.open(server.url() + "#/jobs/old");
            awaitText("Nothing is measured yet.", "Nothing was decided yet.");
        }
    }

    @Test
    void anAddressThatNoLinkHasStopsNothing() throws Exception {
        Board board = new Board(Pictures.of(Statuses.running("resnet-7")));
        for (String typed : List.of("#/%", "#/constructor", "#/toString/x", "#jobs")) {
            try (PageServer server = serve(data(board), 0)) {
                browser.open(server.url() + typed);
                awaitText("resnet-7");
            }
        }
        try (PageServer server = serve(data(board), 0)) {
            browser.open(server.url() + "#/jobs/%");
            awaitText("No job with this id is known.");
            browser.open(server.url() + "#/jobs");
            awaitText("resnet-7");
        }
    }

    @Test
    void whatHappensIsShownAndNothingOfItIsMarkup() throws Exception {
        Board board = new Board(Pictures.of());
        try (PageServer server = serve(data(board), 0)) {
            browser.open(server.url());
            awaitText("No job is known yet");
            board.show(
                    Pictures.of(Statuses.of("<img src=x>", JobState.WAITING, "slots", "<b>all</b> slots are taken")));
            awaitText("<img src=x>", "Waits: <b>all</b> slots are taken.");
            assertThat(browser.script("return document.querySelectorAll('main img, main b').length")
                            .asInt())
                    .isZero();
            board.show(Pictures.of(Statuses.of("<img src=x>", JobState.WAITING, "paused", "it is paused")));
            awaitText("It is paused.", "praline job resume '<img src=x>'");
            assertThat(browser.script("return performance.getEntriesByType('resource').map(one => one.name)"
                                    + ".filter(name => !name.startsWith(location.origin + '/'))")
                            .size())
                    .isZero();
        }
    }

    @Test
    void aServerThatIsStartedAgainIsFoundAgain() throws Exception {
        PageServer first = serve(data(new Board(Pictures.of(Statuses.running("before")))), 0);
        String url = first.url();
        try {
            browser.open(url);
            awaitText("before");
        } finally {
            first.close();
        }
        awaitText("The page has lost its server");
        try (PageServer again = serve(
                data(new Board(Pictures.of(Statuses.running("behind")))),
                URI.create(url).getPort())) {
            assertThat(again.url()).isEqualTo(url);
            awaitText("behind");
            assertThat(browser.text()).doesNotContain("before", "has lost its server");
        }
    }

    @Test
    void fiveHundredJobsAreShownAndOneOfThemChangesAlone() throws Exception {
        JobStatus[] jobs = IntStream.range(0, 500)
                .mapToObj(number -> Statuses.running("job-" + number))
                .toArray(JobStatus[]::new);
        Board board = new Board(Pictures.of(jobs));
        try (PageServer server = serve(data(board), 0)) {
            browser.open(server.url());
            await().atMost(SOON)
                    .until(() -> browser.script("return document.querySelectorAll('article').length")
                                    .asInt()
                            == 500);
            browser.script(
                    "window.changed = new Set();"
                            + "new MutationObserver(all => all.forEach(one => changed.add("
                            + "one.target.parentElement?.closest('article'))))"
                            + ".observe(document.querySelector('.cards'), {subtree: true, childList: true, characterData: true})");
            jobs[7] = Statuses.of("job-7", JobState.WAITING, "paused", "it is paused");
            board.show(Pictures.of(jobs));
            awaitText("It is paused.");
            // it, and the list in which it moved up
            assertThat(browser.script("return changed.size").asInt()).isLessThanOrEqualTo(2);
            assertThat(browser.script("return document.querySelector('article h2').innerText")
                            .asText())
                    .contains("job-7");
        }
    }
}
