package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptProgress;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.FenceAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.OpenedSplit;
import io.praline.schema.PlanSplits;
import io.praline.schema.SplitPage;
import io.praline.schema.StartAttempt;
import io.praline.schema.Use;
import io.praline.schema.WorkerEvent;
import io.praline.topics.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong, late, repeated or from somebody else: each gets its one line, and the stream goes on. */
class BadInputTest {
    private Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** A job with one worker that reads its first splits. */
    private void running(String job) {
        running(job, 10);
    }

    private void running(String job, int files) {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit(job, Rig.submit().setSkipBad(2).build());
        rig.plan(job, plan(), "w1", files);
        assertThat(rig.status(job).getState()).isEqualTo(JobState.RUNNING);
    }

    private PlanSplits plan() {
        return rig.commands("w1").stream()
                .filter(PlanSplits.class::isInstance)
                .map(PlanSplits.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static AttemptProgress.Builder progress(String job) {
        return ToldProgress.of(new AttemptKey(job, 0, 0))
                .setUnopened(3)
                .setSplitSeconds(1)
                .setBatches(0)
                .setElements(0)
                .setBytes(0);
    }

    private void failure(FailureKind kind, String reason, int attempt) {
        rig.beat(Rig.worker("w1", 1)
                .setAttempts(List.of(progress("job")
                        .setAttempt(attempt)
                        .setPhase(AttemptPhase.FAILED)
                        .setFailure(AttemptFailure.newBuilder()
                                .setKind(kind)
                                .setReason(reason)
                                .build())
                        .build()))
                .build());
    }

    private static ConsumptionReport report(long sequence) {
        return ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob("job")
                .setConsumer(0)
                .setIncarnation("c")
                .setReportSequence(sequence)
                .setBatches(List.of())
                .setEnded(List.of())
                .setFencesAnswered(List.of())
                .setChannelsDown(List.of())
                .setMarks(List.of())
                .build();
    }

    private long confirmed() {
        rig.pass(Duration.ofSeconds(2));
        return rig.status("job").getConfirmed().get(0).getReportSequence();
    }

    @Test
    void theWholeTopologyQuarantinesWhatIsInTheWrongPartition() {
        rig.close();
        rig = new Rig(2);
        // the driver has one partition, and murmur2 puts one of two pools into the other
        String pool = Topics.partitionOf("default", 2) == 1 ? "default" : "blue";
        assertThat(Topics.partitionOf(pool, 2)).isEqualTo(1);
        rig.send(
                Topics.WORKER_HEARTBEATS,
                pool,
                WorkerEvent.newBuilder()
                        .setPool(pool)
                        .setBody(Rig.worker("w1", 1).build())
                        .build());
        assertThat(rig.quarantined()).singleElement().satisfies(record -> {
            assertThat(record.getTopic()).isEqualTo("worker-heartbeats");
            assertThat(record.getBy()).isEqualTo("dispatcher");
            assertThat(record.getReason())
                    .isEqualTo("its key belongs into partition 1, not 0: its producer does not partition by murmur2");
        });
        assertThat(rig.metrics()).contains("praline_dispatcher_quarantined_total 1.0");
    }

    @Test
    void unreadableRecordsAreQuarantinedAndTheStreamGoesOn() {
        rig.close();
        rig = new Rig(1);
        byte[] newer = newerBeat();
        rig.send("worker-heartbeats", Rig.POOL, new byte[] {1, 2, 3});
        rig.send("consumption", Rig.POOL, newer);
        rig.send("worker-heartbeats", Rig.POOL, newer);
        assertThat(rig.quarantined()).hasSize(3).allSatisfy(record -> assertThat(record.getReason())
                .isNotBlank());
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.PLANNING);
    }

    /** A beat of a schema in which something we need is gone. */
    private byte[] newerBeat() {
        Schema theirs = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"WorkerEvent\",\"namespace\":\"io.praline.schema\","
                        + "\"fields\":[{\"name\":\"shard\",\"type\":\"string\"}]}");
        int id = rig.registry().add(theirs.toString());
        return ByteBuffer.allocate(8)
                .put((byte) 0)
                .putInt(id)
                .put((byte) 4)
                .put((byte) 'a')
                .put((byte) 'b')
                .array();
    }

