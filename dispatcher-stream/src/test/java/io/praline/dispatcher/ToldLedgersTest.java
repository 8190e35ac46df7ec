package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.progress.ClosedPages;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.schema.ClosedSplits;
import io.praline.schema.EpochProgress;
import io.praline.schema.FileRun;
import io.praline.schema.JobState;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlanSplits;
import io.praline.schema.PlannedFiles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of the pages of plans. */
class ToldLedgersTest {
    private static final ProtocolLimits USUAL = ProtocolLimits.USUAL;
    private static final int KEPT_SECONDS = 10;

    /** Ended jobs are forgotten soon. */
    private final Rig rig = new Rig(new Rules(
            "every-worker",
            Rig.RULES.division(),
            Rig.RULES.poolSize(),
            new ProtocolLimits(
                    USUAL.workerSilence(),
                    USUAL.consumerSilence(),
                    USUAL.lease(),
                    USUAL.repeatAfter(),
                    Duration.ofSeconds(KEPT_SECONDS),
                    Duration.ofSeconds(100),
                    USUAL.engineFailures(),
                    USUAL.room(),
                    USUAL.renewal())));

    private final Map<String, LedgerPage> told = rig.keepLedgerPages();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendClient runs(int files, int epochs) {
        PretendWorker worker = new PretendWorker(rig, "w1", 1, files);
        workers.put("w1", worker);
        worker.beat();
        rig.submit("job", Rig.submit().setEpochs(epochs).build());
        return new PretendClient(rig, "job", 0, workers);
    }

    private void second(PretendClient client) {
        rig.seconds(1, workers.values(), client);
    }

    private List<FileRun> files(int page) {
        LedgerPage its = told.get("job/files/" + page);
        return its == null ? List.of() : ((PlannedFiles) its.getBody()).getRuns();
    }

    /** Splits of the first page that were told as closed. */
    private int closed(int epoch) {
        LedgerPage its = told.get("job/" + epoch + "/0");
        return its == null
                ? 0
                : BitSet.valueOf(((ClosedSplits) its.getBody()).getSplits().duplicate())
                        .cardinality();
    }

    // 2,500 files are three pages
    @Test
    void whatIsPlannedIsToldPageByPage() {
        runs(2_500, 1);
        workers.get("w1").obey();
        assertThat(told.keySet()).containsExactly("job/files/0", "job/files/1", "job/files/2");
        assertThat(files(0)).hasSize(1_000);
        assertThat(files(2)).hasSize(500);
        assertThat(files(2).get(499).getFile())
                .isEqualTo(Rig.file(2_499).getPaths().get(0));
        assertThat(told.get("job/files/1").getPage()).isEqualTo(1);
    }

    // every second all pages are told of which a split was closed: nothing is behind what the status says
    @Test
    void eachSecondAsManySplitsAreToldAsTheStatusCounts() {
        PretendClient client = runs(23, 2);
        boolean between = false;
        for (int i = 0; i < 400 && rig.status("job").getState() != JobState.COMPLETED; i++) {
            second(client);
            for (EpochProgress epoch : rig.status("job").getProgress()) {
                long least = epoch.getComplete() ? 0 : epoch.getSplitsClosed();
                long most = epoch.getComplete() ? 0 : 23;
                assertThat((long) closed(epoch.getEpoch())).isBetween(least, most);
                between |= closed(epoch.getEpoch()) > 0;
            }
        }
        assertThat(between).isTrue();
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        // of complete epochs nothing is left
        assertThat(told.keySet()).containsExactly("job/files/0");
    }

    private PretendClient halfWay() {
        PretendClient client = runs(40, 1);
        while (closed(0) < 10) {
            second(client);
        }
        return client;
    }

    @Test
    void whoTakesOverTellsAllThatIsOpenAgain() {
        PretendClient client = halfWay();
        int before = closed(0);
        told.remove("job/0/0");
        rig.restart();
        second(client);
        assertThat(closed(0)).isGreaterThanOrEqualTo(before);
    }

