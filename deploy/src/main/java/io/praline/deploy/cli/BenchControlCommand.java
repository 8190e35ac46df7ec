package io.praline.deploy.cli;

import io.praline.deploy.bench.BenchCluster;
import io.praline.deploy.bench.BenchDispatchers;
import io.praline.deploy.bench.Latencies;
import io.praline.deploy.bench.PretendPool;
import io.praline.deploy.bench.PretendTasks;
import io.praline.deploy.bench.PretendTraffic;
import io.praline.deploy.bench.TasksTraffic;
import io.praline.deploy.local.Machine;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.policy.Counted;
import io.praline.topics.Agreements;
import io.praline.topics.Topics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast the dispatcher answers, and how much it takes. */
@Command(
        name = "control",
        description = "Pretend workers and clients beat through a real broker to a real dispatcher: how long a window"
                + " takes to become a scaling command, how many beats a second it takes, how large the journal gets.",
        footer = {
            "",
            "Examples:  praline bench control --json",
            "           praline bench control --jobs 1000 --rate 1000 --minutes 1",
            "           praline bench control --tasks 1000 --dispatchers 2"
        })
final class BenchControlCommand implements Callable<Integer> {
    private static final Duration SET_UP = Duration.ofSeconds(60);

    /** More than one machine sends. */
    private static final int MOST_BEATS = 1_000_000;

    @Mixin
    private OutputOptions output;

