package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.client.metrics.WindowLimits;
import io.praline.identity.TicketRuns;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.MeasurementWindow;
import io.praline.wire.trace.TakenBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoopHandoverTest {
    private static final ConsumerIdentity IDENTITY = new ConsumerIdentity("default", "j", 0, "me", "host");

    private final Frames frames = new Frames();
    private final Coverage coverage = new Coverage();
    private final ConsumptionReporter reporter = new ConsumptionReporter(IDENTITY, ReportLimits.DEFAULT);
    private final DemandReporter demand = new DemandReporter(IDENTITY, WindowLimits.DEFAULT);
    private final LoopHandover handover = new LoopHandover(reporter, demand, coverage);
    private long nowNanos;

    @Test
    void claimsEachPartAsItIsHandedOver() {
        handover.add(frames.packed(0, 0, 0, 7, 8), false);
        handover.begin();

        assertThat(take()).containsExactly(7);
        assertThat(reported()).containsExactly("CLAIMED [7]");
        assertThat(take()).containsExactly(8);
        assertThat(reported()).containsExactly("CLAIMED [8]");
        assertThat(handover.hasCurrent()).isFalse();
        assertThat(coverage.distinct(0)).isEqualTo(2);
    }

    @Test
    void whoTracesAFrameHearsThatTheLoopTookItAndThatItIsDoneWithAllOfIt() {
        List<String> happened = new ArrayList<>();
        frames.way = Optional.of(new TakenBatch() {
            @Override
            public void taken() {
                happened.add("taken");
            }

            @Override
            public void done() {
                happened.add("done");
            }
        });
        Frame packed = frames.packed(0, 0, 0, 7, 8);
        handover.add(packed, false);
        handover.begin();
        handover.promise();
        handover.claim();
        assertThat(happened).isEmpty();
        handover.handOver(nowNanos, 0);
        handover.acknowledge(packed, 0);
        assertThat(happened).containsExactly("taken");
        take();
        handover.acknowledge(packed, 1);
        assertThat(happened).containsExactly("taken", "taken", "done");
    }

    @Test
    void claimsNothingThatIsOnlyPromised() {
        handover.add(frames.batch(0, 0, 0, 7), false);
        handover.begin();
        handover.promise();

        assertThat(handover.hasPromise()).isTrue();
        assertThat(reported()).isEmpty();
    }

    @Test
    void aFenceClaimsWhatIsPromisedAndDiscardsTheRest() {
        handover.add(frames.packed(0, 0, 0, 7, 8, 9), false);
        handover.add(frames.batch(0, 0, 1, 10), false);
        handover.add(frames.batch(0, 1, 0, 20), false);
        handover.begin();
        take();
        handover.promise();

        handover.fence(Frames.key(0, 0));

        assertThat(reported()).containsExactly("CLAIMED [7, 8]");
        assertThat(coverage.distinct(0)).isEqualTo(2);
        assertThat(frames.freed).containsExactly(10L); // the loop has parts of the other
        handover.claim();
        handover.handOver(nowNanos, 0);
        assertThat(reported()).isEmpty();
        handover.begin();
        assertThat(take()).containsExactly(20);
    }

    @Test
    void discardsAllButWhatIsPromised() {
        handover.add(frames.packed(0, 0, 0, 7, 8), false);
        handover.add(frames.batch(1, 0, 0, 100), false);
        handover.begin();
        handover.promise();

        handover.discardAll();

        assertThat(handover.hasReady()).isFalse();
        assertThat(handover.hasCurrent()).isFalse();
        assertThat(frames.freed).containsExactly(100L);
        assertThat(handover.promised().tickets(handover.promisedPart())).containsExactly(7);
        handover.breakPromise();
        assertThat(frames.freed).containsExactly(100L, 7L);
    }

    @Test
    void takesTheOldestEpochFirstAndInItLocalWorkersFrames() {
        handover.add(frames.batch(1, 0, 0, 100), true);
        handover.add(frames.batch(0, 0, 0, 1), false);
        handover.add(frames.batch(0, 1, 0, 2), true);

        List<Long> taken = new ArrayList<>();
        while (handover.hasReady()) {
            handover.begin();
            taken.add(take()[0]);
        }
        assertThat(taken).containsExactly(2L, 1L, 100L);
    }

    // 3 of the packed frame and 1 more lie ready for the first batch, then 3, 2, 1: 10 / 4 = 2.5
    @Test
    void countsAllThatLiesReadyOfEveryFrame() {
        handover.add(frames.packed(0, 0, 0, 7, 8, 9), false);
        handover.add(frames.batch(0, 0, 1, 10), false);
        for (int batch = 0; batch < 4; batch++) {
            if (!handover.hasCurrent()) {
                handover.begin();
            }
            take();
            nowNanos += Duration.ofSeconds(1).toNanos();
        }
        nowNanos += Duration.ofSeconds(10).toNanos();
        handover.add(frames.batch(0, 0, 2, 11), false);
        handover.begin();
        take();

        assertThat(demand.farewell(nowNanos).getWindows())
                .extracting(MeasurementWindow::getQueueDepth)
                .containsExactly(2.5);
    }

    @Test
    void addsUpWhatTheLoopHad() {
        handover.add(frames.packed(0, 0, 0, 7, 8, 9), false);
        handover.begin();
        take();
        nowNanos = 5;
        take();
        handover.endWaited(3);

        assertThat(handover.totals(new ServingTasks(demand)))
                .isEqualTo(new StreamTotals(new StreamTotals.Taken(2, 0, 2, 8, 0, 5), 3, 0, 0));
        assertThat(coverage.distinct(0)).isEqualTo(2);
    }

    private long[] take() {
        handover.promise();
        Frame frame = handover.promised();
        int part = handover.promisedPart();
        handover.claim();
        handover.handOver(nowNanos, 0);
        return frame.tickets(part);
    }

    private List<String> reported() {
        List<String> uses = new ArrayList<>();
        reporter.hurry();
        for (ConsumptionReport report : reporter.due(nowNanos)) {
            report.getBatches()
                    .forEach(
                            use -> uses.add(use.getUse() + " " + Arrays.toString(TicketRuns.decode(use.getTickets()))));
        }
        return uses;
    }
}
