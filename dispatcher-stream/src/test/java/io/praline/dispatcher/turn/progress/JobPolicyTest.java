package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Command;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Turn;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class JobPolicyTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Observation PLANNED = new Observation.Planned(AT, 7, 100, false);
    private static final Observation CLOCK = new Observation.Clock(AT.plusSeconds(1));

    private final JobPolicy policy = new JobPolicy(new OfPlans(), PolicyState.UNKNOWN);

    /** Wants two workers of the pool as soon as a job is planned, and nothing at a clock; breaks on all else. */
    private record OfPlans() implements Policy {
        @Override
        public String name() {
            return "of-plans";
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
            if (seen instanceof Observation.Planned) {
                return Decision.of(seen.at(), new Command.ScaleTo(new Target(2, 0)), "it is planned");
            }
            if (seen instanceof Observation.Clock) {
                return Decision.nothing(seen.at(), "nothing is new");
            }
            throw new IllegalStateException("what is that");
        }

        @Override
        public boolean elastic(PolicyState state) {
            if (!state.planned()) {
                throw new IllegalStateException("no plan");
            }
            return false;
        }
    }

    @Test
    void itKnowsWhatItDecidedOnceThatIsKept() {
        Turn turn = policy.turn(PLANNED);
        assertThat(policy.state()).isEqualTo(PolicyState.UNKNOWN);
        assertThat(policy.changed()).isFalse();
        assertThat(policy.why()).isEmpty();

        policy.keep(turn);
        assertThat(policy.state().wanted()).isEqualTo(new Target(2, 0));
        assertThat(policy.why()).contains("it is planned");
        assertThat(policy.changed()).isTrue();
        assertThat(policy.changed()).isFalse();
    }

    @Test
    void aTurnThatDecidesNothingLeavesTheReasonOfTheOneBefore() {
        policy.keep(policy.turn(PLANNED));
        policy.changed();
        policy.keep(policy.turn(CLOCK));

        assertThat(policy.why()).contains("it is planned");
        assertThat(policy.changed()).isTrue();
    }

    @Test
    void thatItBreaksIsNewsOnce() {
        Turn broken = policy.turn(new Observation.PoolChanged(AT, 1, 1));
        assertThat(broken.broken()).isPresent();

        assertThat(policy.breaksFirst(policy.turn(CLOCK))).isFalse();
        assertThat(policy.breaksFirst(broken)).isTrue();
        assertThat(policy.breaksFirst(broken)).isFalse();
        assertThat(policy.breaksFirst(policy.turn(CLOCK))).isFalse();
        assertThat(policy.breaksFirst(broken)).isFalse();
    }

    @Test
    void whereItBreaksOnWhetherThePoolShouldGrowItShould() {
        assertThat(policy.elastic()).isTrue();
        policy.keep(policy.turn(PLANNED));
        assertThat(policy.elastic()).isFalse();
    }
}
