package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.CacheGroup;
import io.praline.schema.CacheReport;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.OpenedSplit;
import io.praline.schema.PlanSplits;
import io.praline.schema.Split;
import io.praline.schema.SplitPage;
import io.praline.schema.Use;
import io.praline.schema.WorkerCommand;
import io.praline.topics.Agreements;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What lies behind a shuffle comes back in pieces that take many bytes to tell. */
class LargeCommandsTest {
    private static final int FILES = 100;
    private static final int RECORDS = 400_000;
    private static final int CONSUMED = 200_000;

    private final Rig rig = new Rig();
    private long reports;

    private static AttemptProgress progress(int attempt, List<OpenedSplit> opened, int assigned) {
        return AttemptProgress.newBuilder()
                .setJob("job")
                .setEpoch(0)
                .setAttempt(attempt)
                .setPhase(AttemptPhase.RUNNING)
                .setAssignedThrough(assigned)
                .setUnopened(0)
                .setSplitSeconds(1)
                .setOpened(opened)
                .setExcluded(List.of())
                .setBatches(0)
                .setElements(0)
                .setBytes(0)
                .setOutboxBytes(0)
                .build();
    }

    private ConsumptionReport report(List<BatchUse> batches, List<AttemptRef> fencesAnswered) {
        return ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob("job")
                .setConsumer(0)
                .setIncarnation("c")
                .setReportSequence(reports++)
                .setBatches(batches)
                .setEnded(List.of())
                .setFencesAnswered(fencesAnswered)
                .setChannelsDown(List.of())
                .setMarks(List.of())
                .build();
    }

    private void consume(long ordinal, Random random) {
        // each half of the records as likely as any other: one is taken with the share of those left that are still
        // wanted
        long[] tickets = new long[CONSUMED];
        int taken = 0;
        for (int record = 0; taken < CONSUMED; record++) {
            if (random.nextInt(RECORDS - record) < CONSUMED - taken) {
                tickets[taken++] = Ticket.of(ordinal, record);
            }
        }
        BatchUse used = BatchUse.newBuilder()
                .setEpoch(0)
                .setAttempt(0)
                .setSequence(reports)
                .setElements(CONSUMED)
                .setTickets(ByteBuffer.wrap(TicketRuns.encode(tickets)))
                .setUse(Use.ACKED)
                .build();
        rig.report(report(List.of(used), List.of()));
    }

    // 200,000 of 400,000 records at random take about 50 kB to tell; all 100 splits come back at once
    @Test
    void whatIsToBeSkippedOfManySplitsGoesInSeveralCommands() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.plan("job", (PlanSplits) rig.commands("w1").get(0), "w1", FILES, Guarantee.EXACTLY_ONCE, true);
        rig.attach("job", 0, "c");
        int assigned = rig.commands("w1").stream()
                .filter(AssignSplits.class::isInstance)
                .mapToInt(command -> ((AssignSplits) command).getAssignment())
                .max()
                .orElseThrow();
        List<OpenedSplit> opened = LongStream.range(0, FILES)
                .mapToObj(split -> new OpenedSplit(split, (long) RECORDS))
                .toList();
        rig.beat(Rig.worker("w1", 1)
                .setAttempts(List.of(progress(0, opened, assigned)))
                .build());
        Random random = new Random(3);
        for (int file = 0; file < FILES; file++) {
            consume(file, random);
        }
        // another process of the worker: what the first owed comes back when the consumer has answered
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        rig.report(report(
                List.of(),
                List.of(AttemptRef.newBuilder().setEpoch(0).setAttempt(0).build())));
        List<AssignSplits> commands = new ArrayList<>();
        for (Object command : rig.commands("w1", "w1-2")) {
            if (command instanceof AssignSplits assign) {
                commands.add(assign);
            }
        }
        assertThat(rig.status("job").getState())
                .as(rig.status("job").getReason())
                .isEqualTo(JobState.RUNNING);
        assertThat(commands.stream()
                        .flatMap(command -> command.getSplits().stream())
                        .map(split -> split.getOrdinal()))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, FILES).boxed().toList());
        assertThat(commands.stream().mapToLong(LargeCommandsTest::bytes).max().orElseThrow())
                .isBetween(150_000L, 260_000L);
        assertThat(commands.stream().mapToLong(LargeCommandsTest::bytes).sum())
                .isGreaterThan(2L * Agreements.RECORD_BYTES);
        rig.close();
    }

    // ten thousand groups of entries whose names are as long as names may be: nobody's fault, and nobody's end
    @Test
    void whatIsAboutNoJobAndLargerThanARecordIsLeftOutAndAllElseGoesOn() {
        rig.close();
        try (Rig whole = new Rig(1)) {
            List<CacheGroup> groups = new ArrayList<>();
            for (int group = 0; group < 10_000; group++) {
                groups.add(new CacheGroup("t".repeat(200), "%0200d".formatted(group), 1L, 1L));
            }
            whole.beat(Rig.worker("w1", 1)
                    .setCache(new CacheReport("store", true, 1L << 30, 10_000L, "", groups))
                    .build());
            whole.pass(Duration.ofSeconds(2));
            whole.beat(Rig.worker("w1", 1).build());
            whole.submit("job", Rig.submit().build());

            assertThat(whole.quarantined()).isEmpty();
            assertThat(whole.commands("w1")).hasAtLeastOneElementOfType(PlanSplits.class);
        }
    }

    private static long bytes(AssignSplits command) {
        return new Rig().codec().write(Topics.WORKER_COMMANDS, new WorkerCommand("w1", "w1-2", command)).length;
    }

    // a store may tell contents apart by a text that is longer than their name: of 4,000 objects these are 4 MB
    @Test
    void splitsWhoseVersionsTakeManyBytesGoInSeveralCommands() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        PlanSplits asked = (PlanSplits) rig.commands("w1").get(0);
        String version = "v".repeat(1_000);
        for (int page = 0; page < 4; page++) {
            List<Split> splits = new ArrayList<>();
            for (int file = 0; file < 1_000; file++) {
                splits.add(Split.newBuilder(Rig.file(1_000 * page + file))
                        .setVersions(List.of(version))
                        .build());
            }
            rig.planMessage("job", asked.getPlan(), "w1", new SplitPage(page, splits));
        }
        rig.completes("job", asked, "w1", 4_000, Guarantee.EXACTLY_ONCE, true);
        rig.attach("job", 0, "c");
        List<AssignSplits> assigned = rig.allCommands().stream()
                .filter(command -> command.getBody() instanceof AssignSplits)
                .peek(command -> assertThat(rig.codec().write(Topics.WORKER_COMMANDS, command))
                        .hasSizeLessThan(PagedValue.MOST_BYTES))
                .map(command -> (AssignSplits) command.getBody())
                .toList();
        assertThat(assigned).hasSizeGreaterThan(1);
        assertThat(assigned.stream().mapToInt(each -> each.getSplits().size()).sum())
                .isEqualTo(4_000);
    }
}
