package io.praline.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ConsumptionReporterTest {
    private static final LaneKey LANE = new LaneKey(new AttemptKey("j", 0, 0), 4);
    private final ConsumptionReporter reporter =
            new ConsumptionReporter(new ConsumerIdentity("default", "j", 0, "me", "host"), ReportLimits.DEFAULT);

    @Test
    void waitsForTheIntervalUnlessSomebodyWaitsForIt() {
        claimed(0);
        assertThat(reporter.due(0)).hasSize(1);
        claimed(1);
        assertThat(reporter.due(ms(50))).isEmpty();
        reporter.fenceAnswered(LANE);
        assertThat(reporter.due(ms(50))).singleElement().satisfies(report -> {
            assertThat(report.getBatches()).hasSize(1);
            assertThat(report.getFencesAnswered()).hasSize(1);
        });
    }

    @Test
    void sendsAgainAllFromTheFirstThatIsNotConfirmedInTime() {
        claimed(0);
        reporter.due(0);
        claimed(1);
        reporter.due(ms(500));
        claimed(2);
        reporter.due(ms(1_000));
        reporter.confirmed(0);

        assertThat(sequences(reporter.due(ms(5_000)))).isEmpty();
        assertThat(sequences(reporter.due(ms(5_500)))).containsExactly(1L, 2L);
        assertThat(sequences(reporter.due(ms(5_500)))).isEmpty();
    }

    @Test
    void whatIsConfirmedSaysUpToWhichBatchOfEachLaneItWasClaimed() {
        claimed(0);
        reporter.due(0);
        claimed(1);
        claimed(2);
        reporter.due(ms(500));
        claimed(3);
        reporter.due(ms(1_000));

        assertThat(reporter.confirmed(1)).containsExactly(Map.entry(LANE, 2L));
        assertThat(reporter.confirmed(1)).isEmpty();
        assertThat(reporter.confirmed(2)).containsExactly(Map.entry(LANE, 3L));
    }

    @Test
    void sendsAgainAtOnceWhatKafkaDidNotTake() {
        claimed(0);
        reporter.due(0);
        reporter.failed(0);

        assertThat(sequences(reporter.due(ms(1)))).containsExactly(0L);
        assertThat(sequences(reporter.due(ms(2)))).isEmpty();
    }

    @Test
    void theLeaseRunsFromTheFirstSendingOfTheOldestUnconfirmedReport() {
        claimed(0);
        reporter.due(0);
        claimed(1);
        reporter.due(ms(20_000));
        assertThat(reporter.leaseOver(ms(29_999))).isFalse();
        assertThat(reporter.leaseOver(ms(30_000))).isTrue();

        reporter.confirmed(0);
        assertThat(reporter.leaseOver(ms(30_000))).isFalse();
        assertThat(reporter.leaseOver(ms(50_000))).isTrue();
    }

    @Test
    void cutsAReportThatGrowsTooLarge() {
        List<Long> shuffled = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            shuffled.add(i * 1_000_003L % 100_000_000L);
        }
        for (int from = 0; from < shuffled.size(); from += 1_000) {
            long[] tickets = shuffled.subList(from, from + 1_000).stream()
                    .mapToLong(Long::longValue)
                    .toArray();
            BatchClaims claims = new BatchClaims(LANE, from, 1, tickets, 0);
            claims.claim();
            reporter.changed(claims);
        }
        reporter.ended(LANE);
        List<ConsumptionReport> reports = reporter.due(0);

        assertThat(reports).hasSizeGreaterThan(1);
        assertThat(reports.stream()
                        .flatMap(report -> report.getBatches().stream())
                        .mapToLong(BatchUse::getElements)
                        .sum())
                .isEqualTo(100_000);
        assertThat(reports.get(reports.size() - 1).getEnded()).hasSize(1);
        assertThat(reports.get(0).getEnded()).isEmpty();
    }

    @Test
    void reportsAFrameWithoutTicketsOnlyAsAWhole() {
        BatchClaims claims = new BatchClaims(LANE, 0, 2, new long[0], 2);
        claims.claim();
        reporter.changed(claims);
        assertThat(reporter.due(0)).isEmpty();

        claims.claim();
        claims.acknowledge(0);
        reporter.changed(claims);
        assertThat(uses(reporter.due(ms(500)))).containsExactly(Use.CLAIMED);

        claims.acknowledge(1);
        reporter.changed(claims);
        assertThat(uses(reporter.due(ms(1_000)))).containsExactly(Use.ACKED);
    }

    // the generation is said of each batch and of each attempt, since claims of one go on in the next
    @Test
    void saysOfWhichGenerationEachThingIs() {
        claimed(0);
        reporter.ended(LANE);
        reporter.fenceAnswered(LANE);

        assertThat(reporter.due(0)).singleElement().satisfies(report -> {
            assertThat(report.getBatches()).extracting(BatchUse::getGeneration).containsExactly(4);
            assertThat(report.getEnded()).extracting(AttemptRef::getGeneration).containsExactly(4);
            assertThat(report.getFencesAnswered())
                    .extracting(AttemptRef::getGeneration)
                    .containsExactly(4);
        });
    }

    @Test
    void saysThatAGenerationIsDiscardedBehindAllClaimsOfIt() {
        for (int sequence = 0; sequence < 3; sequence++) {
            BatchClaims claims = claims(sequence, scattered(60_000));
            claims.claim();
            reporter.changed(claims);
        }
        reporter.discarded(4);
        List<ConsumptionReport> reports = reporter.due(0);

        assertThat(reports).hasSizeGreaterThan(1);
        assertThat(reports.get(reports.size() - 1).getDiscarded()).containsExactly(4);
        assertThat(reports.subList(0, reports.size() - 1))
                .allSatisfy(report -> assertThat(report.getDiscarded()).isEmpty());
        claimed(9);
        assertThat(reporter.due(ms(500))).singleElement().satisfies(report -> assertThat(report.getDiscarded())
                .isEmpty());
    }

    @Test
    void theLastReportHasAllThatCameBeforeAndNothingComesBehindIt() {
        BatchClaims had = claims(0, 7);
        had.claim();
        reporter.changed(had);
        reporter.left(false);
        had.acknowledge(0);
        reporter.changed(had);
        reporter.ended(LANE);

        assertThat(reporter.due(0)).singleElement().satisfies(report -> {
            assertThat(report.getLeft()).isTrue();
            assertThat(report.getUnsure()).isFalse();
            assertThat(report.getEnded()).isEmpty();
        });
        reporter.changed(had);
        reporter.left(false);
        assertThat(reporter.due(ms(600))).isEmpty();
        reporter.confirmed(0);
        assertThat(reporter.settled()).isTrue();
    }

    @Test
    void thatNobodyKnowsWhatTheLoopDidIsToldBehindAllThatItDid() {
        BatchClaims had = claims(0, 7);
        had.claim();
        reporter.changed(had);
        reporter.left(true);

        assertThat(reporter.due(0)).singleElement().satisfies(report -> {
            assertThat(report.getBatches()).hasSize(1);
            assertThat(report.getLeft()).isTrue();
            assertThat(report.getUnsure()).isTrue();
        });
    }

    private static long[] scattered(int count) {
        return LongStream.range(0, count)
                .map(i -> i * 1_000_003L % 100_000_000L)
                .toArray();
    }

    private static BatchClaims claims(long sequence, long... tickets) {
        return new BatchClaims(LANE, sequence, 1, tickets, 0);
    }

    private void claimed(long sequence) {
        BatchClaims claims = new BatchClaims(LANE, sequence, 1, new long[] {sequence}, 0);
        claims.claim();
        reporter.changed(claims);
    }

    private static List<Long> sequences(List<ConsumptionReport> reports) {
        return reports.stream().map(ConsumptionReport::getReportSequence).toList();
    }

    private static List<Use> uses(List<ConsumptionReport> reports) {
        return reports.stream()
                .flatMap(report -> report.getBatches().stream())
                .map(BatchUse::getUse)
                .toList();
    }

    private static long ms(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
