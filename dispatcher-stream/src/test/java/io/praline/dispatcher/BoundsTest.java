package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.ActuatorReport;
import io.praline.schema.Attach;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ChannelDown;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.OpenedSplit;
import io.praline.schema.Pin;
import io.praline.schema.PlanSplits;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.TransformationMetrics;
import io.praline.schema.Use;
import io.praline.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbers and texts that cannot be, or that nobody who means well sends: each is put away with its reason, or cut. */
class BoundsTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    private void running() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.plan("job", (PlanSplits) rig.commands("w1").get(0), "w1", 10);
        rig.attach("job", 0, "c");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    private List<String> reasons() {
        return rig.quarantined().stream().map(QuarantinedRecord::getReason).toList();
    }

    private static AttemptProgress progress() {
        return ToldProgress.of(new AttemptKey("job", 0, 0))
                .setUnopened(3)
                .setSplitSeconds(1)
                .setBatches(0)
                .setElements(0)
                .setBytes(0)
                .build();
    }

    private static <R extends SpecificRecord> R with(R record, String field, Object value) {
        record.put(record.getSchema().getField(field).pos(), value);
        return record;
    }

    private void beat(String field, Object value) {
        AttemptProgress progress = with(progress(), field, value);
        rig.beat(Rig.worker("w1", 1).setAttempts(List.of(progress)).build());
    }

    private void host(String field, Object value) {
        rig.beat(with(Rig.worker("w1", 1).build(), field, value));
    }

    private static ByteBuffer runs(long ordinal, long record) {
        return ByteBuffer.wrap(TicketRuns.encode(new long[] {Ticket.of(ordinal, record)}));
    }

    @Test
    void whatAWorkerTellsIsBounded() {
        running();
        beat("epoch", -1);
        beat("assignedThrough", Integer.MAX_VALUE);
        beat("unopened", -1);
        beat("splitSeconds", Double.NaN);
        beat("elements", -1L);
        beat("bytes", Long.MAX_VALUE);
        beat("opened", List.of(new OpenedSplit(Ticket.MAX_ORDINAL + 1, 5L)));
        beat("excluded", List.of(new Exclusion("filter", Long.MAX_VALUE, ByteBuffer.allocate(0), List.of())));
        beat("excluded", List.of(new Exclusion("a\u0000b", 1L, runs(0, 0), List.of())));
        beat("end", new AttemptEnd(List.of(last(-1, 5L)), ByteBuffer.allocate(0)));
        beat("end", new AttemptEnd(List.of(last(10_000, 5L)), ByteBuffer.allocate(0)));
        beat("end", new AttemptEnd(List.of(last(0, Long.MAX_VALUE)), ByteBuffer.allocate(0)));
        beat("metrics", List.of(new TransformationMetrics("m", "Map", -1L, 0L, 0L)));
        beat("metrics", Collections.nCopies(10_001, new TransformationMetrics("m", "Map", 1L, 0L, 0L)));
        host("host", "h".repeat(1_001));
        host("addresses", Collections.nCopies(5, "a".repeat(1_000)));
        assertThat(reasons())
                .containsExactly(
                        "epoch must not be negative, is -1",
                        "assignedThrough must be at most 2147483646, is 2147483647",
                        "unopened must not be negative, is -1",
                        "splitSeconds must not be negative, is NaN",
                        "elements must not be negative, is -1",
                        "bytes must be at most 1152921504606846976, is 9223372036854775807",
                        "ordinal 134217728 is none",
                        "elements must be at most 1099511627776, is 9223372036854775807",
                        "reason must be 1 to 200 bytes of UTF-8 without control characters, is 'a?b'",
                        "consumer must be in 0..9999, is -1",
                        "consumer must be in 0..9999, is 10000",
                        "lastSequence must be in -1..9007199254740992, is 9223372036854775807",
                        "elements of a transformation must not be negative, is -1",
                        "there must be at most 10000 metrics, are 10001",
                        "host must have at most 1000 bytes, has 1001",
                        "addresses must have at most 4000 bytes, has 5000");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    private static ConsumerSequence last(int consumer, long sequence) {
        return ConsumerSequence.newBuilder()
                .setConsumer(consumer)
                .setLastSequence(sequence)
                .build();
    }

    private static AttemptRef attempt(int epoch, int attempt) {
        return AttemptRef.newBuilder().setEpoch(epoch).setAttempt(attempt).build();
    }

    private static BatchUse batch(long sequence, long elements, ByteBuffer tickets, Use use) {
        return BatchUse.newBuilder()
                .setEpoch(0)
                .setAttempt(0)
                .setSequence(sequence)
                .setElements(elements)
                .setTickets(tickets)
                .setUse(use)
                .build();
    }

    private static ConsumptionReport report(String field, Object value) {
        return with(
                ConsumptionReport.newBuilder()
                        .setPool(Rig.POOL)
                        .setJob("job")
                        .setConsumer(0)
                        .setIncarnation("c")
                        .setReportSequence(0)
                        .setBatches(List.of())
                        .setEnded(List.of())
                        .setFencesAnswered(List.of())
                        .setChannelsDown(List.of())
                        .setMarks(List.of())
                        .build(),
                field,
                value);
    }

    @Test
    void whatAClientTellsIsBounded() {
        running();
        rig.report(report("reportSequence", Long.MAX_VALUE));
        rig.report(report("consumer", 10_000));
        rig.report(report("batches", List.of(batch(Long.MAX_VALUE, 1L, runs(0, 0), Use.ACKED))));
        rig.report(report("batches", List.of(batch(0L, Long.MAX_VALUE, runs(0, 0), Use.ACKED))));
        rig.report(report("ended", List.of(attempt(0, -1))));
        rig.report(report("fencesAnswered", List.of(attempt(-1, 0))));
        rig.clientBeat("job", 0, "");
        rig.send(
                Topics.CLIENT_HEARTBEATS,
                Rig.POOL,
                ClientHeartbeat.newBuilder()
                        .setPool(Rig.POOL)
                        .setJob("job")
                        .setConsumer(0)
                        .setIncarnation("c")
                        .setHost("trainer")
                        .setClosing(false)
                        .setWindows(Collections.nCopies(
                                10_001, new MeasurementWindow(1L, 1L, 1L, 1.0, 0.5, 1.0, 0, 1, false)))
                        .build());
        rig.request(
                "job",
                "client",
                Attach.newBuilder()
                        .setConsumer(-1)
                        .setIncarnation("c")
                        .setHost("trainer")
                        .build());
        rig.attach("job", 10_000, "c");
        rig.request("job", "client", new Pin(true, 100_001, 0));
        rig.actuator(new ActuatorReport(Rig.POOL, "a", 0, 0, "", 100_001));
        assertThat(reasons())
                .containsExactly(
                        "reportSequence must be at most 9007199254740992, is 9223372036854775807",
                        "consumer must be in 0..9999, is 10000",
                        "sequence must be at most 9007199254740992, is 9223372036854775807",
                        "elements must be at most 1099511627776, is 9223372036854775807",
                        "attempt must not be negative, is -1",
                        "epoch must not be negative, is -1",
                        "incarnation must be 1 to 200 bytes of UTF-8 without control characters, is ''",
                        "there must be at most 10000 windows, are 10001",
                        "consumer must be in 0..9999, is -1",
                        "consumer must be in 0..9999, is 10000",
                        "pinned remote workers must be at most 100000, is 100001",
                        "most must be at most 100000, is 100001");
    }

    // a job may be called by 200 bytes, and its host by as many more
    @Test
    void whoStartsAJobsWorkersIsHeardHoweverJobAndHostAreCalled() {
        running();
        rig.actuator(CommandWriter.subject("j".repeat(200), "trainer.example.org"), 2, 0, "no machine is left");
        assertThat(reasons()).isEmpty();
        rig.actuator(" ", 2, 0, "no machine is left");
        rig.actuator("j".repeat(2_001), 2, 0, "no machine is left");
        assertThat(reasons())
                .containsExactly("subject must not be empty", "subject must have at most 2000 bytes, has 2001");
    }

    // 20 batches of 2^22 tickets, a few bytes each, are more than 64 Mi together
    @Test
    void theTicketsOfARecordCountTogether() {
        running();
        long[] one = {Ticket.of(0, 0)};
        byte[] run = TicketRuns.encode(one);
        ByteBuffer runs = ByteBuffer.allocate(run.length + 3)
                .put(run, 0, run.length - 1)
                .put(new byte[] {(byte) 0x80, (byte) 0x80, (byte) 0x80, 2});
        runs.flip();
        assertThat(TicketRuns.count(runs)).isEqualTo(1L << 22);
        rig.report(report("batches", Collections.nCopies(20, batch(0L, 1L << 22, runs, Use.CLAIMED))));
        assertThat(reasons()).containsExactly("a message must not name more than 67108864 tickets");
        rig.report(report("batches", Collections.nCopies(16, batch(0L, 1L << 22, runs, Use.CLAIMED))));
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.status("job").getConfirmed().get(0).getReportSequence()).isZero();
    }

    @Test
    void aPlanThatCannotBeIsBounded() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        PlanSplits asked = (PlanSplits) rig.commands("w1").get(0);
        for (Map.Entry<String, Object> wrong : List.<Map.Entry<String, Object>>of(
                Map.entry("bytes", -1L), Map.entry("epochs", -1), Map.entry("splits", Ticket.MAX_ORDINAL + 1))) {
            rig.eachPlan(plan -> with(plan, wrong.getKey(), wrong.getValue()));
            rig.plan("job", asked, "w1", 3);
        }
        assertThat(reasons())
                .containsExactly(
                        "bytes must not be negative, is -1",
                        "epochs must be at least 1, is -1",
                        "splits must be at most 134217727, is 134217728");
    }

    // its journal would be the pool's, in which both count their entries from 0
    @Test
    void noJobIsCalledAsAPoolsJournalIs() {
        rig.submit(DecisionWriter.key(Rig.POOL), Rig.submit().build());
        assertThat(reasons())
                .containsExactly("job must not begin with 'pool:', as journals of pools do, is 'pool:default'");
        assertThat(rig.told()).isEmpty();
    }

    @Test
    void aSubmissionThatBreaksABoundFailsWithItsReasonAndKeepsNothing() {
        String name = "t".repeat(1 << 20);
        rig.submit("tenant", Rig.submit().setTenant(name).build());
        rig.submit("zero", Rig.submit().setTenant("a\u0000b").build());
        rig.submit("heavy", Rig.submit().setWeight(1e300).build());
        rig.submit("dear", Rig.submit().setEgressPerGb(1e300).build());
        rig.submit("local", Rig.submit().setMaxLocal(Integer.MAX_VALUE).build());
        rig.submit("globs", Rig.submit().setDataGlobs(List.of(name)).build());
        rig.submit("settings", Rig.submit().setShadow(name).build());
        rig.submit(
                "graph",
                Rig.submit().setGraph(ByteBuffer.allocate((1 << 20) + 1)).build());
        assertThat(rig.told())
                .extracting(JobStatus::getReason)
                .containsExactly(
                        "tenant must be 1 to 200 bytes of UTF-8 without control characters, is '" + "t".repeat(80)
                                + "...'",
                        "tenant must be 1 to 200 bytes of UTF-8 without control characters, is 'a?b'",
                        "weight must be in 0.000001..1000000, is 1.0E300",
                        "egressPerGb must be at most 1000000000000, is 1.0E300",
                        "maxLocal must be at most 1000, is 2147483647",
                        "the names and globs of a job must have at most 524288 bytes, have 1048584",
                        "a policy's settings must have at most 16384 bytes, have 1048588",
                        "a graph of 1048577 bytes must travel by address: at most 1048576 fit");
        assertThat(rig.told()).extracting(JobStatus::getFailure).containsOnly(FailureKind.REFUSED);
        assertThat(rig.rows().bytes()).isLessThan(8_000);
    }

    @Test
    void reasonsOfAnyLengthAreCut() {
        running();
        String loud = "\u00e9".repeat(1 << 20);
        beat("failure", new AttemptFailure(FailureKind.REFUSED, loud, 0L));
        assertThat(rig.status("job").getReason()).isEqualTo("\u00e9".repeat(2_046) + "...");
        rig.submit("next", Rig.submit().build());
        rig.cancel("next", loud);
        assertThat(rig.status("next").getReason()).isEqualTo("\u00e9".repeat(2_046) + "...");
        rig.submit("planned", Rig.submit().build());
        rig.commands("w1").stream().filter(PlanSplits.class::isInstance).forEach(command -> {
            PlanSplits asked = (PlanSplits) command;
            rig.planFailed(asked.getJob(), asked.getPlan(), "w1", FailureKind.REFUSED, loud);
        });
        assertThat(rig.status("planned").getReason()).isEqualTo("\u00e9".repeat(2_046) + "...");
    }

    @Test
    void aChannelsReasonIsCutInTheJournal() {
        running();
        String loud = "x".repeat(1 << 20);
        rig.report(report("channelsDown", List.of(new ChannelDown(0, 0, "w1-1", loud))));
        assertThat(rig.journal().stream().mapToInt(entry -> entry.getReason().getBytes(StandardCharsets.UTF_8).length))
                .allMatch(bytes -> bytes < 5_000)
                .anyMatch(bytes -> bytes > 4_000);
    }

    // index 2^31 and above has no place in a set of 32 bits
    @Test
    void aFileOfMoreRecordsThanCanBeToldApartFailsItsJob() {
        running();
        beat("opened", List.of(new OpenedSplit(0L, 1L << 33)));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo("/data/part-00000.tfrecord holds 8589934592 records, more than the 2147483648 that are told"
                        + " apart in one file: cut it into several");
    }

    // sums of what may be sent stay where rows can hold them
    @Test
    void countsThatAreTooLargeTogetherStayTheLargest() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.plan("job", (PlanSplits) rig.commands("w1").get(0), "w1", 10, Guarantee.AT_LEAST_ONCE, false);
        List<Exclusion> many =
                Collections.nCopies(4_000, new Exclusion("filter", 1L << 40, ByteBuffer.allocate(0), List.of()));
        for (int i = 0; i < 1_100; i++) {
            beat("excluded", many);
        }
        for (int i = 0; i < 40; i++) {
            String word = "word-" + i;
            beat("excluded", List.of(new Exclusion(word, 1L, ByteBuffer.allocate(0), List.of())));
        }
        rig.pass(Duration.ofSeconds(2));
        assertThat(reasons()).isEmpty();
        assertThat(rig.status("job").getProgress().get(0).getExcluded())
                .hasSize(17)
                .anySatisfy(excluded -> assertThat(excluded.getElements()).isEqualTo(Long.MAX_VALUE / 2))
                .anySatisfy(excluded -> assertThat(excluded.getReason()).isEqualTo("other"));
    }
}