    @Test
    void whereAJobEndsBeforeItsEpochItIsToldHowFarItCameUntilItIsForgotten() {
        halfWay();
        // closed since the last tick, which told the rest
        workers.get("w1").read();
        rig.cancel("job", "enough");
        assertThat(closed(0))
                .isEqualTo((int) rig.status("job").getProgress().get(0).getSplitsClosed());
        assertThat(files(0)).hasSize(40);
        for (int second = 0; second < KEPT_SECONDS + 2; second++) {
            workers.get("w1").beat();
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(told).isEmpty();
    }

    // the first plan gets two pages, and its worker is silent then
    @Test
    void ofAPlanThatIsDroppedNothingIsLeft() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.pages("job", asked("w1"), "w1", 2_000);
        assertThat(told.keySet()).containsExactly("job/files/0", "job/files/1");
        for (int second = 0; second < 15; second++) {
            rig.beat(Rig.worker("w2", 1).build());
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(told).isEmpty();
        PlanSplits again = asked("w2");
        assertThat(again.getPlan()).isGreaterThan(1);
        rig.plan("job", again, "w2", 3);
        assertThat(((PlannedFiles) told.get("job/files/0").getBody()).getPlan()).isEqualTo(again.getPlan());
        assertThat(files(0)).hasSize(3);
    }

    // the header is not there to say how many pages there are, and what closed is on the topic
    @Test
    void ofAJobWhoseRowsCannotBeReadNothingIsLeft() {
        halfWay();
        assertThat(told.keySet()).containsExactly("job/0/0", "job/files/0");
        unreadable('j');
        assertThat(told).isEmpty();
    }

    // of an ended job the header alone says how many pages there were
    @Test
    void ofAnEndedJobWhoseRowsCannotBeReadNothingIsLeft() {
        halfWay();
        rig.cancel("job", "enough");
        assertThat(told.keySet()).containsExactly("job/0/0", "job/files/0");
        unreadable('s');
        assertThat(told).isEmpty();
    }

    /** Another dispatcher takes over, and cannot read the job's row of this kind. */
    private void unreadable(char kind) {
        rig.rows().put((kind + "job").getBytes(StandardCharsets.UTF_8), new byte[] {(byte) 0xff});
        rig.restart();
        workers.get("w1").beat();
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason()).startsWith("its rows cannot be read");
    }

    private PlanSplits asked(String worker) {
        return rig.commands(worker).stream()
                .filter(PlanSplits.class::isInstance)
                .map(PlanSplits.class::cast)
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    // a split on each of 450 pages is closed: told in three goes, each page once, whatever is closed meanwhile
    @Test
    void ofAPlanOfManyPagesSomeAreToldAtATime() {
        EpochLedger epoch = EpochLedger.open(new MapRows(), "job", 0, false);
        ClosedPages pages = new ClosedPages();
        close(epoch, 450, 0);
        pages.note("job", List.of(epoch));
        assertThat(pages.take()).extracting(LedgerPage::getPage).hasSize(200).contains(0, 199);
        close(epoch, 300, 1);
        pages.note("job", List.of(epoch));
        assertThat(pages.take()).extracting(LedgerPage::getPage).hasSize(200).contains(200, 399);
        List<LedgerPage> rest = pages.take();
        assertThat(rest)
                .extracting(LedgerPage::getPage)
                .hasSize(200)
                .startsWith(400)
                .contains(449, 0, 149);
        // bits 0 and 1 of page 0
        assertThat(((ClosedSplits) rest.get(50).getBody()).getSplits().array()).containsExactly(3);
        assertThat(pages.take()).hasSize(50);
        assertThat(pages.take()).isEmpty();
        close(epoch, 2, 2);
        pages.note("job", List.of(epoch));
        epoch.setComplete();
        assertThat(pages.take()).isEmpty();
    }

    /** Closes the split at this place of so many pages. */
    private static void close(EpochLedger epoch, int pages, int at) {
        int attempt = epoch.start(new Place("w1", "i", "host", List.of(), false));
        epoch.assign(
                attempt,
                LongStream.range(0, pages).mapToObj(page -> page * 1_000 + at).toList(),
                ordinal -> OptionalLong.empty());
        epoch.fence(attempt, "over", Instant.EPOCH);
        epoch.close(attempt);
        epoch.save();
    }
}
