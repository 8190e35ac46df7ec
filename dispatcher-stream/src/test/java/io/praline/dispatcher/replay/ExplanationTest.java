package io.praline.dispatcher.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Quantity;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExplanationTest {

    /** Wants one remote worker more after every window, and expects 40 ms a batch and something that nobody measures. */
    private record OneMore() implements Policy {
        @Override
        public String name() {
            return "one-more";
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public SortedMap<String, String> parameters() {
            return new TreeMap<>();
        }

        @Override
        public Decision decide(PolicyState state, Observation seen) {
            return seen instanceof WindowClosed window
                    ? Decision.of(seen.at(), new ScaleTo(window.remoteTasks() + 1, 0), "one more")
                            .with(new TreeMap<>(Map.of("expectedBatchMillis", 40.0, "expectedMood", 1.0, "gain", 0.5)))
                    : Decision.nothing(seen.at(), "nothing was measured");
        }
    }

    private static WindowClosed window(long second, int remote, double seconds) {
        return new WindowClosed(Instant.ofEpochSecond(second), 0, 500, 16_000, seconds, 0.5, 1, 0, remote, false);
    }

    // 500 batches in 25 s are 50 ms each, where 40 were expected: wrong by a fifth
    @Test
    void aDecisionIsHeldAgainstTheWindowThatItsWorkersServed() {
        Granted granted = new Granted(Instant.ofEpochSecond(12), new Target(2, 0));
        List<Explanation> all = Explanation.all(Journals.of(
                new OneMore(),
                List.of(
                        new Planned(Instant.ofEpochSecond(1), 40, 0, false),
                        window(10, 1, 40),
                        granted,
                        window(40, 2, 25))));
        assertThat(all).hasSize(4);
        Explanation decided = all.get(1);
        assertThat(decided.granted()).contains(granted);
        assertThat(decided.window()).contains(window(40, 2, 25));
        assertThat(decided.compared()).isEqualTo(Map.of(Quantity.BATCH_MILLIS, new Explanation.Compared(40, 50)));
        assertThat(decided.compared().get(Quantity.BATCH_MILLIS).error()).hasValueSatisfying(error -> assertThat(error)
                .isCloseTo(-0.2, org.assertj.core.data.Offset.offset(1e-12)));
        Explanation last = all.get(3);
        assertThat(List.of(last.granted(), last.window())).containsOnly(Optional.empty());
    }

    @Test
    void whatOtherWorkersServedIsShownAndNotHeldAgainstIt() {
        List<Explanation> all =
                Explanation.all(Journals.of(new OneMore(), List.of(window(10, 1, 40), window(40, 1, 40))));
        assertThat(all.get(0).window()).contains(window(40, 1, 40));
        assertThat(all.get(0).compared()).isEmpty();
    }
}
