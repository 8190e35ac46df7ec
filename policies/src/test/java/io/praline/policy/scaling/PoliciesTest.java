package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
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
}
