package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AttemptPlace;
import io.praline.schema.EpochProgress;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.Pause;
import io.praline.schema.WorkerCommand;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The life of jobs in the whole topology, with workers and consumers that keep to the protocol. */
class JobLifeTest {
    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id, int slots, int files) {
        PretendWorker worker = new PretendWorker(rig, id, slots, files);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    private PretendClient client(String job) {
        return new PretendClient(rig, job, 0, workers);
    }

    /** One second of everybody's life. */
    private void second(PretendClient... clients) {
        rig.seconds(1, workers.values(), clients);
    }

    private void untilOver(String job, PretendClient... clients) {
        for (int i = 0; i < 400 && !ended(job); i++) {
            second(clients);
        }
    }

    private boolean ended(String job) {
        return rig.status(job) != null
                && List.of(JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED)
                        .contains(rig.status(job).getState());
    }

    /** Each element of every split, once. */
    private static void assertEachOnce(PretendClient client, int epoch, int files) {
        assertThat(client.given(epoch)).hasSize((int) PretendWorker.recordsOf(files));
        assertThat(client.given(epoch).values()).containsOnly(1);
    }

    // 23 files of 0, 7, 14, 21, 28 records: 4 * 70 + 21 = 301 elements, 37 batches of 8 and one of 5
    @Test
    void oneWorkerServesOneJobToItsEnd() {
        worker("w1", 1, 23);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        untilOver("job", client);
        JobStatus status = rig.status("job");
        assertThat(status.getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 23);
        assertThat(client.streamOver()).isTrue();
        EpochProgress progress = status.getProgress().get(0);
        assertThat(progress.getElements()).isEqualTo(301);
        assertThat(progress.getConsumed()).isEqualTo(301);
        assertThat(progress.getSplitsClosed()).isEqualTo(23);
        assertThat(progress.getComplete()).isTrue();
        assertThat(status.getAttempts()).isEmpty();
        assertThat(workers.get("w1").started()).hasSize(1);
    }

    @Test
    void aJobWithoutWorkerWaitsAndSaysSo() {
        rig.submit("job", Rig.submit().build());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getReason()).isEqualTo("no worker in pool default");
        worker("w1", 1, 3);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.PLANNING);
        PretendClient client = client("job");
        second(client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("job").getAttempts())
                .extracting(AttemptPlace::getWorker)
                .containsExactly("w1");
    }

    // 44 files of 602 elements, two epochs; the two workers leave short batches behind, which one of them delivers in
    // the end
    @Test
    void twoWorkersShareAJobAndOnlyOneShortBatchComesInAnEpoch() {
        worker("w1", 1, 44);
        worker("w2", 1, 44);
        rig.submit("job", Rig.submit().setEpochs(2).build());
        PretendClient client = client("job");
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 44);
        assertEachOnce(client, 1, 44);
        assertThat(client.shortBatches()).isEqualTo(2);
        assertThat(client.streamOver()).isTrue();
        assertThat(workers.get("w1").started()).hasSize(2);
        assertThat(workers.get("w2").started()).hasSize(2);
    }

    @Test
    void twoWorkersShareAJobOfSeveralSourcesInHalves() {
        rig.pipelinesRead(3);
        worker("w1", 1, 44);
        worker("w2", 1, 44);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        second(client);
        assertThat(workers.values()).extracting(PretendWorker::given).containsExactly(22, 22);
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 44);
    }

    // two epochs of a pipeline that repeats itself twice: four
    @Test
    void aPipelinesOwnRepeatMultipliesTheEpochs() {
        worker("w1", 1, 12);
        rig.pipelinesRepeat(2);
        rig.submit("job", Rig.submit().setEpochs(2).build());
        PretendClient client = client("job");
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("job").getEpochs()).isEqualTo(4);
        for (int epoch = 0; epoch < 4; epoch++) {
            assertEachOnce(client, epoch, 12);
        }
        assertThat(client.given(4)).isEmpty();
    }

    @Test
    void theNextEpochBeginsBeforeTheLastOneHasDrained() {
        worker("w1", 1, 12);
        rig.submit("job", Rig.submit().setEpochs(3).build());
        PretendClient slow = client("job");
        boolean overlapped = false;
        int most = 0;
        for (int i = 0; i < 400 && !ended("job"); i++) {
            second(slow);
            JobStatus status = rig.status("job");
            overlapped |= status.getAttempts().stream()
                            .map(AttemptPlace::getEpoch)
                            .distinct()
                            .count()
                    > 1;
            most = Math.max(most, (int) status.getProgress().stream()
                    .filter(epoch -> !epoch.getComplete())
                    .count());
        }
        assertThat(overlapped).isTrue();
        assertThat(most).isEqualTo(2);
        for (int epoch = 0; epoch < 3; epoch++) {
            assertEachOnce(slow, epoch, 12);
        }
    }

    // 4 slots on 2 workers, and a job has at most one task on a worker: each of the two gets both workers
    @Test
    void jobsShareTheSlotsFairly() {
        worker("w1", 2, 400);
        worker("w2", 2, 400);
        rig.submit("a", Rig.submit().build());
        rig.submit("b", Rig.submit().build());
        for (int i = 0; i < 3; i++) {
            second(client("a"), client("b"));
        }
        assertThat(rig.status("a").getAttempts()).hasSize(2);
        assertThat(rig.status("b").getAttempts()).hasSize(2);
    }

    // 1 slot for two jobs: one waits, and gets the slot after the other has had it for 30 s
    @Test
    void jobsTakeTurnsWhereSlotsAreFewerThanJobs() {
        worker("w1", 1, 2000);
        rig.submit("a", Rig.submit().build());
        rig.submit("b", Rig.submit().build());
        PretendClient a = client("a");
        PretendClient b = client("b");
        second(a, b);
        second(a, b);
        assertThat(rig.status("a").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("b").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("b").getReason()).isEqualTo("the only slot of pool default serves another job");
        for (int i = 0; i < 40; i++) {
            second(a, b);
        }
        assertThat(b.given(0)).isNotEmpty();
    }

    @Test
    void whatALostWorkerOwedGoesToOthersOnceItsConsumersHaveAnswered() {
        PretendWorker one = worker("w1", 1, 60);
        worker("w2", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 6; i++) {
            second(client);
        }
        one.kill();
        for (int i = 0; i < 3; i++) {
            second(client);
        }
        assertThat(rig.journal()).noneMatch(entry -> entry.getReason().contains("silent"));
        second(client);
        second(client);
        assertThat(rig.journal()).anyMatch(entry -> entry.getReason().equals("worker w1 was silent for 5 s"));
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 60);
    }

    // the clock is back in the log before any worker or client is; from its first second on they have 5 s to find the
    // log
    // again, and 6 s pass
    @Test
    void aLogThatWasAwayKillsNobody() {
        PretendWorker one = worker("w1", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 4; i++) {
            second(client);
        }
        rig.away(Duration.ofSeconds(90));
        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.journal()).noneMatch(entry -> entry.getReason().contains("silent"));

        one.kill();
        rig.pass(Duration.ofSeconds(9));
        assertThat(rig.journal()).anyMatch(entry -> entry.getReason().equals("worker w1 was silent for 5 s"));
        worker("w2", 1, 60);
        untilOver("job", client);
        assertEachOnce(client, 0, 60);
    }

    @Test
    void aJobThatLosesItsLastWorkerWaitsAndSaysSo() {
        PretendWorker one = worker("w1", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 4; i++) {
            second(client);
        }
        one.kill();
        for (int i = 0; i < 7; i++) {
            second(client);
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getReason()).isEqualTo("no worker in pool default");
        assertThat(rig.targets()).singleElement().satisfies(target -> assertThat(target.getWorkers())
                .isEqualTo(1));
        worker("w2", 1, 60);
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 60);
    }

    @Test
    void aWorkerThatAConsumerCannotReachIsFencedThoughItBeats() {
        PretendWorker one = worker("w1", 1, 60);
        worker("w2", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 4; i++) {
            second(client);
        }
        client.lose(one.started().get(0), "w1-1");
        client.report();
        assertThat(rig.status("job").getAttempts())
                .filteredOn(AttemptPlace::getFenced)
                .extracting(AttemptPlace::getWorker)
                .containsExactly("w1");
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 60);
    }

    @Test
    void aWorkerThatDrainsKeepsWhatItHasAndGetsNothingNew() {
        PretendWorker one = worker("w1", 1, 60);
        worker("w2", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 4; i++) {
            second(client);
        }
        one.drain();
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 60);
        assertThat(one.started()).hasSize(1);
        assertThat(rig.journal()).noneMatch(entry -> entry.getReason().contains("silent"));
        assertThat(rig.journal())
                .anyMatch(entry -> entry.getReason().equals("worker w1 is about to leave and takes no new work"));
    }

    @Test
    void aPipelineOfOneTaskHasOneAtATime() {
        worker("w1", 2, 30).plans(Guarantee.EXACTLY_ONCE, true);
        worker("w2", 2, 30).plans(Guarantee.EXACTLY_ONCE, true);
        rig.submit("job", Rig.submit().setEpochs(2).build());
        PretendClient client = client("job");
        for (int i = 0; i < 400 && !ended("job"); i++) {
            second(client);
            assertThat(workers.values().stream()
                            .mapToLong(PretendWorker::running)
                            .sum())
                    .isLessThanOrEqualTo(1);
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 30);
        assertEachOnce(client, 1, 30);
    }

    @Test
    void elementsWithoutTicketsAreAllDeliveredToo() {
        worker("w1", 1, 30).plans(Guarantee.AT_LEAST_ONCE, false);
        worker("w2", 1, 30).plans(Guarantee.AT_LEAST_ONCE, false);
        rig.submit("job", Rig.submit().setEpochs(2).build());
        PretendClient client = client("job");
        untilOver("job", client);
        JobStatus status = rig.status("job");
        assertThat(status.getState()).isEqualTo(JobState.COMPLETED);
        assertThat(status.getGuarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
        assertThat(status.getProgress().get(0).getConsumed()).isEqualTo(PretendWorker.recordsOf(30));
        assertEachOnce(client, 0, 30);
        assertEachOnce(client, 1, 30);
    }

    /** Elements that came more than once when one of two workers dies after 90 of about 150 seconds. */
    private long repeatedByADeath() {
        worker("w1", 1, 300).plans(Guarantee.AT_LEAST_ONCE, false);
        worker("w2", 1, 300).plans(Guarantee.AT_LEAST_ONCE, false);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 90; i++) {
            second(client);
        }
        workers.get("w1").kill();
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(client.given(0)).hasSize((int) PretendWorker.recordsOf(300));
        return client.given(0).values().stream().filter(times -> times > 1).count();
    }

    // a split a second, of 14 records each in the mean: 15 s until the attempt is renewed, and the three splits of 5 s
    // that
    // lie ahead of it
    @Test
    void aDeathRepeatsWhatWasReadWithinHalfAMinuteWhereNothingLooksAcrossSplits() {
        rig.pipelinesAreRenewable();
        assertThat(repeatedByADeath()).isBetween(1L, 30 * 14L);
        assertThat(workers.get("w2").started()).hasSizeGreaterThan(4);
    }

    @Test
    void aDeathRepeatsTheWholeAttemptWhereAStepLooksAcrossSplits() {
        assertThat(repeatedByADeath()).isGreaterThan(80 * 14L);
        assertThat(workers.get("w2").started()).hasSizeLessThan(4);
    }

    // what its consumer leaves lying would be ever more
    @Test
    void anAttemptIsNotRenewedWhileTheOneBeforeItIsNotConsumed() {
        rig.pipelinesAreRenewable();
        worker("w1", 1, 300).plans(Guarantee.AT_LEAST_ONCE, false);
        rig.submit("job", Rig.submit().build());
        for (int i = 0; i < 50; i++) {
            second();
        }
        assertThat(workers.get("w1").started()).hasSize(2);
        // the one that goes on takes the place of the one before, which ends with what it has
        assertThat(rig.everSent().stream()
                        .map(WorkerCommand::getBody)
                        .filter(FinishAttempt.class::isInstance)
                        .map(FinishAttempt.class::cast))
                .extracting(FinishAttempt::getAttempt)
                .containsExactly(0);
        assertThat(rig.journal())
                .extracting(JournalEntry::getReason)
                .contains("attempt 0 of epoch 0 has read for 15 s, all of which its worker's death would repeat");
    }

    @Test
    void aPausedJobGivesItsWorkersBackAndGoesOnLater() {
        worker("w1", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        for (int i = 0; i < 4; i++) {
            second(client);
        }
        rig.request("job", "client", Pause.newBuilder().setPaused(true).build());
        for (int i = 0; i < 10; i++) {
            second(client);
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getReason()).isEqualTo("it is paused");
        assertThat(workers.get("w1").running()).isZero();
        rig.request("job", "client", Pause.newBuilder().setPaused(false).build());
        untilOver("job", client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertEachOnce(client, 0, 60);
    }

    // what the first process had acknowledged does not come again, all else does
    @Test
    void aConsumerThatComesBackGetsWhatItsLastProcessHadNotAcknowledged() {
        worker("w1", 1, 60);
        rig.submit("job", Rig.submit().build());
        PretendClient first = new PretendClient(rig, "job", 0, workers, "first");
        for (int i = 0; i < 8; i++) {
            second(first);
        }
        // one batch is with the loop and others lie ready when it dies
        workers.get("w1").read();
        workers.get("w1").read();
        workers.get("w1").beat();
        first.fetch(4);
        first.next();
        first.report();
        rig.pass(Duration.ofSeconds(1));
        long acknowledged = rig.status("job").getProgress().get(0).getConsumed();
        assertThat(acknowledged).isPositive().isLessThan(first.given(0).size());
        rig.attach("job", 0, "second");
        PretendClient back = new PretendClient(rig, "job", 0, workers, "second");
        first.next();
        assertThat(first.superseded()).isTrue();
        untilOver("job", back);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(back.given(0).values()).containsOnly(1);
        assertThat(back.given(0)).hasSize((int) (PretendWorker.recordsOf(60) - acknowledged));
    }

    @Test
    void theWholeTopologyDoesWhatItsProcessorDoes() {
        Rig topology = new Rig(1);
        try {
            PretendWorker worker = new PretendWorker(topology, "w1", 1, 7);
            worker.beat();
            topology.submit("job", Rig.submit().build());
            PretendClient client = new PretendClient(topology, "job", 0, Map.of("w1", worker));
            for (int i = 0; i < 60 && topology.status("job").getState() != JobState.COMPLETED; i++) {
                worker.obey();
                worker.read();
                worker.beat();
                worker.obey();
                client.beat();
                client.fetch(9);
                client.next();
                client.report();
                topology.pass(Duration.ofSeconds(1));
            }
            assertThat(topology.status("job").getState()).isEqualTo(JobState.COMPLETED);
            assertEachOnce(client, 0, 7);
            assertThat(topology.journal()).isNotEmpty();
            assertThat(topology.metrics())
                    .contains("praline_dispatcher_jobs{state=\"completed\"} 1.0")
                    .contains("praline_dispatcher_workers 1.0");
        } finally {
            topology.close();
        }
    }
}
