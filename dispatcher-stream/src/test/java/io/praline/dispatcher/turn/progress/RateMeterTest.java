package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.turn.progress.RateMeter.Totals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateMeterTest {
    private RateMeter meter = new RateMeter();
    private final List<Double> told = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1000);
    private long batches;
    private double busySeconds;
    private int beside = 1;

    /** Seconds with a beat each, in which so many batches of ten elements are made. */
    private void seconds(int count, int batchesEach) {
        for (int i = 0; i < count; i++) {
            now = now.plusSeconds(1);
            batches += batchesEach;
            busySeconds += 1;
            meter.seen(new Totals(batches, batches * 10, 0, 0, busySeconds), beside, now)
                    .ifPresent(told::add);
        }
    }

    // 3 batches of 10 elements a second
    @Test
    void theFirstIsToldWithinSecondsAndNoOtherWhileNothingChanges() {
        seconds(4, 3);
        assertThat(told).containsExactly(30.0);
        seconds(100, 3);
        assertThat(told).containsExactly(30.0);
    }

    // the measurement in which it changed holds a second or two of before
    @Test
    void aChangeOfMoreThanATenthIsToldOnceItWasMeasured() {
        seconds(14, 30);
        seconds(60, 32);
        assertThat(told).containsExactly(300.0);
        seconds(30, 60);
        assertThat(told).hasSize(2).last().satisfies(rate -> assertThat(rate).isBetween(550.0, 600.0));
    }

    @Test
    void besideAnotherNumberOfTasksItIsMeasuredAnew() {
        seconds(6, 3);
        beside = 2;
        seconds(6, 2);
        assertThat(told).containsExactly(30.0, 20.0);
    }

    /** An attempt that is over, and what the next one goes on from. */
    private void next() {
        RateMeter after = new RateMeter();
        meter.rest().ifPresent(after::goesOn);
        meter = after;
        batches = 0;
        busySeconds = 0;
    }

    @Test
    void whatAttemptsMeasureThatAreOverTooSoonIsPutTogether() {
        for (int i = 0; i < 3; i++) {
            seconds(2, 3);
            next();
        }
        assertThat(told).containsExactly(30.0);
        seconds(2, 3);
        next();
        assertThat(meter.rest()).isEmpty();
    }

    @Test
    void ofAttemptsThatAreSeenOnceTheirStartIsPartOfIt() {
        for (int i = 0; i < 6; i++) {
            seconds(1, 2);
            next();
        }
        assertThat(told).hasSizeBetween(1, 3).allMatch(rate -> rate == 20);
    }

    @Test
    void whatWasMeasuredBesideAnotherNumberOfTasksIsNotPutTogether() {
        seconds(2, 3);
        next();
        beside = 2;
        seconds(2, 2);
        assertThat(told).isEmpty();
    }

    @Test
    void whatTellsNoBusyTimeHasNoRate() {
        for (int i = 0; i < 30; i++) {
            now = now.plusSeconds(1);
            assertThat(meter.seen(new Totals(i, i * 10L, 0, 0, 0), 1, now)).isEmpty();
        }
    }

    // 5 s until its first batches, which say nothing of the 3 a second that follow
    @Test
    void theStartOfATaskIsNotMeasured() {
        seconds(5, 0);
        seconds(1, 1);
        seconds(4, 3);
        assertThat(told).containsExactly(30.0);
    }

    // one batch in 25 s
    @Test
    void ofSlowBatchesOneIsEnough() {
        seconds(25, 0);
        seconds(1, 1);
        assertThat(told).singleElement().satisfies(rate -> assertThat(rate).isBetween(0.39, 0.41));
    }
}
