package io.praline.policy.scaling.fitted;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AttendanceTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    private static PolicyState wants(int remote, int local) {
        return PolicyState.UNKNOWN.apply(Decision.of(NOW, new ScaleTo(remote, local), "as a test wants it"));
    }

    private static PolicyState served(PolicyState state, int remote, int local) {
        return state.apply(new WindowClosed(NOW, 0, 10, 100, 10, 0.5, 1, local, remote, false));
    }

    // one of three remote ones serves. One and four are as good as what serves, but then the other two, which may be
    // starting, would be told to stop, and asked for again when the local ones are there
    @Test
    void workersThatHaveNotComeAreStillWishedForUnlessFewerAreNeededThanServe() {
        Attendance short3 = new Attendance(served(wants(3, 4), 1, 4));
        assertThat(short3.keepsWish(new Target(1, 4))).isFalse();
        assertThat(short3.keepsWish(new Target(2, 2))).isFalse();
        assertThat(short3.keepsWish(new Target(3, 2))).isTrue();
        assertThat(short3.keepsWish(new Target(5, 4))).isTrue();
        assertThat(short3.keepsWish(new Target(0, 4))).isTrue();
    }

    @Test
    void ofAKindOfWhichNoneServesTheWishStays() {
        Attendance none = new Attendance(served(wants(3, 4), 3, 0));
        assertThat(none.keepsWish(new Target(3, 0))).isFalse();
        assertThat(none.keepsWish(new Target(1, 4))).isTrue();
    }

    // another order of steps leaves no window of the one before: those serve that it has
    @Test
    void whereNoWindowIsLeftThoseServeThatItHas() {
        PolicyState state = wants(3, 0).apply(new Granted(NOW, new Target(2, 0)));
        assertThat(new Attendance(state).served()).isEqualTo(new Target(2, Integer.MAX_VALUE));
    }
}
