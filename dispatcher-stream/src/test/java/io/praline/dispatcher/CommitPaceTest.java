package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitPaceTest {
    private long nanos;
    private final CommitPace pace = new CommitPace(() -> nanos);

    private int commitsOf(int events, Duration apart) {
        int commits = 0;
        for (int event = 0; event < events; event++) {
            pace.wrote(true);
            if (pace.due().filter(Duration::isZero).isPresent()) {
                pace.committed();
                commits++;
            }
            nanos += apart.toNanos();
        }
        return commits;
    }

    @Test
    void whatSomebodyWaitsForIsCommittedAtOnceWhereItIsAlone() {
        assertThat(commitsOf(10, Duration.ofMillis(20))).isEqualTo(10);
    }

    // 1,000 events in a second: one commit in 20 ms
    @Test
    void manyThatFollowEachOtherShareOne() {
        assertThat(commitsOf(1_000, Duration.ofMillis(1))).isEqualTo(50);
    }

    // 10,000 events in a second: one commit in 50 ms
    @Test
    void whereVeryManyFollowEachOtherMoreOfThemShareOne() {
        assertThat(commitsOf(10_000, Duration.ofNanos(100_000))).isEqualTo(20);
    }

    @Test
    void theLastOfThemDoesNotWaitForAnother() {
        commitsOf(2, Duration.ofMillis(1));
        assertThat(pace.due()).contains(CommitPace.TOGETHER.minusMillis(2));
        nanos += CommitPace.TOGETHER.toNanos();
        assertThat(pace.due()).contains(Duration.ZERO);
    }

    @Test
    void whatNobodyWaitsForIsNotDueHoweverLongItIsAgo() {
        pace.wrote(false);
        nanos += Duration.ofSeconds(1).toNanos();
        assertThat(pace.due()).isEmpty();
    }

    @Test
    void ofVeryManyEventsSomeAreDueThoughNobodyWaitsForThem() {
        for (int i = 1; i < CommitPace.MOST; i++) {
            pace.wrote(false);
        }
        assertThat(pace.due()).isEmpty();
        pace.wrote(false);
        assertThat(pace.due()).contains(Duration.ZERO);
        pace.committed();
        assertThat(pace.due()).isEmpty();
    }

    // each partition looks once a second, at another time
    @Test
    void whatNobodyWaitsForIsLateWhenNothingWasCommittedForASecond() {
        pace.committed();
        pace.wrote(false);
        nanos += Duration.ofMillis(999).toNanos();
        assertThat(pace.isLate()).isFalse();
        nanos += Duration.ofMillis(1).toNanos();
        assertThat(pace.isLate()).isTrue();
        pace.committed();
        nanos += Duration.ofSeconds(5).toNanos();
        assertThat(pace.isLate()).isFalse();
    }
}
