package io.praline.policy.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.pool.PoolSize.Less;
import io.praline.policy.pool.PoolSize.Need;
import io.praline.policy.pool.PoolSize.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolSizeTest {
    private static final Instant NOW = Instant.ofEpochSecond(1000);
    private static final PoolSize SIZE = new PoolSize(1, 10, Duration.ofSeconds(60));

    @Test
    void whatElasticJobsNeedIsAddedUpWithinTheBounds() {
        assertThat(SIZE.needed(List.of(new Need(3, true), new Need(4, true)), 1))
                .isEqualTo(7);
        assertThat(SIZE.needed(List.of(new Need(8, true), new Need(9, true)), 1))
                .isEqualTo(10);
        assertThat(SIZE.needed(List.of(), 1)).isEqualTo(1);
    }

    // 3 + 4 tasks on workers of two slots: 3.5, so 4; 1 + 5 would fit on 3, but a job has one task on a worker
    @Test
    void aWorkerOfSeveralSlotsServesSeveralJobs() {
        assertThat(SIZE.needed(List.of(new Need(3, true), new Need(4, true)), 2))
                .isEqualTo(4);
        assertThat(SIZE.needed(List.of(new Need(1, true), new Need(5, true)), 2))
                .isEqualTo(5);
    }

    // each lives on the four that there are: together they must not ask for eight
    @Test
    void jobsThatLiveOnWhatThereIsAreNotAddedUp() {
        assertThat(SIZE.needed(List.of(new Need(4, false), new Need(4, false)), 1))
                .isEqualTo(4);
    }

    @Test
    void moreIsToldAtOnceAndLessAfterTheGrace() {
        Size four = SIZE.next(new Size(2, Optional.empty()), 4, NOW);
        assertThat(four).isEqualTo(new Size(4, Optional.empty()));
        Size waiting = SIZE.next(four, 1, NOW);
        assertThat(waiting).isEqualTo(new Size(4, Optional.of(new Less(NOW, 1))));
        assertThat(SIZE.next(waiting, 2, NOW.plusSeconds(59))).isEqualTo(new Size(4, Optional.of(new Less(NOW, 2))));
        assertThat(SIZE.next(waiting, 4, NOW.plusSeconds(59))).isEqualTo(four);
        assertThat(SIZE.next(waiting, 2, NOW.plusSeconds(60))).isEqualTo(new Size(2, Optional.empty()));
    }

    // of 8 told 6 are needed, and 1 for a moment, as where a job's epoch ends: in that moment the grace is over
    @Test
    void aMomentInWhichLittleIsNeededDoesNotMakeThePoolSmaller() {
        Size size = SIZE.next(new Size(8, Optional.empty()), 6, NOW);
        size = SIZE.next(size, 6, NOW.plusSeconds(59));
        size = SIZE.next(size, 1, NOW.plusSeconds(60));
        assertThat(size.target()).isEqualTo(6);
        assertThat(SIZE.next(size, 6, NOW.plusSeconds(61))).isEqualTo(new Size(6, Optional.empty()));
        assertThat(SIZE.next(size, 1, NOW.plusSeconds(119)).target()).isEqualTo(6);
        assertThat(SIZE.next(size, 1, NOW.plusSeconds(120))).isEqualTo(new Size(1, Optional.empty()));
    }

    @Test
    void boundsThatContradictAreRefused() {
        assertThatThrownBy(() -> new PoolSize(3, 2, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maximum must be at least 1 and at least the minimum, 3, is 2");
    }

    // 8 were told and 7 are needed; whoever starts workers starts 5 at most, and then only the 2 that are needed
    @Test
    void aBoundOfWhoeverStartsWorkersHoldsAtOnceAndWhatIsNeededLessOnlyLater() {
        PoolSize five = SIZE.within(5);
        assertThat(five.maximum()).isEqualTo(5);
        assertThat(SIZE.within(SIZE.maximum() + 1)).isEqualTo(SIZE);
        Size bounded = five.next(new Size(8, Optional.empty()), 5, NOW);
        assertThat(bounded).isEqualTo(new Size(5, Optional.empty()));
        assertThat(five.next(new Size(8, Optional.empty()), 2, NOW))
                .isEqualTo(new Size(5, Optional.of(new Less(NOW, 2))));
    }
}
