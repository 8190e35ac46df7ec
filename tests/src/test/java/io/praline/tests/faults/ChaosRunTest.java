package io.praline.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.CacheMode;
import io.praline.deploy.chaos.ChaosRun;
import io.praline.deploy.chaos.Fault;
import io.praline.deploy.chaos.RunResult;
import io.praline.deploy.chaos.Schedule;
import io.praline.deploy.chaos.Target;
import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.Shape;
import io.praline.deploy.cli.Praline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of {@code praline chaos}, of the smallest kind. */
@Tag("long")
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class ChaosRunTest {
    private static final int NUMBERS = 10_000;

    @TempDir
    private Path folder;

    /*
     * 20,000 integers for two trainers: one leaves, a third comes, and the first is stopped while another takes its place and
     * goes on after 3 s. It hands out nothing more; what it holds waits for its answer.
     */
    @Test
    void trainersLeaveJoinAndTakeAPlaceOverAndNothingIsLost() throws InterruptedException {
        JobPlan job = new JobPlan(Shape.PLAIN, 2 * NUMBERS, 1, 2, 20, 5, Duration.ofMillis(20));
        Schedule schedule = new Schedule(
                2,
                1,
                2,
                List.of(job),
                List.of(
                        new Fault(3_000, Fault.Kind.LEAVE, List.of(new Target(Target.Role.CLIENT, 1)), Duration.ZERO),
                        new Fault(
                                6_000,
                                Fault.Kind.JOIN,
                                List.of(new Target(Target.Role.CLIENT, 0), new Target(Target.Role.CLIENT, 2)),
                                Duration.ZERO),
                        new Fault(
                                9_000,
                                Fault.Kind.REPLACE,
                                List.of(new Target(Target.Role.CLIENT, 0)),
                                Duration.ofSeconds(3))));
        RunResult result = run(schedule);
        assertThat(result.comings()).isEqualTo(3);
        assertThat(List.of(result.missing(), result.duplicates())).containsExactly(0L, 0L);
        assertThat(result.elements()).isEqualTo(2 * NUMBERS + result.possiblyTwice());
    }

    /*
     * Two thirds of 1,600 records of 40 files, four times: of these three could come from entries, which are deleted, cut and
     * changed for two seconds while a worker dies, and then the trainer.
     */
    @Test
    void entriesBreakAndAWorkerAndATrainerDieAndNothingIsLostOrAnotherOne() throws InterruptedException {
        JobPlan job =
                new JobPlan(Shape.KEPT_FILTER, 1_600, 4, 1, 8, 5, Duration.ofMillis(25), Optional.of(CacheMode.FULL));
        Schedule schedule = new Schedule(
                3,
                1,
                2,
                List.of(job),
                List.of(
                        new Fault(1_500, Fault.Kind.ENTRIES, List.of(), Duration.ofSeconds(2)),
                        kill(2_000, new Target(Target.Role.WORKER, 0)),
                        kill(3_200, new Target(Target.Role.CLIENT, 0))));
        RunResult result = run(schedule);
        assertThat(result.kills()).isEqualTo(new RunResult.Kills(1, 0, 0, 1));
        assertThat(result.entriesHarmed()).isPositive();
        assertThat(result.cacheHits()).isPositive();
        assertThat(List.of(result.missing(), result.duplicates(), result.wrong()))
                .containsExactly(0L, 0L, 0L);
        // what the trainer that died had not acknowledged came again, and nothing else
        assertThat(result.elements()).isEqualTo(4 * job.shape().elements(1_600) + result.possiblyTwice());
    }

    private RunResult run(Schedule schedule) throws InterruptedException {
        List<String> notes = new ArrayList<>();
        RunResult result = ChaosRun.of(
                schedule,
                new ChaosRun.Settings(
                        folder.resolve("run"),
                        folder.resolve("images"),
                        Praline.class,
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(5),
                        "test"),
                notes::add);
        assertThat(result.failures()).as(String.join("\n", notes)).isEmpty();
        return result;
    }

    private static Fault kill(long at, Target target) {
        return new Fault(at, Fault.Kind.KILL, List.of(target), Duration.ofSeconds(1));
    }
}
