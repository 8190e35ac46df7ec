package io.praline.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.TenantSpent;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** 36 an hour for the client and 18 for each remote worker: 0.01 and 0.005 a second. */
class PolicyStateTest {
    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private static PolicyState state(double cap, double egressPerGb) {
        Terms terms = new Terms(Goal.COST, new Prices(36, 18, egressPerGb), new Limits(9, 9), cap);
        return PolicyState.UNKNOWN.apply(new TermsSet(at(100), terms)).apply(new Granted(at(100), new Target(2, 1)));
    }

    private static WindowClosed window(long second, long bytes, boolean straddles) {
        return new WindowClosed(at(second), 0, 500, 500, bytes, 5, 0.5, 1, 1, 3, straddles);
    }

    // 10 s with 2 remote workers: 10 x (0.01 + 2 x 0.005) = 0.2
    @Test
    void timeIsPaidForOnceAndNotBackwards() {
        PolicyState later = state(1, 0).apply(new Observation.Clock(at(110)));
        assertThat(later.spending()).isEqualTo(new PolicyState.Spending(0.2, at(110)));
        assertThat(later.spentUntil(at(120))).isEqualTo(0.4);
        assertThat(later.spentUntil(at(105))).isEqualTo(0.2);
        assertThat(later.apply(new Observation.Clock(at(105))).spending()).isEqualTo(later.spending());
    }

    // of 4 tasks 3 are remote: 3 GB of 4, for 0.1 each
    @Test
    void whatRemoteTasksSentIsPaidForAlsoInAWindowThatStraddles() {
        PolicyState straddled = state(1, 0.1).apply(window(100, 4_000_000_000L, true));
        assertThat(straddled.spending().amount()).isCloseTo(0.3, within(1e-12));
        assertThat(straddled.windows()).isEmpty();
        assertThat(straddled.apply(window(100, 0, false)).windows()).containsExactly(window(100, 0, false));
    }

    // a cap of 0.2: 10 s
    @Test
    void itsCapIsReachedWithTheLastOfItsMoneyOrOfItsTenants() {
        PolicyState state = state(0.2, 0);
        assertThat(state.apply(new Observation.Clock(at(109))).capReached()).isFalse();
        assertThat(state.apply(new Observation.Clock(at(110))).capReached()).isTrue();
        assertThat(state.apply(new TenantSpent(at(100), 6.9, 7)).capReached()).isFalse();
        assertThat(state.apply(new TenantSpent(at(100), 7, 7)).capReached()).isTrue();
    }

    @Test
    void aWishThatIsRepeatedIsAsOldAsItWas() {
        PolicyState wished = PolicyState.UNKNOWN.apply(Decision.of(at(5), new ScaleTo(2, 1), "first"));
        PolicyState again = wished.apply(Decision.of(at(9), new ScaleTo(2, 1), "again"));
        assertThat(again.scaledAt()).isEqualTo(at(5));
        assertThat(again.apply(Decision.of(at(12), new ScaleTo(1, 1), "other")).scaledAt())
                .isEqualTo(at(12));
    }

    @Test
    void pricesMayBeNothingAndNotLess() {
        assertThat(new Prices(0, 0, 0).cost(new Target(2, 1), 3600)).isZero();
        assertThatThrownBy(() -> new Prices(-1, 0, 0)).hasMessage("clientPerHour must not be negative, is -1.0");
        assertThatThrownBy(() -> new Prices(0, Double.POSITIVE_INFINITY, 0))
                .hasMessage("remotePerHour must not be negative, is Infinity");
    }
}
