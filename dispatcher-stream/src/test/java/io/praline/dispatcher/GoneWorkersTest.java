package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.identity.AttemptKey;
import io.praline.schema.Decided;
import io.praline.schema.FinishAttempt;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import io.praline.schema.WorkerCommand;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the elements of attempts that had ended when their worker went, with nobody else to serve their epoch. */
class GoneWorkersTest {
    /** Four files, one of which is empty: what comes back is little enough that the pool does not look after it. */
    private static final int FEW = 4;

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
    private final PretendClient client = new PretendClient(rig, "job", 0, workers);

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id, int files) {
        PretendWorker worker = new PretendWorker(rig, id, 1, files);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    /** A worker that has read all of the job's first epoch, of which its consumer has taken nothing yet. */
    private PretendWorker thatReadAll(int files, int epochs) {
        PretendWorker worker = worker("w1", files);
        rig.submit("job", Rig.submit().setEpochs(epochs).build());
        rig.attach("job", 0, client.incarnation());
        rig.seconds(files + 4, workers.values());
        assertThat(worker.started()).first().isEqualTo(new AttemptKey("job", 0, 0));
        assertThat(worker.endReached(new AttemptKey("job", 0, 0), 0, 0)).isFalse();
        return worker;
    }

    private List<JournalEntry> journal(JournalKind kind) {
        return rig.journal().stream()
                .filter(entry -> entry.getObservation().getKind().equals(kind.text()))
                .toList();
    }

    private void assertEachOnce(int epoch, int files) {
        assertThat(client.given(epoch)).hasSize((int) PretendWorker.recordsOf(files));
        assertThat(client.given(epoch).values()).containsOnly(1);
    }

    private static Decided started(String worker, int epoch, int attempt) {
        return Decided.newBuilder()
                .setCommand(JournalCommand.START_ATTEMPT.text())
                .setSubject(worker)
                .setNumbers(Map.of("epoch", (double) epoch, "attempt", (double) attempt))
                .build();
    }

    // lost after 5 s of silence, given up 10 s later
    @Test
    void whatItsConsumerDoesNotTakeWithinTenSecondsIsReadAgainByAnother() {
        thatReadAll(FEW, 1).kill();
        worker("w2", FEW);
        rig.seconds(18, workers.values());
        rig.attach("job", 0, client.incarnation());

        assertThat(journal(JournalKind.ATTEMPT_LOST)).singleElement().satisfies(lost -> {
            assertThat(lost.getReason()).isEqualTo("worker w1 is gone and not all that it made was taken");
            Duration after = Duration.ofMillis(
                    lost.getAtMillis() - journal(JournalKind.WORKER_LOST).get(0).getAtMillis());
            assertThat(after).isBetween(Duration.ofSeconds(10), Duration.ofMillis(11_500));
        });
        assertThat(journal(JournalKind.SPLITS_RETURNED)).isEmpty();

        rig.seconds(20, workers.values(), client);

        assertThat(journal(JournalKind.SPLITS_RETURNED)).singleElement().satisfies(rescue -> {
            assertThat(rescue.getObservation().getNumbers()).isEqualTo(Map.of("epoch", 0.0, "splits", 3.0));
            assertThat(rescue.getDecision()).containsExactly(started("w2", 0, 1));
            assertThat(rescue.getReason())
                    .isEqualTo("3 splits of epoch 0 came back and nobody reads that epoch any more: w2 finishes it");
        });
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(0, FEW);
    }

    // twelve seconds of silence, twice: seven after it is taken for lost
    @Test
    void aWorkerThatIsBackWithinTenSecondsIsLeftWhatItMadeHoweverOften() {
        PretendWorker worker = thatReadAll(FEW, 1);
        for (int time = 0; time < 2; time++) {
            rig.pass(Duration.ofSeconds(12));
            worker.beat();
            rig.attach("job", 0, client.incarnation());
            rig.seconds(1, workers.values());
        }
        rig.seconds(10, workers.values(), client);

        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(2);
        assertThat(journal(JournalKind.ATTEMPT_LOST)).isEmpty();
        assertThat(worker.started()).hasSize(1);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(0, FEW);
    }

    // the one that is there is not lost by it, nor ever taken for a late one itself
    @Test
    void aProcessThatWasReplacedIsNotTakenForALiveOneByWhoTakesOver() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(1);
        rig.restart();
        rig.beat(Rig.worker("w1", 1).build());
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());

        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(1);
        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(1);

        // the row of a worker that is seen to change keeps it
        rig.beat(Rig.worker("w1", 3).setIncarnation("w1-2").build());
        rig.restart();
        rig.beat(Rig.worker("w1", 1).build());
        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(1);
    }

    // silent for 7 s, and followed; one that left, too
    @Test
    void aProcessThatWasGoneBeforeAnotherCameByItsNameDoesNotTakeItsPlace() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.pass(Duration.ofSeconds(7));
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        rig.beat(Rig.worker("w1", 1).build());
        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(1);
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(1);

        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").setLeaving(true).build());
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-3").build());
        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(2);

        // also by who takes over: those that are there have them in their rows
        rig.restart();
        rig.beat(Rig.worker("w1", 1).build());
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-3").build());
        assertThat(journal(JournalKind.WORKER_LOST)).hasSize(2);
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(3);
    }

    // its row tells whose it is: it reads on for its job, and goes to no other
    @Test
    void aWorkerOnATrainersHostIsFoundAgainByTheNextDispatcher() {
        PretendWorker local = new PretendWorker(rig, "local", 1, 400).onlyFor("job");
        workers.put("local", local);
        local.beat();
        rig.submit(
                "job",
                Rig.submit()
                        .setPolicy("fixed")
                        .setPolicySettings(Map.of("remote", "0", "local", "1"))
                        .setMaxLocal(1)
                        .build());
        rig.seconds(4, workers.values(), client);
        assertThat(local.running()).isOne();

        rig.restart();
        rig.submit("other", Rig.submit().build());
        rig.seconds(4, workers.values(), client);

        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("other").getReason()).isEqualTo("no worker in pool default");
        assertThat(local.started()).containsExactly(new AttemptKey("job", 0, 0));
        assertThat(rig.everSent()).extracting(WorkerCommand::getBody).noneMatch(FinishAttempt.class::isInstance);
    }

    // 24 splits come back: two of three workers finish the epoch, not the one that finishes the next one, whose end
    // waits
    @Test
    void anEarlierEpochIsFinishedByAsManyAsItsSplitsNeedBeforeTheStreamEnds() {
        int files = 30;
        thatReadAll(files, 2).kill();
        worker("w2", files);
        worker("w3", files);
        worker("w4", files);
        rig.seconds(17, workers.values());
        rig.seconds(60, workers.values(), client);

        assertThat(journal(JournalKind.SPLITS_RETURNED))
                .filteredOn(entry -> entry.getObservation().getNumbers().get("epoch") == 0)
                .extracting(JournalEntry::getDecision)
                .containsExactly(List.of(started("w3", 0, 1)), List.of(started("w4", 0, 2)));
        assertThat(rig.journal())
                .extracting(JournalEntry::getReason)
                .containsSubsequence(
                        "worker w1 was silent for 5 s",
                        "worker w1 is gone and not all that it made was taken",
                        "24 splits of epoch 0 came back and nobody reads that epoch any more: w3 finishes it",
                        "24 splits of epoch 0 came back and nobody reads that epoch any more: w4 finishes it",
                        "every split of epoch 0 is assigned",
                        "every split of the last epoch is assigned and nothing can come back: the stream ends with it")
                .filteredOn(reason -> reason.endsWith("the stream ends with it"))
                .hasSize(1);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(0, files);
        assertEachOnce(1, files);
    }
}
