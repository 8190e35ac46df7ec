package io.praline.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever goes wrong in whatever order, each element comes to a loop once, or is on record. A schedule that fails is made
 * smaller and printed as it stands in {@link #failedOnce}.
 */
class SimulationTest {
    private static final int WITHOUT_FAULTS = 10;

    @Test
    void aJobWithoutFaultsGivesEachElementOnceAndLeavesNothingBehind() {
        for (int number = 0; number < WITHOUT_FAULTS; number++) {
            Simulation.Result result = Simulation.run(Schedule.of(number, 0, 0), Mendings.ALL);

            assertThat(result.violations()).as("%s", result).isEmpty();
            assertThat(result.twice() + result.untold()).isZero();
        }
    }

    @Test
    void theSameScheduleIsTheSameRun() {
        Schedule schedule = Schedule.of(7, 10, 20);

        assertThat(Simulation.run(schedule, Mendings.ALL)).isEqualTo(Simulation.run(schedule, Mendings.ALL));
    }

    static List<Schedule> failedOnce() {
        return List.of(
                // a split assigned again to the attempt that was still about to hear what of it had been dropped
                new Schedule(28L, 2, 3, List.of(new Fault(Fault.Kind.KILL_TRAINER, 10694, 4, 5, 55))));
    }

    @ParameterizedTest
    @MethodSource
    void failedOnce(Schedule schedule) {
        Simulation.Result result = Simulation.run(schedule, Mendings.ALL);

        assertThat(result.violations()).as("%s", result).isEmpty();
    }
}
