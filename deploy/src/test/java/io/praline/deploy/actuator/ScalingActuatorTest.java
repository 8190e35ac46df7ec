package io.praline.deploy.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.client.local.TargetReports;
import io.praline.schema.ActuatorReport;
import io.praline.schema.ScalingTarget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScalingActuatorTest {
    private final Deque<ScalingTarget> coming = new ArrayDeque<>();
    private final List<ActuatorReport> told = new ArrayList<>();
    private final Hands pool = new Hands();
    private long nowNanos;

    /** A pool that the test moves. */
    private static final class Hands implements WorkerPool {
        private final List<Integer> asked = new ArrayList<>();
        private State state = new State(0, Optional.empty());

        @Override
        public void target(int workers) {
            asked.add(workers);
        }

        @Override
        public State look() {
            return state;
        }

        @Override
        public void close() {}
    }

    private ScalingActuator actuator(int least, int most) {
        return new ScalingActuator(
                wait -> Optional.ofNullable(coming.poll()),
                pool,
                new ScalingActuator.Bounds(least, most),
                new TargetReports("default", "me", most),
                told::add,
                () -> nowNanos);
    }

    private void wants(int workers) {
        coming.add(new ScalingTarget("default", workers, "4 batches/s are made and 40 wanted", 0L));
    }

    private static ActuatorReport report(int wanted, int running, String reason, int most) {
        return new ActuatorReport("default", "me", wanted, running, reason, most);
    }

    @Test
    void asksForTheLeastWhereNothingIsWantedYet() {
        actuator(2, 8).step(Duration.ZERO);

        assertThat(pool.asked).containsExactly(2);
        assertThat(told).containsExactly(report(2, 0, "", 8));
    }

    @Test
    void asksForWhatTheTargetSaysWithinItsBounds() {
        ScalingActuator actuator = actuator(1, 4);
        for (int workers : new int[] {3, 0, 9}) {
            wants(workers);
            actuator.step(Duration.ZERO);
        }

        assertThat(pool.asked).containsExactly(1, 3, 1, 4);
    }

    @Test
    void saysThatMoreAreWantedThanItMayStart() {
        ScalingActuator actuator = actuator(0, 4);
        wants(9);
        pool.state = new WorkerPool.State(4, Optional.empty());
        actuator.step(Duration.ZERO);

        assertThat(told)
                .containsExactly(report(
                        9,
                        4,
                        "9 workers are wanted and the actuator may start at most 4; start it with a higher --max",
                        4));
    }

    @Test
    void tellsTheDispatcherWhatStandsInTheWay() {
        ScalingActuator actuator = actuator(0, 4);
        wants(2);
        actuator.step(Duration.ZERO);
        pool.state = new WorkerPool.State(0, Optional.of("no permission"));
        actuator.step(Duration.ZERO);
        actuator.step(Duration.ZERO);
        pool.state = new WorkerPool.State(2, Optional.empty());
        actuator.step(Duration.ZERO);

        assertThat(told).containsExactly(report(2, 0, "", 4), report(2, 0, "no permission", 4), report(2, 2, "", 4));
    }

    @Test
    void refusesBoundsThatContradict() {
        assertThatThrownBy(() -> new ScalingActuator.Bounds(3, 2))
                .hasMessage("the most workers must be at least 1 and no fewer than the least, 3, is 2");
        assertThatThrownBy(() -> new ScalingActuator.Bounds(-1, 2))
                .hasMessage("the least number of workers must not be negative, is -1");
    }
}
