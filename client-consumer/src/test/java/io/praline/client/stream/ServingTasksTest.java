package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.StatusOf;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.metrics.WindowLimits;
import io.praline.schema.AttemptPlace;
import io.praline.schema.MeasurementWindow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServingTasksTest {
    private final DemandReporter demand =
            new DemandReporter(new ConsumerIdentity("default", "j", 0, "me", "host"), WindowLimits.DEFAULT);
    private final ServingTasks tasks = new ServingTasks(demand);
    private long nowNanos;

    @Test
    void countsATaskFromItsWorkersFirstBatch() {
        follow(StatusOf.running().attempt(0, 0).local(0, 1));
        serves(StatusOf.running().attempt(0, 0));
        assertThat(window()).isEqualTo("0 local, 1 remote");

        serves(StatusOf.running().local(0, 1));
        assertThat(window()).isEqualTo("1 local, 1 remote");
    }

    @Test
    void countsAWorkerWithTwoAttemptsOnce() {
        follow(StatusOf.running().attempt(0, 0).attempt(1, 0));
        serves(StatusOf.running().attempt(0, 0));
        serves(StatusOf.running().attempt(1, 0));

        assertThat(window()).isEqualTo("0 local, 1 remote");
    }

    @Test
    void doesNotCountAFencedTaskNorOneThatLeft() {
        follow(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(0, 2));
        serves(StatusOf.running().attempt(0, 0));
        serves(StatusOf.running().attempt(0, 1));
        serves(StatusOf.running().attempt(0, 2));
        assertThat(window()).isEqualTo("0 local, 3 remote");

        follow(StatusOf.running().attempt(0, 0).fenced(0, 1));
        assertThat(window()).isEqualTo("0 local, 1 remote");
    }

    @Test
    void waitsForABatchOfAWorkerThatLeftAndCameBack() {
        follow(StatusOf.running().attempt(0, 0).attempt(0, 1));
        serves(StatusOf.running().attempt(0, 0));
        serves(StatusOf.running().attempt(0, 1));
        follow(StatusOf.running().attempt(0, 0));
        follow(StatusOf.running().attempt(0, 0).attempt(1, 1));

        assertThat(window()).isEqualTo("0 local, 1 remote");
    }

    @Test
    void remembersEveryWorkerThatEverServed() {
        follow(StatusOf.running().attempt(0, 0).local(0, 1));
        serves(StatusOf.running().attempt(0, 0));
        serves(StatusOf.running().local(0, 1));
        follow(StatusOf.running());

        assertThat(List.of(tasks.workersLocal(), tasks.workersRemote())).containsExactly(1, 1);
    }

    private void follow(StatusOf status) {
        tasks.follow(status.build().getAttempts());
    }

    private void serves(StatusOf one) {
        AttemptPlace place = one.build().getAttempts().get(0);
        tasks.serves(place);
    }

    /** The tasks of a window that opens now: a batch ends the window before, and one 11 s later this one. */
    private String window() {
        take();
        take();
        List<MeasurementWindow> windows = demand.farewell(nowNanos).getWindows();
        MeasurementWindow last = windows.get(windows.size() - 1);
        return last.getLocalTasks() + " local, " + last.getRemoteTasks() + " remote";
    }

    private void take() {
        nowNanos += Duration.ofSeconds(11).toNanos();
        demand.taken(nowNanos, 1, 1, 0, 1);
    }
}
