package io.praline.tests.simulation;

import static org.assertj.core.api.Assertions.fail;

/** Schedules one after the other, and what is said of one that fails. */
final class Series {
    private Series() {}

    /** Fails with the smallest schedule that is found to fail as this one does. */
    static void requireHolds(Schedule schedule) {
        if (!Simulation.run(schedule, Mendings.ALL).holds()) {
            fail("schedule %d fails, and made smaller:\n%s", schedule.seed(), smallest(schedule, Mendings.ALL));
        }
    }

    /** What comes of the smallest schedule that fails. */
    static Simulation.Result smallest(Schedule failing, Mendings mendings) {
        Schedule smallest =
                new Shrinking(tried -> !Simulation.run(tried, mendings).holds()).shrunk(failing);
        return Simulation.run(smallest, mendings);
    }
}
