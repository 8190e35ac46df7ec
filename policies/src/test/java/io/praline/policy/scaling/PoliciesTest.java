package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    @Test
    void everyPolicyIsMadeAgainFromItsOwnNameAndParameters() {
        for (String name : Policies.names()) {
            assertThat(Policies.named(name, Policies.named(name, Map.of()).parameters()))
                    .isEqualTo(Policies.named(name, Map.of()));
        }
        assertThat(Policies.names()).contains(Policies.USUAL);
    }

    @Test
    void aParameterIsSetByTheNameOfTheRecordsComponent() {
        assertThat(Policies.named("fixed", Map.of("remote", "3", "local", " 2 ")))
                .isEqualTo(new Bounded(new Fixed(3, 2)));
        assertThat(Policies.named("pecan", Map.of("errorBar", "0.05")).parameters())
                .isEqualTo(Map.of(
                        "maxRemote",
                        "20",
                        "maxLocal",
                        "10",
                        "thresholdUp",
                        "0.03",
                        "errorBar",
                        "0.05",
                        "garbage",
                        "1.3",
                        "patienceSeconds",
                        "300.0"));
    }

    @Test
    void whatThereIsNotIsToldWithWhatThereIs() {
        assertRefused(
                "peacan", Map.of(), "there is no policy 'peacan': there are " + String.join(", ", Policies.names()));
        assertRefused("fixed", Map.of("remotes", "3"), "policy fixed has no parameter 'remotes': it has remote, local");
        assertRefused("every-worker", Map.of("x", "3"), "policy every-worker has no parameter 'x': it has none");
        assertRefused(
                "fixed", Map.of("remote", "3.5"), "parameter remote of policy fixed must be a whole number, is '3.5'");
        assertRefused(
                "pecan", Map.of("errorBar", "low"), "parameter errorBar of policy pecan must be a number, is 'low'");
        assertRefused(
                "fixed",
                Map.of("remote", "-1"),
                "policy fixed: remote and local must not be negative nor both 0, are -1 and 0");
    }

    private static void assertRefused(String name, Map<String, String> settings, String message) {
        assertThatThrownBy(() -> Policies.named(name, settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void journalsTellTheVersionOfTheRuleThatDecided() {
        assertThat(Policies.names().stream()
                        .map(name -> name + " " + Policies.named(name, Map.of()).name() + " "
                                + Policies.named(name, Map.of()).version()))
                .containsExactly(
                        "fitted fitted 4",
                        "pecan pecan 1",
                        "cachew cachew 1",
                        "fixed fixed 1",
                        "every-worker every-worker 1");
    }

    // every-worker lives on the workers that there are; a pin asks for workers by number
    @Test
    void thePoolGrowsForAJobWhosePolicyOrPinAsksForWorkers() {
        PolicyState pinned = PolicyState.UNKNOWN.apply(
                new Observation.Pinned(Instant.ofEpochSecond(1), Optional.of(new Target(2, 0))));
        for (String name : Policies.names()) {
            Policy policy = Policies.named(name, Map.of());
            assertThat(policy.elastic(PolicyState.UNKNOWN)).isEqualTo(!name.equals("every-worker"));
            assertThat(policy.elastic(pinned)).isTrue();
        }
    }

    /** With a parameter of each kind that there may be. */
    public record OfAllKinds(int whole, long large, double real, boolean flag) implements Policy {
        @Override
        public String name() {
            return "kinds";
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public SortedMap<String, String> parameters() {
            return Parameters.of(this);
        }

        @Override
        public Decision decide(PolicyState state, Observation seen) {
            return Decision.nothing(seen.at(), "nothing is ever done");
        }
    }

    @Test
    void aParameterIsAWholeNumberOrANumberOrTrueOrFalse() {
        OfAllKinds kinds = new OfAllKinds(1, 2, 3, true);
        assertThat(Parameters.changed(kinds, Map.of("large", "5000000000", "flag", "false", "real", "1e-3")))
                .isEqualTo(new OfAllKinds(1, 5_000_000_000L, 0.001, false));
        assertThat(Parameters.changed(new OfAllKinds(1, 2, 3, false), Map.of("flag", "true")))
                .isEqualTo(kinds);
        assertThat(kinds.parameters()).isEqualTo(Map.of("whole", "1", "large", "2", "real", "3.0", "flag", "true"));
        assertThatThrownBy(() -> Parameters.changed(kinds, Map.of("flag", "yes")))
                .hasMessage("parameter flag of policy kinds must be true or false, is 'yes'");
        assertThatThrownBy(() -> Parameters.changed(kinds, Map.of("large", "1.5")))
                .hasMessage("parameter large of policy kinds must be a whole number, is '1.5'");
    }
}