    @Test
    void aKeyThatIsNotThePoolIsQuarantined() {
        rig.send(
                Topics.WORKER_HEARTBEATS,
                "blue",
                WorkerEvent.newBuilder()
                        .setPool(Rig.POOL)
                        .setBody(Rig.worker("w1", 1).build())
                        .build());
        assertThat(rig.quarantined().get(0).getReason()).isEqualTo("its key is 'blue', but its pool is 'default'");
    }

    @Test
    void ticketsThatAreNoneAreQuarantined() {
        running("job");
        ConsumptionReport wrong = ConsumptionReport.newBuilder(report(0))
                .setBatches(List.of(BatchUse.newBuilder()
                        .setEpoch(0)
                        .setAttempt(0)
                        .setSequence(0)
                        .setElements(1)
                        .setTickets(ByteBuffer.wrap(new byte[] {(byte) 0x80}))
                        .setUse(Use.ACKED)
                        .build()))
                .build();
        rig.report(wrong);
        assertThat(rig.quarantined().get(0).getReason()).isEqualTo("runs of tickets are cut off");
    }

    @Test
    void aJobIdThatIsTakenStaysWithWhoHasIt() {
        rig.submit("job", Rig.submit().build());
        int told = rig.told().size();
        rig.request("job", "somebody-else", Rig.submit().setSeed(8).build());
        assertThat(rig.told()).hasSize(told + 1);
        assertThat(rig.status("job").getRequester()).isEqualTo("client");
        assertThat(rig.status("job").getSeed()).isEqualTo(7);
    }

