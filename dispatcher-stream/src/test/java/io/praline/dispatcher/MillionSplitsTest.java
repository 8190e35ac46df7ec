package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobState;
import io.praline.schema.OpenedSplit;
import io.praline.schema.PlanSplits;
import io.praline.schema.Use;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a job of a million splits costs: bytes of heap, and of changelog, which are the same on any machine. */
class MillionSplitsTest {
    private static final int RECORDS = 1000;

    @Test
    void aMillionSplitsTakeAtMostAHundredBytesEach() {
        long before = usedHeap();
        try (Rig rig = new Rig()) {
            plan(rig, 1_000_000);
            assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
            assertThat(rig.status("job").getSplits()).isEqualTo(1_000_000);
            double heapOfASplit = (usedHeap() - before) / 1_000_000.0;
            assertThat(heapOfASplit).isLessThan(100);
        }
    }

    /** Bytes of what is reachable, in this whole process. */
    private static long usedHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    @Test
    void aBeatAndAReportCostTheSameForTenSplitsAndForAMillion() {
        Cost few = cost(10);
        Cost many = cost(1_000_000);
        assertThat(few.quiet()).isZero();
        assertThat(many.quiet()).isZero();
        assertThat(few.opening()).isLessThan(300);
        assertThat(many.opening()).isLessThan(300);
        // ordinals take a byte or two more
        assertThat(many.opening()).isLessThanOrEqualTo(few.opening() + 8);
        assertThat(many.report()).isLessThanOrEqualTo(few.report() + 8);
        assertThat(many.report()).isLessThan(300);
    }

    /** Changelog bytes of a beat that says nothing new, of one that counted a split, of a report of a batch. */
    private record Cost(long quiet, long opening, long report) {}

    private static Cost cost(int splits) {
        try (Rig rig = new Rig()) {
            plan(rig, splits);
            AssignSplits assign = rig.commands("w1").stream()
                    .filter(AssignSplits.class::isInstance)
                    .map(AssignSplits.class::cast)
                    .findFirst()
                    .orElseThrow();
            long ordinal = assign.getSplits().get(0).getOrdinal();
            beat(rig, List.of());
            rig.report(report(0, ordinal, 0));
            long start = rig.rows().writtenBytes();
            beat(rig, List.of());
            long quiet = rig.rows().writtenBytes();
            beat(
                    rig,
                    List.of(OpenedSplit.newBuilder()
                            .setOrdinal(ordinal)
                            .setRecords(RECORDS)
                            .build()));
            long opening = rig.rows().writtenBytes();
            rig.report(report(1, ordinal, 32));
            return new Cost(quiet - start, opening - quiet, rig.rows().writtenBytes() - opening);
        }
    }

    static void plan(Rig rig, int splits) {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.plan("job", (PlanSplits) rig.commands("w1").get(0), "w1", splits);
    }

    static void beat(Rig rig, List<OpenedSplit> opened) {
        rig.beat(Rig.worker("w1", 1)
                .setAttempts(List.of(AttemptProgress.newBuilder()
                        .setJob("job")
                        .setEpoch(0)
                        .setAttempt(0)
                        .setPhase(AttemptPhase.RUNNING)
                        .setAssignedThrough(1)
                        .setUnopened(4)
                        .setSplitSeconds(10)
                        .setOpened(opened)
                        .setExcluded(List.of())
                        .setBatches(0)
                        .setElements(0)
                        .setBytes(0)
                        .setOutboxBytes(0)
                        .build()))
                .build());
    }

    private static ConsumptionReport report(long sequence, long ordinal, int from) {
        long[] tickets = IntStream.range(from, from + 32)
                .mapToLong(record -> Ticket.of(ordinal, record))
                .toArray();
        return ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob("job")
                .setConsumer(0)
                .setIncarnation("8c8ffcfe-6a5e-4c2f-9f57-4f2b0f6ad0f5")
                .setReportSequence(sequence)
                .setBatches(List.of(BatchUse.newBuilder()
                        .setEpoch(0)
                        .setAttempt(0)
                        .setSequence(sequence)
                        .setElements(32)
                        .setTickets(ByteBuffer.wrap(TicketRuns.encode(tickets)))
                        .setUse(Use.ACKED)
                        .build()))
                .setEnded(List.of())
                .setFencesAnswered(List.of())
                .setChannelsDown(List.of())
                .setMarks(List.of())
                .build();
    }
}
