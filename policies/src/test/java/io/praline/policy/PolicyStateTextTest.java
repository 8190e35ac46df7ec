package io.praline.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Pinned;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Observation.TenantSpent;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PolicyStateTextTest {
    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private static PolicyState busy() {
        PolicyState state = PolicyState.UNKNOWN;
        List<Observation> seen = List.of(
                new TermsSet(at(1), new Terms(Goal.TIME, new Prices(1.5, 0.1, 0.09), new Limits(7, 3), 12.25)),
                new Planned(at(2), 40, 1000, true),
                new PoolChanged(at(3), 5, 9),
                new Granted(at(4), new Target(4, 1)),
                new Pinned(at(5), Optional.of(new Target(2, 2))),
                new TenantSpent(at(6), 0.1 + 0.2, 7));
        for (Observation observation : seen) {
            state = state.apply(observation);
        }
        for (int i = 0; i < PolicyState.MOST_WINDOWS + 3; i++) {
            state = state.apply(new WindowClosed(at(10 + i), 0, 500, 16_000, 1 / 3.0, 0.1, 2.5, 1, 4, false));
        }
        Decision decision = Decision.of(at(60), new Command.ScaleTo(3, 2), "as a test")
                .remembering(new TreeMap<>(Map.of("trainerPerSecond", 0.1 + 0.2)));
        return state.apply(decision);
    }

    @Test
    void whatWasKnownIsReadBackToTheLastBit() {
        assertThat(PolicyStateText.read(PolicyStateText.write(busy()))).isEqualTo(busy());
        assertThat(PolicyStateText.read(PolicyStateText.write(PolicyState.UNKNOWN)))
                .isEqualTo(PolicyState.UNKNOWN);
    }

    @Test
    void bytesOfWindowsAreReadBackAndWhereTheyAreNotThereNothingIsKnownOfThem() {
        WindowClosed window = new WindowClosed(at(10), 0, 500, 16_000, 77_000, 1 / 3.0, 0.1, 2.5, 1, 4, false);
        SortedMap<String, String> texts = PolicyStateText.write(PolicyState.UNKNOWN.apply(window));
        assertThat(PolicyStateText.read(texts).windows()).containsExactly(window);
        texts.put("window.a", "10000 0 500 16000 " + 1 / 3.0 + " 0.1 2.5 1 4");
        assertThat(PolicyStateText.read(texts).windows())
                .containsExactly(new WindowClosed(at(10), 0, 500, 16_000, 1 / 3.0, 0.1, 2.5, 1, 4, false));
    }

    // 2 GB from 3 remote workers and 1 local one: 1.5 GB at 0.09; a window in which workers changed came all the same;
    // one
    // that local workers served costs nothing, nor does one that nobody is known to have served
    @Test
    void whatRemoteWorkersSendCostsEgress() {
        PolicyState state = PolicyState.UNKNOWN.apply(
                new TermsSet(at(1), new Terms(Goal.COST, new Prices(0, 0, 0.09), new Limits(7, 3), 12.25)));
        PolicyState steady = state.apply(carrying(2, 3, 1, false));
        assertThat(steady.spending().amount()).isCloseTo(0.135, within());
        assertThat(steady.apply(carrying(3, 3, 1, true)).spending().amount()).isCloseTo(0.27, within());
        assertThat(steady.apply(carrying(3, 0, 2, false)).spending().amount()).isCloseTo(0.135, within());
        assertThat(steady.apply(carrying(3, 0, 0, false)).spending().amount()).isCloseTo(0.135, within());
    }

    private static WindowClosed carrying(long second, int remote, int local, boolean straddles) {
        return new WindowClosed(at(second), 0, 500, 16_000, 2_000_000_000, 1, 0.1, 2.5, local, remote, straddles);
    }

    // from second 4 on it has 4 remote workers: 28 s to the last window, at 1.5 + 4 x 0.1 an hour
    @Test
    void whatItCostsIsCountedByWhatServesIt() {
        assertThat(busy().spending().amount()).isCloseTo(3 * 1.5 / 3600 + 28 * 1.9 / 3600, within());
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-12);
    }

    @Test
    void whatIsMissingOrCannotBeIsNamed() {
        SortedMap<String, String> texts = PolicyStateText.write(busy());
        texts.remove("wanted");
        assertThatThrownBy(() -> PolicyStateText.read(texts)).hasMessage("a job's state has no wanted");
        texts.put("wanted", "three");
        assertThatThrownBy(() -> PolicyStateText.read(texts)).hasMessage("wanted must be REMOTE+LOCAL, is three");
    }

    @Test
    void aWindowHasNineOrTenNumbers() {
        for (String window : List.of("1 0 500 500 5.0 0.5 1.0 2", "1 0 500 500 5.0 0.5 1.0 2 3 4 5")) {
            SortedMap<String, String> texts = new TreeMap<>(PolicyStateText.write(PolicyState.UNKNOWN));
            texts.put("window.a", window);
            assertThatThrownBy(() -> PolicyStateText.read(texts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("window.a must have 9 or 10 numbers, is " + window);
        }
        SortedMap<String, String> old = new TreeMap<>(PolicyStateText.write(PolicyState.UNKNOWN));
        old.put("window.a", "1 0 500 500 5.0 0.5 1.0 2 3");
        assertThat(PolicyStateText.read(old).windows())
                .containsExactly(
                        new Observation.WindowClosed(Instant.ofEpochMilli(1), 0, 500, 500, 0, 5, 0.5, 1, 2, 3, false));
    }
}