    @Test
    void aSubmissionThatMakesNoSenseFailsWithItsReason() {
        rig.submit("job", Rig.submit().setWeight(0).build());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getFailure()).isEqualTo(FailureKind.REFUSED);
        assertThat(rig.status("job").getReason()).isEqualTo("weight must be above 0, is 0.0");
    }

    @Test
    void aPlanThatFailsFailsTheJobWithItsReason() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.planFailed("job", 1, "w1", FailureKind.REFUSED, "no file matches /data/*");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getFailure()).isEqualTo(FailureKind.REFUSED);
        assertThat(rig.status("job").getReason()).isEqualTo("no file matches /data/*");
    }

    @Test
    void aPlannerThatIsLostIsReplacedAndItsPagesAreIgnored() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        PlanSplits first = plan();
        rig.beat(Rig.worker("w2", 1).build());
        for (int i = 0; i < 7; i++) {
            rig.pass(Duration.ofSeconds(1));
            rig.beat(Rig.worker("w2", 1).setPlanning(List.of("job")).build());
        }
        PlanSplits second = (PlanSplits) rig.commands("w2").get(0);
        assertThat(second.getPlan()).isEqualTo(2);
        rig.planMessage(
                "job",
                1,
                "w1",
                SplitPage.newBuilder()
                        .setPage(0)
                        .setSplits(List.of(Rig.file(0)))
                        .build());
        rig.plan("job", second, "w2", 3);
        assertThat(first.getPlan()).isEqualTo(1);
        assertThat(rig.status("job").getSplits()).isEqualTo(3);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aPlannerThatForgotItsPlanIsReplaced() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.commands("w1");
        for (int i = 0; i < 4; i++) {
            rig.beat(Rig.worker("w1", 1).build());
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(rig.commands("w1")).isEmpty();
        for (int i = 0; i < 4; i++) {
            rig.beat(Rig.worker("w1", 1).build());
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(plan().getPlan()).isEqualTo(2);
    }

    @Test
    void aPlanWhosePagesHoldAnotherNumberOfSplitsThanItSaysIsMadeAnew() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        PlanSplits first = plan();
        rig.planMessage("job", 1, "w1", new SplitPage(0, List.of(Rig.file(0))));
        rig.plan("job", first, "w1", 3);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.PLANNING);
        assertThat(rig.journal())
                .extracting(JournalEntry::getReason)
                .contains("its plan says 3 splits and holds 1: worker w1 has the least to do and plans it");
        assertThat(plan().getPlan()).isEqualTo(2);
    }

    // 2,500 files are three pages
    @Test
    void ofAPlanThatIsMadeAnewNoPageIsLeft() {
        Map<String, LedgerPage> told = rig.keepLedgerPages();
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.pages("job", plan(), "w1", 2_500);
        assertThat(rig.rows().count('g')).isEqualTo(3);
        assertThat(told.keySet()).containsExactly("job/files/0", "job/files/1", "job/files/2");

        rig.planMessage("job", 1, "w1", new SplitPage(4, List.of(Rig.file(0))));
        assertThat(rig.rows().count('g')).isZero();
        assertThat(told).isEmpty();

        rig.plan("job", plan(), "w1", 1);
        assertThat(rig.rows().count('g')).isEqualTo(1);
        assertThat(told.keySet()).containsExactly("job/files/0");
        assertThat(rig.status("job").getSplits()).isEqualTo(1);
    }

    @Test
    void aPlanWithoutASplitCompletesTheJobAndItsNotesAreTold() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.eachPlan(plan -> plan.put("notes", List.of("there is nothing to read")));
        rig.plan("job", plan(), "w1", 0);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("job").getProgress()).isEmpty();
        assertThat(rig.status("job").getNotes()).containsExactly("there is nothing to read");
        assertThat(rig.commands("w1")).isEmpty();
    }

    @Test
    void aStrictJobWhosePipelineKeepsTooLittleIsRefused() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().setStrict(true).build());
        rig.plan("job", plan(), "w1", 3, Guarantee.AT_LEAST_ONCE, false);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason()).isEqualTo("the pipeline cannot keep exactly-once: a flat_map");
    }

    @Test
    void aCancelledJobFreesItsWorkers() {
        running("job");
        rig.commands("w1");
        rig.cancel("job", "enough");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.CANCELLED);
        assertThat(rig.status("job").getReason()).isEqualTo("enough");
        assertThat(rig.status("job").getAttempts()).isEmpty();
        assertThat(rig.commands("w1")).singleElement().isInstanceOf(FenceAttempt.class);
        rig.submit("next", Rig.submit().build());
        rig.plan("next", plan(), "w1", 10);
        assertThat(rig.status("next").getState()).isEqualTo(JobState.RUNNING);
    }

    // until it is planned its graph is in its row
    @Test
    void aJobThatIsCancelledBeforeItIsPlannedKeepsNoGraph() {
        int graph = 100_000;
        rig.submit(
                "job", Rig.submit().setGraph(ByteBuffer.wrap(new byte[graph])).build());
        assertThat(rig.rows().bytes()).isGreaterThan(graph);
        rig.cancel("job", "enough");
        assertThat(rig.rows().bytes()).isLessThan(2_000);
    }

    @Test
    void dataAtFaultFailTheJobAtOnce() {
        running("job");
        failure(FailureKind.REFUSED, "/data/a.tfrecord record 3: not a JPEG", 0);
        JobStatus status = rig.status("job");
        assertThat(status.getState()).isEqualTo(JobState.FAILED);
        assertThat(status.getFailure()).isEqualTo(FailureKind.REFUSED);
        assertThat(status.getReason()).isEqualTo("/data/a.tfrecord record 3: not a JPEG");
    }

    // three breaks are tried again, the fourth is one too many
    @Test
    void aBrokenEngineIsTriedAgainThreeTimes() {
        running("job", 100);
        rig.attach("job", 0, "c");
        for (int attempt = 0; attempt < 3; attempt++) {
            failure(FailureKind.FAILED, "out of memory", attempt);
            assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
            assertThat(rig.commands("w1")).anyMatch(StartAttempt.class::isInstance);
        }
        failure(FailureKind.FAILED, "out of memory", 3);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getFailure()).isEqualTo(FailureKind.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo("an attempt on worker w1 broke, the 4th of this job within an hour: out of memory");
    }

    /** Some record of every split is bad; those that are not assigned to the attempt do not count. */
    private void bad(long record) {
        rig.beat(Rig.worker("w1", 1)
                .setAttempts(List.of(progress("job")
                        .setExcluded(LongStream.range(0, 10)
                                .mapToObj(split -> Exclusion.newBuilder()
                                        .setReason("bad")
                                        .setElements(1)
                                        .setTickets(ByteBuffer.wrap(
                                                TicketRuns.encode(new long[] {Ticket.of(split, record)})))
                                        .setDetails(List.of("split " + split + " record " + record + ": no JPEG"))
                                        .build())
                                .toList())
                        .build()))
                .build());
    }

    // four splits are assigned at first; a bad record in each is two more than the job tolerates
    @Test
    void moreBadRecordsThanToleratedFailTheJob() {
        running("job");
        bad(0);
        JobStatus status = rig.status("job");
        assertThat(status.getState()).isEqualTo(JobState.FAILED);
        assertThat(status.getReason())
                .startsWith("3 records are bad, more than the 2 that may be skipped: repair them or raise --skip-bad;"
                        + " the first of them: split ");
        assertThat(status.getBadRecords()).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aFileThatChangedSinceItWasCountedFailsTheJob() {
        running("job");
        for (int records : new int[] {5, 6}) {
            rig.beat(Rig.worker("w1", 1)
                    .setAttempts(List.of(progress("job")
                            .setOpened(LongStream.range(0, 10)
                                    .mapToObj(split -> OpenedSplit.newBuilder()
                                            .setOrdinal(split)
                                            .setRecords(records)
                                            .build())
                                    .toList())
                            .build()))
                    .build());
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .endsWith("has changed since it was planned: worker w1 counts 6 records in it, which is not what was"
                        + " counted before");
    }

    @Test
    void reportsAreAppliedInOrderAndConfirmed() {
        running("job");
        rig.report(report(0));
        assertThat(confirmed()).isZero();
        rig.report(report(2));
        assertThat(confirmed()).isZero();
        rig.report(report(0));
        rig.report(report(1));
        rig.report(report(2));
        assertThat(confirmed()).isEqualTo(2);
        assertThat(rig.ignored(Ignored.GAP)).isEqualTo(1);
        assertThat(rig.ignored(Ignored.DUPLICATE)).isEqualTo(1);
    }

    @Test
    void reportsOfAnEndedJobAreConfirmedToo() {
        running("job");
        rig.attach("job", 0, "c");
        rig.cancel("job", "");
        rig.report(report(0));
        assertThat(confirmed()).isZero();
    }

    @Test
    void aWorkerThatIsStartedAnewLosesWhatItHadAndItsOldProcessIsIgnored() {
        running("job");
        rig.attach("job", 0, "c");
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        assertThat(rig.status("job").getAttempts())
                .filteredOn(AttemptPlace::getFenced)
                .extracting(AttemptPlace::getIncarnation)
                .containsExactly("w1-1");
        assertThat(rig.status("job").getAttempts())
                .filteredOn(place -> !place.getFenced())
                .extracting(AttemptPlace::getIncarnation)
                .containsExactly("w1-2");
        rig.beat(Rig.worker("w1", 1).build());
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(1);
    }

    @Test
    void aJobWhoseConsumersAreGoneForAMinuteWaitsForOne() {
        running("job");
        rig.clientBeat("job", 0, "c");
        for (int i = 0; i < 59; i++) {
            rig.pass(Duration.ofSeconds(1));
            rig.beat(Rig.worker("w1", 1)
                    .setAttempts(List.of(progress("job").build()))
                    .build());
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getReason())
                .isEqualTo("it has no consumer: let one come (run --attach job); what was sent to consumer 0 and not"
                        + " reported is in doubt: it must come back, or be given up (praline job job --give-up"
                        + " CONSUMER)");
    }

    @Test
    void anEndedJobIsForgottenAfterAnHourAndLeavesNothing() {
        running("job");
        rig.pass(Duration.ofSeconds(1));
        rig.cancel("job", "");
        for (int i = 0; i < 3602; i++) {
            rig.pass(Duration.ofSeconds(1));
        }
        // the format, the clock, that there was a job, the pool's row, and the tenant's: what was spent stays spent
        assertThat(rig.rows().kinds()).isEqualTo("dlqtv");
    }
}