    @Option(names = "--seconds", paramLabel = "S", description = "How long each part measures (${DEFAULT-VALUE}).")
    @Within(least = 1, most = BenchCommand.MOST_SECONDS)
    private int seconds = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Seconds before each part, not counted (${DEFAULT-VALUE}).")
    @Within(least = 0, most = BenchCommand.MOST_SECONDS)
    private int warmUp = 5;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Beats a second while windows are answered, half of them of clients, each with a window"
                    + " (${DEFAULT-VALUE}).")
    @Within(least = 1, most = MOST_BEATS)
    private int rate = 500;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Open jobs, and workers: one for each (${DEFAULT-VALUE}).")
    @Within(least = PretendPool.MOVING_EACH, most = MOST_BEATS)
    private int jobs = 250;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            description = "Also measure for so long how the journal of steady jobs grows (not at all).")
    @Within(least = 0, most = BenchCommand.MOST_SECONDS)
    private double minutes;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "Instead: so many tasks of one job, each of a worker that beats once a second; how many beats"
                    + " dispatchers take, how many splits they assign, how much of a core each uses.")
    @Within(least = 0, most = MOST_BEATS)
    private int tasks;

    @Option(names = "--dispatchers", paramLabel = "N", description = "With --tasks: dispatchers (${DEFAULT-VALUE}).")
    @Within(least = 1, most = 100)
    private int dispatchers = 1;

    @Option(
            names = "--pools",
            paramLabel = "N",
            description =
                    "With --tasks: pools that share them, with a job each (one; with several dispatchers at least one"
                            + " for each partition of their inputs).")
    @Within(least = 1, most = MOST_BEATS)
    private int pools = 1;

    @Option(
            names = "--splits-per-second",
            paramLabel = "N",
            description = "With --tasks: splits that all of them begin together (${DEFAULT-VALUE}).")
    @Within(least = 1, most = MOST_BEATS)
    private int splitsPerSecond = 2_000;

    @Override
    public Integer call() throws InterruptedException {
        if (tasks != 0) {
            return tasks();
        }
        if (rate < jobs) {
            throw new IllegalArgumentException("--rate must be at least --jobs, " + jobs + ", is " + rate
                    + ": a worker that beats more seldom than every two seconds is taken for lost");
        }
        Duration before = Duration.ofSeconds(warmUp);
        Duration measured = Duration.ofSeconds(seconds);
        PretendPool pool =
                new PretendPool(jobs, Long.toString(ProcessHandle.current().pid()));
        try (BenchCluster cluster = BenchCluster.start(Praline.class, 0);
                PretendTraffic traffic = new PretendTraffic(cluster.kafka(), pool, rate)) {
            traffic.start(SET_UP);
            output.note(Counted.of(jobs, "job has", "jobs have") + " a worker each; "
                    + Counted.of(pool.moving(), "of them moves", "of them move"));
            PretendTraffic.Answers answers = traffic.answers(before, measured);
            output.note(Counted.of(answers.latencies().count(), "window was", "windows were") + " answered");
            Double journal =
                    minutes == 0 ? null : traffic.journalBytesPerHour(Duration.ofMillis(Math.round(minutes * 60_000)));
            double sustained = traffic.sustained(before, measured);
            tell(answers, sustained, journal);
        }
        return ExitCode.DONE.number();
    }

    private int tasks() throws InterruptedException {
        if (tasks < dispatchers || tasks < pools) {
            throw new IllegalArgumentException("--tasks must be at least --dispatchers and --pools, is " + tasks);
        }
        int partitions = Topics.WORKER_HEARTBEATS.partitions();
        // enough for starting, the warm-up and a while of measuring, twice
        long splits = 2L * splitsPerSecond * (SET_UP.toSeconds() + warmUp + seconds) + 8L * tasks;
        // which partitions a dispatcher has is not known before: with a pool in each, every one has its share
        int all = dispatchers == 1 ? pools : Math.max(pools, Math.max(dispatchers, partitions));
        int pages = (int) (splits / all / Agreements.SPLITS_A_PAGE) + 1;
        PretendTasks pretended = new PretendTasks(tasks, all, partitions, pages, (double) splitsPerSecond / tasks);
        try (BenchDispatchers cluster = BenchDispatchers.start(Praline.class, dispatchers, tasks);
                TasksTraffic traffic = new TasksTraffic(cluster.kafka(), pretended, partitions)) {
            Duration started = traffic.start(SET_UP);
            output.note(Counted.of(tasks, "task runs", "tasks run"));
            traffic.measure(Duration.ofSeconds(warmUp), cluster::cpuNanos);
            TasksTraffic.Measured measured = traffic.measure(Duration.ofSeconds(seconds), cluster::cpuNanos);
            tell(all, started, measured);
        }
        return ExitCode.DONE.number();
    }

    private void tell(int all, Duration started, TasksTraffic.Measured measured) {
        output.line(String.format(
                Locale.ROOT,
                "%s of %s started in %.1f s; of %.0f beats/s %s took %.0f, %s; %.0f"
                        + " splits assigned a minute; cores used: %s; load %.1f",
                Counted.of(tasks, "task"),
                Counted.of(all, "job") + Counted.word(tasks, " was", " were"),
                started.toMillis() / 1e3,
                measured.sentPerSecond(),
                Counted.of(dispatchers, "dispatcher"),
                measured.takenPerSecond(),
                Counted.of(measured.behind(), "waits", "wait"),
                measured.splitsPerMinute(),
                measured.cores().stream()
                        .map(cores -> String.format(Locale.ROOT, "%.2f", cores))
                        .collect(Collectors.joining(", ")),
                Machine.load()));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("tasks", tasks);
        object.put("dispatchers", dispatchers);
        object.put("jobs", all);
        object.put("startedSeconds", started.toMillis() / 1e3);
        object.put("heartbeatsPerSecond", measured.sentPerSecond());
        object.put("takenHeartbeatsPerSecond", measured.takenPerSecond());
        object.put("heartbeatsBehind", measured.behind());
        object.put("splitsPerMinute", measured.splitsPerMinute());
        object.put("dispatcherCores", measured.cores());
        object.put("load1", Machine.load());
        output.object(object);
    }

    private void tell(PretendTraffic.Answers answers, double sustained, Double journal) {
        Latencies latencies = answers.latencies();
        output.line(String.format(
                Locale.ROOT,
                "window to scaling command at %.0f beats/s: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms (%s)",
                answers.beatsPerSecond(),
                latencies.millis(0.5),
                latencies.millis(0.9),
                latencies.millis(0.99),
                Counted.of(latencies.count(), "window")));
        output.line(String.format(Locale.ROOT, "one dispatcher takes %.0f workers' beats/s", sustained));
        if (journal != null) {
            output.line(String.format(
                    Locale.ROOT,
                    "the journal of %s grows by %.0f MB an hour",
                    Counted.of(jobs, "steady job"),
                    journal / 1e6));
        }
        output.line(String.format(Locale.ROOT, "load %.1f", Machine.load()));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("jobs", jobs);
        object.put("heartbeatsPerSecond", answers.beatsPerSecond());
        object.put("windows", latencies.count());
        object.put("windowToCommandP50Ms", latencies.millis(0.5));
        object.put("windowToCommandP90Ms", latencies.millis(0.9));
        object.put("windowToCommandP99Ms", latencies.millis(0.99));
        object.put("sustainedHeartbeatsPerSecond", sustained);
        object.put("journalBytesPerHour", journal);
        object.put("load1", Machine.load());
        output.object(object);
    }
}
