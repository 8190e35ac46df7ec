package io.praline.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.scaling.EveryWorker;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class TurnTest {
    private static final Instant AT = Instant.ofEpochSecond(5);
    private static final Policy POLICY = new EveryWorker();

    private static PolicyState after(Observation... seen) {
        PolicyState state = PolicyState.UNKNOWN;
        for (Observation observation : seen) {
            state = Turn.take(state, observation, POLICY).state();
        }
        return state;
    }

    private static Observation.Planned plan(long splits, boolean singleTask) {
        return new Observation.Planned(AT, splits, 0, singleTask);
    }

    private static Observation.PoolChanged pool(int workers) {
        return new Observation.PoolChanged(AT, workers, 2 * workers);
    }

    @Test
    void aJobThatIsNotPlannedWantsNothing() {
        Decision decision = Turn.take(PolicyState.UNKNOWN, pool(3), POLICY).decision();
        assertThat(decision.commands()).isEmpty();
        assertThat(decision.reason()).isEqualTo("its splits are not known yet");
    }

    // 5 workers, but 3 splits
    @Test
    void aJobWantsEveryWorkerThatHasSomethingToRead() {
        assertThat(after(pool(5), plan(100, false)).wanted()).isEqualTo(new Target(5, 0));
        assertThat(after(pool(5), plan(3, false)).wanted()).isEqualTo(new Target(3, 0));
        assertThat(after(pool(0), plan(3, false)).wanted()).isEqualTo(new Target(1, 0));
        assertThat(after(pool(5), plan(100, true)).wanted()).isEqualTo(new Target(1, 0));
    }

    @Test
    void theSameTargetIsNotDecidedTwice() {
        PolicyState state = after(pool(5), plan(100, false));
        assertThat(Turn.take(state, pool(5), POLICY).decision().commands()).isEmpty();
        assertThat(Turn.take(state, pool(6), POLICY).decision().commands()).isEqualTo(List.of(new ScaleTo(6, 0)));
    }

    @Test
    void aPolicyThatThrowsDecidesNothingAndWhatWasSeenIsKnown() {
        RuntimeException thrown = new IllegalStateException("no\n  window");
        Policy broken = new Breaking(thrown);
        PolicyState before = after(pool(5), plan(100, false));
        assertThat(Turn.take(before, pool(6), broken))
                .isEqualTo(new Turn(
                        pool(6),
                        Decision.nothing(
                                AT,
                                "policy breaking broke, the target stays as it is:"
                                        + " java.lang.IllegalStateException: no window"),
                        before.apply(pool(6)),
                        Optional.of(thrown)));
        assertThat(Turn.inALine(new IllegalStateException("x".repeat(10_000)))).hasSize(503);
    }

    private record Breaking(RuntimeException thrown) implements Policy {
        @Override
        public String name() {
            return "breaking";
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public SortedMap<String, String> parameters() {
            return Collections.emptySortedMap();
        }

        @Override
        public Decision decide(PolicyState state, Observation seen) {
            throw thrown;
        }
    }

    // 500 characters fit
    @Test
    void whatWasThrownIsToldInOneLineThatIsNotTooLong() {
        String name = IllegalStateException.class.getName() + ": ";
        String fits = "x".repeat(500 - name.length());
        assertThat(Turn.inALine(new IllegalStateException(fits))).isEqualTo(name + fits);
        assertThat(Turn.inALine(new IllegalStateException(fits + "y"))).isEqualTo(name + fits + "...");
        assertThat(Turn.inALine(new IllegalStateException("one\n  two\r\nthree")))
                .isEqualTo(name + "one two three");
    }
}
