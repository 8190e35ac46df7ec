package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How it behaves in a job; what it makes of measurements is with the replay of tables. */
class PecanPlacementTest {
    private static final Policy PECAN = new Bounded(new PecanPlacement());

    private final List<Observation> seen = new ArrayList<>(List.of(
            new TermsSet(
                    at(1), new Terms(Goal.COST, Terms.USUAL.prices(), new Limits(50, 50), Double.POSITIVE_INFINITY)),
            new Planned(at(1), 1_000, 0, false)));

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private static WindowClosed window(long second, int consumer, int remote, int local, double millis) {
        return new WindowClosed(at(second), consumer, 500, 500, millis / 2, 0.5, 1, local, remote, false);
    }

    private Turn last(Observation... more) {
        seen.addAll(List.of(more));
        PolicyState state = PolicyState.UNKNOWN;
        Turn turn = null;
        for (Observation observation : seen) {
            turn = Turn.take(state, observation, PECAN);
            state = turn.state();
        }
        return turn;
    }

    private Target wanted(Observation... more) {
        return last(more).state().wanted();
    }

    @Test
    void itBeginsWithOneRemoteWorkerAndThenTriesTwo() {
        assertThat(wanted()).isEqualTo(new Target(1, 0));
        assertThat(wanted(new Granted(at(2), new Target(1, 0)), window(60, 0, 1, 0, 100)))
                .isEqualTo(new Target(2, 0));
    }

    // a pool that has no second worker may start one; after 300 s it is known that it does not
    @Test
    void itWaitsForAWorkerAsLongAsOneMayComeAndThenGoesOnWithLocalOnes() {
        PoolChanged one = new PoolChanged(at(2), 1, 2);
        last(one, new Granted(at(2), new Target(1, 0)), window(60, 0, 1, 0, 100));
        Decision waits = last(window(300, 0, 1, 0, 100)).decision();
        assertThat(waits)
                .isEqualTo(Decision.nothing(
                        at(300), "it waits for 2 remote and 0 local: this window was served by 1 remote and 0 local"));
        assertThat(wanted(window(361, 0, 1, 0, 100))).isEqualTo(new Target(1, 0));
    }

    // consumer 0 got faster by half, consumer 1 slower by as much: (50 + 150) / 2 = 100
    @Test
    void theGainOfSeveralConsumersIsThatOfTheirMean() {
        last(new Granted(at(2), new Target(1, 0)), window(60, 0, 1, 0, 100), window(61, 1, 1, 0, 100));
        last(new Granted(at(70), new Target(2, 0)), window(100, 1, 2, 0, 150));
        assertThat(last(window(101, 0, 2, 0, 50)).decision().numbers()).isEmpty();
    }

    @Test
    void theLimitsOfTheTermsLowerItsBounds() {
        seen.set(
                0,
                new TermsSet(
                        at(1), new Terms(Goal.COST, Terms.USUAL.prices(), new Limits(0, 2), Double.POSITIVE_INFINITY)));
        assertThat(wanted()).isEqualTo(new Target(0, 1));
        assertThat(wanted(new Granted(at(2), new Target(0, 1)), window(60, 0, 0, 1, 100)))
                .isEqualTo(new Target(0, 2));
        assertThat(wanted(new Granted(at(70), new Target(0, 2)), window(100, 0, 0, 2, 60)))
                .isEqualTo(new Target(0, 2));
        assertThat(last().decision().reason()).endsWith("there may be no more local workers, it is stable now");
    }
}
