package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.SMALL;
import static io.praline.policy.ordering.Steps.batch;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.decode;
import static io.praline.policy.ordering.Steps.opaque;
import static io.praline.policy.ordering.Steps.resize;
import static io.praline.policy.ordering.Steps.subtract;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.ordering.course.OrderCommand;
import io.praline.policy.ordering.course.OrderCourse;
import io.praline.policy.ordering.course.OrderEvent;
import io.praline.policy.ordering.course.OrderMode;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.OrderState.Phase;
import io.praline.policy.ordering.course.OrderTurn;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.plan.Proof;
import io.praline.policy.ordering.verification.GainBound;
import io.praline.policy.ordering.verification.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a job comes to another order of its steps, and back. */
class OrderCourseTest {
    private static final OrderCourse TOLERANT = new OrderCourse(OrderMode.TOLERANT, true, false, false);
    private static final Instant START = Instant.ofEpochSecond(1_000_000);
    private static final Verdict.Comparison SAME = new Verdict.Comparison(300, 0, 0, 0);

    private static Measured classicMistake() {
        return new Measured()
                .then(decode("decode"), 100_008, 600_008, 2000)
                .then(cast("cast", "uint8", "float32"), 600_008, 2_400_008, 300)
                .then(subtract("subtract"), 2_400_008, 2_400_008, 400)
                .then(resize("resize"), 2_400_008, 602_120, 600)
                .then(batch("batch", SMALL), 125, 602_120, 602_120, 100);
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static OrderEvent passed(int seconds, long assigned) {
        return new OrderEvent.Passed(at(seconds), Duration.ofSeconds(seconds), assigned, assigned, 1000);
    }

    private static OrderEvent profiled(int seconds, int trial, Measured measured) {
        return new OrderEvent.Profiled(at(seconds), trial, measured.steps(), measured.measures(), 5000, 300, 1_000_000);
    }

    /** Five pairs in which the variant takes so much of the time. */
    private static OrderEvent verified(int seconds, int trial, double share, Verdict.Comparison results) {
        GainBound.Pair pair = new GainBound.Pair(1_000_000, (long) (1_000_000 * share));
        return new OrderEvent.Verified(at(seconds), trial, "digest", 2, results, Collections.nCopies(5, pair));
    }

    private static OrderEvent rate(int seconds, boolean variant, double elements) {
        return new OrderEvent.Rate(at(seconds), variant, elements);
    }

    private static OrderState after(OrderCourse course, OrderEvent... events) {
        OrderState state = course.begin(START);
        for (OrderEvent event : events) {
            state = course.take(state, event).state();
        }
        return state;
    }

    private static OrderState inUse() {
        return after(
                TOLERANT,
                rate(1, false, 100),
                passed(5, 50),
                profiled(7, 1, classicMistake()),
                verified(12, 2, 0.5, SAME));
    }

    @Test
    void aJobIsMeasuredThenVerifiedThenRunsTheVariantAndTellsWhatThatAchieved() {
        OrderState state = after(TOLERANT, rate(1, false, 100));
        OrderTurn wanted = TOLERANT.take(state, passed(5, 50));
        assertThat(wanted.command()).contains(new OrderCommand.Profile(1));
        assertThat(wanted.reason())
                .isEqualTo("50 of 1000 splits were begun in 5 s, so that about 95 s are left: its steps are to be"
                        + " measured");

        OrderTurn found = TOLERANT.take(wanted.state(), profiled(7, 1, classicMistake()));
        assertThat(found.command())
                .contains(new OrderCommand.Verify(
                        2, List.of(List.of("decode", "resize", "cast", "subtract", "batch")), 300, 1_000_000));
        assertThat(found.lines()).anyMatch(line -> line.startsWith("resize moves before cast"));

        OrderTurn used = TOLERANT.take(found.state(), verified(12, 2, 0.5, SAME));
        Variant variant = used.state().variant().orElseThrow();
        assertThat(used.command()).contains(new OrderCommand.Run(variant, 0, variant.measuredGain()));
        assertThat(variant.measuredGain()).isCloseTo(2, within(1e-9));
        assertThat(variant.digest()).isEqualTo("digest");
        assertThat(used.state().used(0)).contains(variant);

        OrderTurn achieved = TOLERANT.take(used.state(), rate(20, true, 180));
        assertThat(achieved.told()).isTrue();
        assertThat(achieved.reason())
                .isEqualTo("a task makes 180 elements/s in the new order and made 100: 1.80 times as many, 2.00 were"
                        + " expected");
        assertThat(TOLERANT.take(achieved.state(), rate(30, true, 190)).told()).isFalse();
    }

    @Test
    void aJobThatIsOverSoonOrHasMadeNothingYetIsNotMeasured() {
        OrderState rated = after(TOLERANT, rate(1, false, 100));
        assertThat(TOLERANT.take(rated, passed(1, 10)).command()).isEmpty();
        assertThat(TOLERANT.take(rated, passed(5, 800)).command()).isEmpty();
        assertThat(TOLERANT.take(rated, passed(5, 0)).command()).isEmpty();
        assertThat(TOLERANT.take(after(TOLERANT), passed(5, 50)).command()).isEmpty();
        // every split is with an attempt that runs the user's order
        OrderEvent given = new OrderEvent.Passed(at(5), Duration.ofSeconds(5), 50, 1000, 1000);
        assertThat(TOLERANT.take(rated, given).command()).isEmpty();
    }

    @Test
    void whereNothingMovesTheUsersOrderStaysAndSaysWhy() {
        OrderState asked = after(TOLERANT, rate(1, false, 100), passed(5, 50));
        Measured unknown = new Measured().then(opaque("mystery"), 100, 100, 10);
        OrderTurn turn = TOLERANT.take(asked, profiled(7, 1, unknown));
        assertThat(turn.command()).contains(new OrderCommand.Keep());
        assertThat(turn.state().phase()).isEqualTo(Phase.USUAL);
        assertThat(turn.reason())
                .startsWith("the user's order stays: nothing can move, because ")
                .contains("mystery");
        assertThat(TOLERANT.take(turn.state(), passed(60, 60)).command()).isEmpty();
    }

    @Test
    void aVariantWithOtherElementsOrThatIsNotFasterForSureIsNotUsed() {
        OrderState verifying = after(TOLERANT, rate(1, false, 100), passed(5, 50), profiled(7, 1, classicMistake()));
        for (OrderEvent no : List.of(
                verified(12, 2, 0.99, SAME),
                verified(12, 2, 0.5, new Verdict.Comparison(300, 1, 0, 0)),
                verified(12, 2, 0.5, new Verdict.Comparison(300, 0, 300, 0.1)),
                verified(12, 2, 0.5, new Verdict.Comparison(300, 0, 300, Double.NaN)),
                verified(12, 2, 0.5, new Verdict.Comparison(0, 0, 0, 0)))) {
            OrderTurn turn = TOLERANT.take(verifying, no);
            assertThat(turn.command()).contains(new OrderCommand.Keep());
            assertThat(turn.state().phase()).isEqualTo(Phase.USUAL);
            assertThat(turn.state().used(5)).isEmpty();
        }
    }

    @Test
    void anAnswerToAnOlderRequestIsNone() {
        OrderState verifying = after(TOLERANT, rate(1, false, 100), passed(5, 50), profiled(7, 1, classicMistake()));
        assertThat(TOLERANT.take(verifying, verified(12, 1, 0.5, SAME)).state()).isEqualTo(verifying);
        assertThat(TOLERANT.take(verifying, profiled(12, 1, classicMistake())).state())
                .isEqualTo(verifying);
        assertThat(TOLERANT.take(verifying, new OrderEvent.Failed(at(12), 1, "late"))
                        .state())
                .isEqualTo(verifying);
    }

    @Test
    void whoeverDoesNotAnswerIsFollowedByAnotherThreeTimesInAll() {
        OrderState state = after(TOLERANT, rate(1, false, 100), passed(5, 50));
        state = TOLERANT.take(state, new OrderEvent.Unanswered(at(6), "worker w1 left"))
                .state();
        assertThat(state.phase()).isEqualTo(Phase.WAITING);
        state = TOLERANT.take(state, passed(7, 70)).state();
        assertThat(state.phase()).isEqualTo(Phase.PROFILING);
        assertThat(state.trial()).isEqualTo(2);
        assertThat(TOLERANT.take(state, passed(127, 170)).state().phase()).isEqualTo(Phase.PROFILING);
        state = TOLERANT.take(state, passed(128, 170)).state();
        assertThat(state.phase()).isEqualTo(Phase.WAITING);
        state = TOLERANT.take(state, passed(129, 170)).state();
        OrderTurn last = TOLERANT.take(state, new OrderEvent.Unanswered(at(130), "worker w3 left"));
        assertThat(last.command()).contains(new OrderCommand.Keep());
        assertThat(last.reason())
                .isEqualTo("the user's order stays: it was to be measured 3 times, and worker w3 left");
    }

    @Test
    void whatCannotBeMeasuredStaysAsItIs() {
        OrderState asked = after(TOLERANT, rate(1, false, 100), passed(5, 50));
        OrderTurn turn = TOLERANT.take(asked, new OrderEvent.Failed(at(6), 1, "train-3: record 7 is no picture"));
        assertThat(turn.state().phase()).isEqualTo(Phase.USUAL);
        assertThat(turn.reason())
                .isEqualTo("the user's order stays: it could not be measured, since train-3: record 7 is no picture");
    }

    @Test
    void anAttemptThatFailsInTheVariantBringsTheUsersOrderBackForGood() {
        OrderTurn turn = TOLERANT.take(inUse(), new OrderEvent.Broke(at(30), "train-3: record 7 is no picture"));
        assertThat(turn.command()).contains(new OrderCommand.Keep());
        assertThat(turn.state().used(3)).isEmpty();
        assertThat(TOLERANT.take(turn.state(), passed(60, 60)).state()).isEqualTo(turn.state());
    }

    @Test
    void theThirdWorkerThatIsLostInTheVariantBringsTheUsersOrderBack() {
        OrderState state = inUse();
        for (int i = 0; i < 2; i++) {
            OrderTurn turn = TOLERANT.take(state, new OrderEvent.Crashed(at(30 + i), "w" + i));
            assertThat(turn.state().phase()).isEqualTo(Phase.CHANGED);
            state = turn.state();
        }
        assertThat(TOLERANT.take(state, new OrderEvent.Crashed(at(33), "w3"))
                        .state()
                        .phase())
                .isEqualTo(Phase.USUAL);
    }

    @Test
    void aJobOfASingleTaskChangesWithItsNextEpoch() {
        OrderCourse single = new OrderCourse(OrderMode.TOLERANT, true, true, false);
        OrderState state = after(
                single,
                rate(1, false, 100),
                passed(5, 50),
                profiled(7, 1, classicMistake()),
                verified(12, 2, 0.5, SAME));
        assertThat(state.used(2)).isEmpty();
        assertThat(state.used(3)).isPresent();
    }

    @Test
    void whatAnotherJobHasShownRunsFromTheBeginning() {
        Variant shown = new Variant("digest", List.of("resize moves"), Proof.TOLERANT, 1e-6, 1.5, 1.4);
        OrderTurn turn = TOLERANT.take(TOLERANT.begin(START), new OrderEvent.Known(at(0), shown, "job-1"));
        assertThat(turn.state().used(0)).contains(shown);
        assertThat(turn.reason())
                .isEqualTo("job job-1 has shown it on the same data: 1.40 times as fast as the user's order");
        // not where this job has begun to measure by itself
        OrderState asked = after(TOLERANT, rate(1, false, 100), passed(5, 50));
        assertThat(TOLERANT.take(asked, new OrderEvent.Known(at(6), shown, "job-1"))
                        .state())
                .isEqualTo(asked);
    }

    @Test
    void whoAsksForNoOrderOrHasNoTicketsKeepsTheUsers() {
        for (OrderCourse none : List.of(
                new OrderCourse(OrderMode.OFF, true, false, false),
                new OrderCourse(OrderMode.EXACT, false, false, false))) {
            OrderState state = after(none, rate(1, false, 100), passed(5, 50));
            assertThat(state.phase()).isEqualTo(Phase.USUAL);
            assertThat(state.trial()).isZero();
        }
    }

    @Test
    void inExactModeNothingMovesThatChangesAValue() {
        OrderCourse exact = new OrderCourse(OrderMode.EXACT, true, false, false);
        OrderState state = after(exact, rate(1, false, 100), passed(5, 50), profiled(7, 1, classicMistake()));
        assertThat(state.variant().map(Variant::proof).orElse(Proof.EXACT)).isEqualTo(Proof.EXACT);
    }

    @ParameterizedTest
    @CsvSource({"'', EXACT", "exact, EXACT", "tolerant, TOLERANT", "pecan, PECAN", "off, OFF"})
    void aModeIsTheWordThatUsersType(String word, OrderMode mode) {
        assertThat(OrderMode.of(word)).isEqualTo(mode);
    }

    @Test
    void aWordThatIsNoModeIsRefusedByName() {
        assertThatThrownBy(() -> OrderMode.of("best"))
                .hasMessage("order must be one of [exact, tolerant, pecan, off], is 'best'");
    }

    @Test
    void aVariantInUseHasADigest() {
        OrderState waiting = OrderState.waiting(START);
        assertThatThrownBy(() -> new OrderState(Phase.CHANGED, 1, START, 0, 0, Optional.empty(), 0, 0, 0, "why"))
                .hasMessage("a variant that is in use must have a digest");
        assertThat(waiting.used(0)).isEmpty();
    }
}
