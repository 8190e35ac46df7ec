package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ToldProgress;
import io.praline.dispatcher.turn.progress.Beats.Waiting;
import io.praline.identity.AttemptKey;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.schema.AttemptProgress;
import io.praline.schema.TransformationMetrics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What beats and windows tell of a job, and what is left of it when its attempts are over. */
class BeatsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private final Beats beats = new Beats();

    private static AttemptProgress.Builder progress() {
        return ToldProgress.of(new AttemptKey("job", 0, 0))
                .setAssignedThrough(0)
                .setBatches(0)
                .setElements(0)
                .setBytes(0);
    }

    private static TransformationMetrics metrics(String name, long elements) {
        return new TransformationMetrics(name, "ParallelMapV2", elements, 10 * elements, 100 * elements);
    }

    @Test
    void whatTheLastBeatSaidIsKnown() {
        beats.told(
                0,
                1,
                AT.plusSeconds(3),
                progress()
                        .setUnopened(4)
                        .setSplitSeconds(0.5)
                        .setFinishing(true)
                        .setMembership(7)
                        .build());
        LastBeat last = beats.of(0, 1, AT.plusSeconds(9));

        assertThat(last.since()).isEqualTo(AT.plusSeconds(3));
        assertThat(last.heard()).contains(AT.plusSeconds(3));
        assertThat(last.unopened()).isEqualTo(4);
        assertThat(last.splitSeconds()).isEqualTo(0.5);
        assertThat(last.finishing()).isTrue();
        assertThat(last.membership()).isEqualTo(7);
        assertThat(last.fenced()).isFalse();
        assertThat(beats.of(1, 1, AT).heard()).isEmpty();
        assertThat(beats.of(0, 2, AT).heard()).isEmpty();
    }

    @Test
    void aBeatOfAFencedAttemptTellsNothingOfItsWork() {
        beats.told(0, 1, AT, progress().setUnopened(4).setMembership(7).build());
        LastBeat last = beats.of(0, 1, AT);
        last.fenced(
                AT.plusSeconds(1),
                progress().setFenced(true).setUnopened(9).setMembership(8).build());

        assertThat(last.fenced()).isTrue();
        assertThat(last.heard()).contains(AT.plusSeconds(1));
        assertThat(last.membership()).isEqualTo(8);
        assertThat(last.unopened()).isEqualTo(4);
    }

    @Test
    void whoWaitsForAStoreIsKnownUntilItDoesNot() {
        beats.told(0, 1, AT, progress().setWaitsFor("s3 is slow").build());
        beats.told(1, 1, AT, progress().setWaitsFor("s3 is away").build());
        assertThat(beats.waiting()).containsExactly(new Waiting(0, 1, "s3 is slow"), new Waiting(1, 1, "s3 is away"));

        beats.told(0, 1, AT, progress().build());
        assertThat(beats.waiting()).containsExactly(new Waiting(1, 1, "s3 is away"));
        beats.forget(1, 1);
        assertThat(beats.waiting()).isEmpty();
    }

    @Test
    void timesOfAllAttemptsAreAddedUpInTheOrderInWhichTheyWereTold() {
        beats.told(
                0,
                1,
                AT,
                progress()
                        .setMetrics(List.of(metrics("map", 3), metrics("batch", 1)))
                        .build());
        assertThat(beats.metrics()).containsExactly(metrics("map", 3), metrics("batch", 1));
        beats.forget(0, 1);
        beats.forget(0, 1);
        beats.told(
                0,
                2,
                AT,
                progress()
                        .setMetrics(List.of(metrics("batch", 2), metrics("a", 5)))
                        .build());
        // a beat without totals leaves those before
        beats.told(0, 2, AT, progress().build());

        assertThat(beats.metrics()).containsExactly(metrics("map", 3), metrics("batch", 3), metrics("a", 5));
    }

    @Test
    void ofStepsThatHaveOtherNamesNowNothingCounts() {
        beats.told(0, 1, AT, progress().setMetrics(List.of(metrics("map", 3))).build());
        beats.forget(0, 1);
        beats.told(0, 2, AT, progress().setMetrics(List.of(metrics("map", 4))).build());
        beats.anew();
        beats.told(0, 2, AT, progress().setMetrics(List.of(metrics("map", 5))).build());
        beats.told(0, 3, AT, progress().setMetrics(List.of(metrics("other", 1))).build());

        assertThat(beats.metrics()).containsExactly(metrics("other", 1));
        beats.forget(0, 2);
        assertThat(beats.metrics()).containsExactly(metrics("other", 1));
    }

    // of one that made all of its elements from entries all that loops took came from there
    @Test
    void whatCameFromEntriesIsCountedOfWhatLoopsTook() {
        assertThat(beats.fromEntries(0, 1, 50)).isZero();
        beats.told(0, 1, AT, progress().setElements(10).build());
        assertThat(beats.fromEntries(0, 1, 5)).isZero();
        beats.told(0, 1, AT, progress().setElements(10).setCachedElements(4).build());
        assertThat(beats.fromEntries(0, 1, 3)).isEqualTo(3);
        assertThat(beats.fromEntries(0, 1, 8)).isEqualTo(4);
        beats.told(0, 1, AT, progress().setElements(10).setCachedElements(10).build());
        assertThat(beats.fromEntries(0, 1, 12)).isEqualTo(12);
        beats.told(0, 1, AT, progress().build());
        assertThat(beats.fromEntries(0, 1, 12)).isZero();
    }

    // two batches of 20 elements in 1 s are too few to tell; the next one's three batches of 30 in 1.5 s make 50 in 2.5
    // s
    @Test
    void whatAnAttemptMeasuredTooShortlyGoesOnInTheNextOnItsWorker() {
        beats.rate(0, 1, "w1", AT).seen(new RateMeter.Totals(1, 10, 0, 0, 5), 1, AT);
        beats.rate(0, 1, "w1", AT).seen(new RateMeter.Totals(3, 30, 0, 0, 6), 1, AT);
        beats.forget(0, 1);

        RateMeter elsewhere = beats.rate(1, 0, "w2", AT);
        elsewhere.seen(new RateMeter.Totals(0, 0, 0, 0, 0), 1, AT);
        assertThat(elsewhere.seen(new RateMeter.Totals(3, 30, 0, 0, 1.5), 1, AT))
                .isEmpty();
        RateMeter next = beats.rate(1, 1, "w1", AT);
        next.seen(new RateMeter.Totals(0, 0, 0, 0, 0), 1, AT);
        beats.rate(1, 1, "w1", AT);
        next.seen(new RateMeter.Totals(1, 10, 0, 0, 0.5), 1, AT);
        assertThat(next.seen(new RateMeter.Totals(4, 40, 0, 0, 2), 1, AT)).isEqualTo(OptionalDouble.of(20));
    }

    private static WindowClosed window(int consumer, long elements, double seconds, double waitShare) {
        return new WindowClosed(AT, consumer, 1, elements, seconds, waitShare, 0, 0, 1, false);
    }

    private static PolicyState with(WindowClosed... windows) {
        PolicyState state = PolicyState.UNKNOWN;
        for (WindowClosed window : windows) {
            state = state.apply(window);
        }
        return state;
    }

    // the first: 100 in the 5 s of 10 in which it did not wait; the second: 30 in 10 s
    @Test
    void whatLoopsWouldTakeIsWhatTheyTookWhileTheyDidNotWait() {
        assertThat(TrainerRate.of(PolicyState.UNKNOWN)).isInfinite();
        assertThat(TrainerRate.of(with(window(0, 0, 10, 0)))).isInfinite();
        assertThat(TrainerRate.of(with(window(0, 100, 10, 0.5), window(1, 30, 10, 0))))
                .isCloseTo(23, Offset.offset(1e-9));
        assertThat(TrainerRate.of(with(window(0, 100, 10, 0.5), window(0, 30, 10, 0))))
                .isCloseTo(3, Offset.offset(1e-9));
    }

    // one that waits all the time is taken to be busy for a hundredth of it
    @Test
    void aLoopThatOnlyWaitsTakesManyTimesWhatItGot() {
        assertThat(TrainerRate.of(with(window(0, 100, 10, 1)))).isCloseTo(1_000, Offset.offset(1e-6));
        assertThat(Optional.of(TrainerRate.of(with(window(0, 100, 10, 0.995)))))
                .contains(TrainerRate.of(with(window(0, 100, 10, 1))));
    }
}
