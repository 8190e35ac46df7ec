package io.praline.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.ClosedLane;
import io.praline.schema.Exclusion;
import io.praline.schema.OpenedSplit;
import io.praline.schema.SplitDigest;
import io.praline.schema.TransformationMetrics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AttemptReportTest {
    private int through = 2;
    private int unopened = 4;
    private int urgent;
    private int membership;
    private final List<ClosedLane> closed = new ArrayList<>();
    private final AttemptReport report = new AttemptReport(
            new AttemptKey("j", 0, 1),
            new AttemptReport.Live() {
                @Override
                public int assignedThrough() {
                    return through;
                }

                @Override
                public int unopened() {
                    return unopened;
                }

                @Override
                public double splitSeconds() {
                    return 0.5;
                }

                @Override
                public long outboxBytes() {
                    return 7;
                }

                @Override
                public double busySeconds() {
                    return 1.5;
                }

                @Override
                public int membership() {
                    return membership;
                }

                @Override
                public List<ClosedLane> closedLanes() {
                    List<ClosedLane> taken = List.copyOf(closed);
                    closed.clear();
                    return taken;
                }
            },
            () -> urgent++);

    private static Exclusion exclusion(int bytes) {
        return new Exclusion("filter", 3L, ByteBuffer.allocate(bytes), List.of());
    }

    @Test
    void whatHappenedIsToldUntilItIsConfirmed() {
        report.opened(5, 100);
        long fiveSeconds = TimeUnit.SECONDS.toNanos(5);
        assertThat(report.take(1_000, 0).getOpened()).containsExactly(new OpenedSplit(5L, 100L));
        report.opened(6, 100);
        assertThat(report.take(1_000, 1).getOpened()).containsExactly(new OpenedSplit(6L, 100L));
        assertThat(report.take(1_000, fiveSeconds - 1).getFacts()).isZero();
        assertThat(List.of(report.take(1_000, fiveSeconds), report.take(1_000, fiveSeconds)))
                .extracting(AttemptProgress::getFacts, AttemptProgress::getOpened)
                .containsExactly(
                        tuple(1, List.of(new OpenedSplit(5L, 100L))), tuple(2, List.of(new OpenedSplit(6L, 100L))));
        report.confirmed(1, fiveSeconds);
        assertThat(report.take(1_000, 2 * fiveSeconds - 1).getFacts()).isZero();
        assertThat(report.take(1_000, 2 * fiveSeconds).getFacts()).isEqualTo(2);
        report.confirmed(2, 2 * fiveSeconds);
        assertThat(report.take(1_000, 10 * fiveSeconds).getFacts()).isZero();
    }

    @Test
    void whatTheFirstElementsConsistOfIsToldSoonAndBeforeTheEnd() {
        SplitDigest digest = new SplitDigest(5L, List.of(1L, 2L));
        assertThat(report.hurries()).isFalse();
        report.digests(List.of(digest));
        report.ended(new AttemptEnd(List.of(), ByteBuffer.allocate(0)));
        assertThat(report.hurries()).isTrue();
        AttemptProgress told = report.take(1, 0);
        assertThat(told.getDigests()).containsExactly(digest);
        assertThat(told.getEnd()).isPresent();
        assertThat(report.hurries()).isFalse();
    }

    // the beat with the last metrics may be the one that was lost
    @Test
    void metricsAreToldAgainWithTheFacts() {
        List<TransformationMetrics> totals = List.of(new TransformationMetrics("map", "map", 3L, 4L, 5L));
        report.opened(5, 100);
        report.metrics(totals);
        long fiveSeconds = TimeUnit.SECONDS.toNanos(5);
        assertThat(report.take(1_000, 0).getMetrics()).contains(totals);
        assertThat(report.take(1_000, 1).getMetrics()).isEmpty();
        assertThat(report.take(1_000, fiveSeconds).getMetrics()).contains(totals);
    }

    @Test
    void thatItIsToFinishIsSaidByEveryBeatAlsoWhereItWasToldBeforeItWasReady() {
        report.draining();
        assertThat(report.take(100, 0).getFinishing()).isTrue();
        report.ready();
        assertThat(report.take(100, 0).getFinishing()).isTrue();
    }

    @Test
    void whatAFailedBeatToldIsToldAgainInOrder() {
        report.opened(5, 100);
        report.opened(6, 100);
        AttemptProgress lost = report.take(1_000, 0);
        report.opened(7, 100);
        report.putBack(lost);
        assertThat(report.take(1_000, 0).getOpened())
                .extracting(OpenedSplit::getOrdinal)
                .containsExactly(5L, 6L);
        assertThat(report.more()).isTrue();
        assertThat(report.take(1_000, 0).getOpened())
                .extracting(OpenedSplit::getOrdinal)
                .containsExactly(7L);
    }

    @Test
    void theEndComesWithTheLastOfTheExclusions() {
        report.excluded(List.of(exclusion(800), exclusion(800)));
        report.ended(new AttemptEnd(List.of(), ByteBuffer.allocate(0)));
        assertThat(urgent).isEqualTo(1);
        AttemptProgress first = report.take(500, 0);
        assertThat(first.getExcluded()).hasSize(1);
        assertThat(first.getPhase()).isEqualTo(AttemptPhase.DRAINING);
        assertThat(first.getEnd()).isEmpty();
        assertThat(report.more()).isTrue();
        AttemptProgress second = report.take(500, 0);
        assertThat(second.getExcluded()).hasSize(1);
        assertThat(second.getPhase()).isEqualTo(AttemptPhase.ENDED);
        assertThat(second.getEnd()).isPresent();
        assertThat(report.told()).isTrue();
        report.putBack(second);
        assertThat(report.told()).isFalse();
        assertThat(report.take(500, 0).getEnd()).isPresent();
    }

    private static ClosedLane lane(int sentBytes, boolean all) {
        return new ClosedLane(1, 4, ByteBuffer.allocate(sentBytes), ByteBuffer.allocate(0), all);
    }

    @Test
    void lanesThatClosedAreToldInPiecesThatFitAndTheEndBehindThem() {
        membership = 3;
        closed.addAll(List.of(lane(400, false), lane(300, false), lane(200, true)));
        report.ended(new AttemptEnd(List.of(), ByteBuffer.allocate(0)));
        AttemptProgress first = report.take(500, 0);
        assertThat(first.getMembership()).isEqualTo(3);
        assertThat(first.getClosedLanes()).containsExactly(lane(400, false), lane(300, false));
        assertThat(first.getEnd()).isEmpty();
        assertThat(report.more()).isTrue();
        AttemptProgress second = report.take(500, 0);
        assertThat(second.getClosedLanes()).containsExactly(lane(200, true));
        assertThat(second.getEnd()).isPresent();
        report.putBack(first);
        assertThat(report.take(500, 0).getClosedLanes()).isEqualTo(first.getClosedLanes());
    }

    // 10,000 pieces of 20,000 neighbours each take 80 KB: 200 million tickets, and 64 Mi in a record are refused
    @Test
    void aLaneOfVeryManyElementsIsToldInBeatsThatTheDispatcherTakes() {
        for (int piece = 0; piece < 10_000; piece++) {
            long[] tickets =
                    LongStream.range(piece * 20_000L, (piece + 1) * 20_000L).toArray();
            closed.add(new ClosedLane(
                    1, 4, ByteBuffer.wrap(TicketRuns.encode(tickets)), ByteBuffer.allocate(0), piece == 9_999));
        }
        int pieces = 0;
        for (long beat = 0; pieces < 10_000; beat++) {
            AttemptProgress told = report.take(384 << 10, beat);
            assertThat(told.getClosedLanes()).isNotEmpty();
            assertThat(told.getClosedLanes().stream()
                            .mapToLong(lane -> TicketRuns.count(lane.getSent()))
                            .sum())
                    .isLessThanOrEqualTo(32L << 20);
            pieces += told.getClosedLanes().size();
        }
        assertThat(pieces).isEqualTo(10_000);
        assertThat(report.more()).isFalse();
    }

    // a client that dies while it takes the last batches
    @Test
    void aLaneThatClosesBehindTheEndIsToldToo() {
        report.ended(new AttemptEnd(List.of(), ByteBuffer.allocate(0)));
        assertThat(report.take(500, 0).getEnd()).isPresent();
        assertThat(report.told()).isTrue();
        closed.add(lane(10, true));
        AttemptProgress told = report.take(500, 0);
        assertThat(told.getClosedLanes()).containsExactly(lane(10, true));
        assertThat(told.getFacts()).isEqualTo(2);
        assertThat(told.getEnd()).isEmpty();
        assertThat(told.getPhase()).isEqualTo(AttemptPhase.ENDED);
    }

    @Test
    void splitsRunShortWhenTheyFallToHalf() {
        report.ready();
        report.take(100, 0);
        unopened = 3;
        assertThat(report.runsShort()).isFalse();
        unopened = 2;
        assertThat(report.runsShort()).isTrue();
        report.take(100, 0);
        assertThat(report.runsShort()).isFalse();
    }

    // a beat told that none waits; four more came, and were all open before anybody looked
    @Test
    void splitsRunShortWhenAllThatCameSinceAreOpen() {
        report.ready();
        unopened = 0;
        report.take(100, 0);
        assertThat(report.runsShort()).isFalse();
        through = 3;
        assertThat(report.runsShort()).isTrue();
        report.take(100, 0);
        assertThat(report.runsShort()).isFalse();
    }

    @Test
    void whatItCouldMakeIsToldWithEveryBeat() {
        report.batch(30, 3, 900);
        AttemptProgress told = report.take(100, 0);
        assertThat(told.getElements() / told.getBusySeconds()).isEqualTo(20);
    }

    @Test
    void withoutSplitsItIsIdle() {
        report.ready();
        unopened = 0;
        assertThat(report.take(100, 0).getPhase()).isEqualTo(AttemptPhase.IDLE);
    }
}
