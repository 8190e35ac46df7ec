package io.praline.policy.scaling.fitted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Windows of 500 batches of 32 elements in 10 s: 1,600/s. */
class RecentWindowsTest {
    private PolicyState state = PolicyState.UNKNOWN;
    private long seconds = 1_000;

    private void window(int consumer, double batchesReady) {
        state = state.apply(new WindowClosed(
                Instant.ofEpochSecond(seconds), consumer, 500, 16_000, 10, 0, batchesReady, 1, 1, false));
    }

    private void windows(double... batchesReady) {
        for (double ready : batchesReady) {
            seconds += 10;
            window(0, ready);
        }
    }

    private static List<Double> lastingRates(RecentWindows recent) {
        return recent.windows().stream()
                .map(RecentWindows.Measured::lastingRate)
                .toList();
    }

    // 200 batches of 32 elements less in 10 s are 640/s which nobody makes; that more lies ready is no rate of the
    // trainer
    @Test
    void whatTheTrainerTookFromWhatLayReadyWillNotLast() {
        windows(300, 100, 100, 300);
        assertThat(lastingRates(RecentWindows.of(state, 0))).containsExactly(1600.0, 960.0, 1600.0, 1600.0);
        assertThat(RecentWindows.of(state, 0).point().rate()).isCloseTo(1600, within(1e-6));
        windows(200, 100, 0);
        assertThat(RecentWindows.of(state, 0).last(3).point())
                .satisfies(point -> assertThat(point.rate()).isCloseTo(1280, within(1e-6)))
                .satisfies(point -> assertThat(point.trainerRate()).isCloseTo(1600, within(1e-6)));
    }

    // 50 s lie between the two: 200 batches in 50 s are 128/s
    @Test
    void windowsThatWereLeftOutBetweenTwoAreTimeTheyTook() {
        windows(300);
        seconds += 40;
        windows(100);
        assertThat(lastingRates(RecentWindows.of(state, 0))).containsExactly(1600.0, 1472.0);
    }

    // each of two has its own queue, and half of the rate: 50 batches of 32 less in 10 s are 160/s
    @Test
    void eachConsumerIsComparedWithItself() {
        for (double ready : new double[] {100, 50}) {
            seconds += 10;
            window(0, ready);
            window(1, 10);
        }
        assertThat(lastingRates(RecentWindows.of(state, 0))).containsExactly(3200.0, 3040.0);
    }

    @Test
    void whatWasBeforeATimeIsOnlyComparedWith() {
        windows(300, 100);
        RecentWindows recent = RecentWindows.of(state, seconds * 1_000);
        assertThat(lastingRates(recent)).containsExactly(960.0);
        assertThat(recent.windows()).singleElement().satisfies(one -> assertThat(one.tasks())
                .isEqualTo(new Target(1, 1)));
    }

    @Test
    void aQueueThatEmptiesFasterThanItCouldIsNoRateBelowNothing() {
        windows(9_000, 0);
        assertThat(lastingRates(RecentWindows.of(state, 0))).containsExactly(1600.0, 160.0);
    }

    private void window(int consumer, long elements, double windowSeconds, double waitShare) {
        state = state.apply(new WindowClosed(
                Instant.ofEpochSecond(seconds), consumer, 100, elements, windowSeconds, waitShare, 5, 1, 1, false));
    }

    // 800/s, 400/s and 100/s, which would take 1,000/s, 400/s and 200/s
    @Test
    void consumersOfUnequalSpeedAreAddedUp() {
        for (int i = 0; i < 6; i++) {
            seconds += 5;
            window(0, 4_000, 5, 0.2);
            if (i % 2 == 1) {
                window(1, 4_000, 10, 0);
                window(2, 1_000, 10, 0.5);
            }
        }
        RecentWindows recent = RecentWindows.of(state, 0);
        assertThat(lastingRates(recent)).containsExactly(1300.0, 1300.0, 1300.0);
        assertThat(recent.point().trainerRate()).isCloseTo(1600, within(1e-6));
        assertThat(recent.point().waitShare()).isCloseTo(1 - 1300 / 1600.0, within(1e-6));
    }

    // 64 of 100/s each; there is one round more of each than there is room for
    @Test
    void manyConsumersAreAllCounted() {
        for (int i = 0; i < 7; i++) {
            seconds += 10;
            for (int consumer = 0; consumer < 64; consumer++) {
                window(consumer, 1_000, 10, 0);
            }
        }
        assertThat(lastingRates(RecentWindows.of(state, 0))).hasSize(6).allMatch(rate -> Math.abs(rate - 6400) < 1e-6);
        assertThat(RecentWindows.of(state, 0).open()).isTrue();
        window(0, 1_000, 10, 0);
        assertThat(RecentWindows.of(state, 0).open()).isFalse();
    }

    // all of four pause at once, one of five times: that is one window of the job, not four in a row
    @Test
    void aPauseOfAllConsumersIsOneWindow() {
        for (int i = 0; i < 5; i++) {
            seconds += i == 4 ? 100 : 10;
            for (int consumer = 0; consumer < 4; consumer++) {
                window(consumer, 1_000, i == 4 ? 100 : 10, 0);
            }
        }
        assertThat(lastingRates(RecentWindows.of(state, 0).last(3))).containsExactly(400.0, 400.0, 40.0);
    }

    @Test
    void aConsumerThatLeftIsNotWaitedFor() {
        for (int i = 0; i < 12; i++) {
            seconds += 10;
            window(0, 1_000, 10, 0);
            if (i < 4) {
                window(1, 1_000, 10, 0);
            }
        }
        RecentWindows recent = RecentWindows.of(state, 0);
        assertThat(recent.open()).isFalse();
        assertThat(recent.last(5).windows())
                .allSatisfy(one -> assertThat(one.rate()).isEqualTo(100));
    }
}
