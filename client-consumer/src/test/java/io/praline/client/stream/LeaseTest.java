package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final Duration LENGTH = Duration.ofSeconds(30);

    private final ConsumptionReporter reporter =
            new ConsumptionReporter(new ConsumerIdentity("default", "j", 1, "me", "host"), ReportLimits.DEFAULT);
    private final Lease lease = new Lease(reporter, LENGTH);

    @Test
    void isOverUntilSomethingOfThisProcessIsEchoed() {
        lease.length(LENGTH);
        assertThat(lease.isOver(at(0))).isTrue();

        lease.sent(0, at(0));
        assertThat(lease.isOver(at(0))).isTrue();
        lease.echoed(0);
        assertThat(lease.isOver(at(29_999))).isFalse();
        assertThat(lease.isOver(at(30_000))).isTrue();
    }

    // sent at 1 s and 2 s; that the echo of the first is read at 20 s does not make it younger
    @Test
    void runsFromTheSendingOfTheNewestBeatThatIsEchoedHoweverLateTheEchoIsRead() {
        lease.length(LENGTH);
        lease.sent(1, at(1_000));
        lease.sent(2, at(2_000));
        lease.echoed(1);
        assertThat(lease.isOver(at(30_999))).isFalse();
        assertThat(lease.isOver(at(31_000))).isTrue();

        lease.echoed(2);
        assertThat(lease.isOver(at(31_999))).isFalse();
        lease.echoed(1);
        assertThat(lease.isOver(at(31_999))).isFalse();
        assertThat(lease.isOver(at(32_000))).isTrue();
    }

    @Test
    void renewsNothingAfterALongStopButByABeatThatWasSentSince() {
        lease.length(LENGTH);
        lease.sent(1, at(0));
        lease.echoed(1);
        lease.sent(2, at(1_000));
        // stopped for a minute
        lease.echoed(2);
        assertThat(lease.isOver(at(61_000))).isTrue();

        lease.sent(3, at(61_000));
        assertThat(lease.isOver(at(61_000))).isTrue();
        lease.echoed(3);
        assertThat(lease.isOver(at(61_000))).isFalse();
    }

    // asleep for a minute: one clock stood still, the other did not
    @Test
    void isMeasuredByTheClockThatWentFurther() {
        lease.length(LENGTH);
        lease.sent(1, new Moment(0, 1_000_000));
        lease.echoed(1);

        assertThat(lease.isOver(new Moment(1_000_000, 1_060_000))).isTrue();
        assertThat(lease.isOver(new Moment(Duration.ofSeconds(60).toNanos(), 1_000_001)))
                .isTrue();
        // the wall clock was set back by an hour, which proves nothing
        assertThat(lease.isOver(new Moment(1_000_000, 1_000_000 - 3_600_000))).isFalse();
    }

    @Test
    void aStepOfTheWallClockCostsTheWaitForTheNextEchoAndNoMore() {
        lease.length(LENGTH);
        lease.sent(1, new Moment(0, 0));
        lease.echoed(1);
        long hour = Duration.ofHours(1).toMillis();
        assertThat(lease.isOver(new Moment(1, hour))).isTrue();

        lease.sent(2, new Moment(2, hour));
        lease.echoed(2);
        assertThat(lease.isOver(new Moment(3, hour))).isFalse();
    }

    @Test
    void hasTheLengthThatTheDispatcherTells() {
        lease.sent(1, at(0));
        lease.echoed(1);
        lease.length(Duration.ofSeconds(5));
        assertThat(lease.isOver(at(5_000))).isTrue();
        lease.length(Duration.ofSeconds(6));
        assertThat(lease.isOver(at(5_000))).isFalse();
    }

    // a batch may lie elsewhere for as long, and its host may sleep meanwhile
    @Test
    void tellsWhenItIsOverByEitherClock() {
        lease.length(LENGTH);
        assertThat(lease.end(at(5))).isEqualTo(at(5));
        lease.sent(1, new Moment(4, 1_000_000));
        lease.echoed(1);
        assertThat(lease.end(new Moment(5, 1_000_001))).isEqualTo(new Moment(4 + LENGTH.toNanos(), 1_030_000));
        assertThat(lease.end(new Moment(5, 1_030_000))).isEqualTo(new Moment(5, 1_030_000));
    }

    @Test
    void holdsForEverOrNeverMoreOnceTheJobIsComplete() {
        lease.length(LENGTH);
        lease.sent(1, at(0));
        lease.echoed(1);
        lease.settle(at(29_999));
        assertThat(lease.isOver(at(60_000))).isFalse();
        assertThat(lease.end(at(60_000))).isEqualTo(Moment.NEVER);

        lease.settle(at(30_000)); // twice is once
        assertThat(lease.isOver(at(30_000))).isFalse();
        Lease late = new Lease(reporter, LENGTH);
        late.length(LENGTH);
        late.sent(1, at(0));
        late.echoed(1);
        late.settle(at(30_000));
        assertThat(late.isOver(at(29_999))).isTrue();
        assertThat(late.end(at(29_999))).isEqualTo(at(29_999));
    }

    // whatever was sent, echoed and slept: it is not over exactly if the newest echoed beat is younger than the lease
    @Property(tries = 500)
    void isOverExactlyWhenTheNewestEchoedBeatIsAsOldAsTheLease(@ForAll long seed) {
        Random random = new Random(seed);
        Lease lease = new Lease(reporter, LENGTH);
        lease.length(LENGTH);
        List<Long> sentAt = new ArrayList<>();
        long now = 0;
        int echoed = -1;
        for (int step = 0; step < 200; step++) {
            now += random.nextInt(10) == 0 ? random.nextInt(60_000) : random.nextInt(2_000);
            if (random.nextBoolean()) {
                lease.sent(sentAt.size(), at(now));
                sentAt.add(now);
            } else if (!sentAt.isEmpty()) {
                int one = random.nextInt(sentAt.size());
                lease.echoed(one);
                echoed = Math.max(echoed, one);
            }
            boolean over = echoed < 0 || now - sentAt.get(echoed) >= LENGTH.toMillis();
            assertThat(lease.isOver(at(now))).isEqualTo(over);
        }
    }

    @Test
    void ofAnOlderDispatcherIsOverWhenAReportHasWaitedForItsConfirmation() {
        assertThat(lease.isOver(at(Duration.ofDays(1).toMillis()))).isFalse();
        reporter.ended(new LaneKey(new AttemptKey("j", 0, 0), 1));
        assertThat(reporter.due(0)).hasSize(1);

        assertThat(lease.isOver(at(29_999))).isFalse();
        assertThat(lease.isOver(at(30_000))).isTrue();
        assertThat(lease.end(at(30_000))).isEqualTo(at(30_000));
        reporter.confirmed(0);
        assertThat(lease.isOver(at(30_000))).isFalse();
        assertThat(lease.end(at(30_000))).isEqualTo(at(60_000));
    }

    private static Moment at(long millis) {
        return new Moment(Duration.ofMillis(millis).toNanos(), millis);
    }
}
