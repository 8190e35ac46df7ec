package io.praline.deploy.cli;

import io.praline.deploy.chaos.ChaosRun;
import io.praline.deploy.chaos.Fault;
import io.praline.deploy.chaos.Results;
import io.praline.deploy.chaos.RunResult;
import io.praline.deploy.chaos.Schedule;
import io.praline.deploy.chaos.Trouble;
import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.local.TemporaryFolder;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.policy.Counted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Breaks things while jobs run, and counts. */
@Command(
        name = "chaos",
        description =
                "Run jobs on a cluster of processes of its own, kill, stop and cut off processes at random while they"
                        + " run, and count what went missing, came twice, or hung. A run follows from its seed; the first"
                        + " run has --seed, the others the next ones.",
        footer = {
            "",
            "Examples:  praline chaos --runs 20 --results chaos.jsonl",
            "           praline chaos --seed 17 --runs 1 --faults worker,client",
            "           praline chaos --runs 20 --faults entries,worker",
            "           praline chaos --seed 17 --show"
        })
public final class ChaosCommand implements Callable<Integer> {
    @Mixin
    private OutputOptions output;

    @Option(names = "--runs", paramLabel = "N", description = "How many runs, a cluster each (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int runs = 1;

    @Option(names = "--seed", paramLabel = "S", description = "The first run's seed (${DEFAULT-VALUE}).")
    @Within(least = Long.MIN_VALUE, most = Long.MAX_VALUE - Integer.MAX_VALUE)
    private long seed = 1;

    @Option(
            names = "--faults",
            paramLabel = "F",
            split = ",",
            description =
                    "What may break, of worker, dispatcher, broker, client, cluster (all but clients at once): killed"
                            + " and started again; stop, cut; leave, join, replace: trainers that leave, come in addition,"
                            + " or whose place another takes while they are stopped. Without it all of these. entries: what"
                            + " workers keep is deleted, cut short and changed, while jobs of several epochs read it.")
    private List<Trouble> faults;

    @Option(
            names = "--max-deaths",
            paramLabel = "N",
            description = "Processes that may be killed in a run, at least 3 (${DEFAULT-VALUE}).")
    @Within(least = Schedule.LEAST_DEATHS, most = 1_000)
    private int maxDeaths = 6;

    @Option(
            names = "--hang",
            paramLabel = "SECONDS",
            description = "A job that could move and does not for so long hangs (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int hangSeconds = 60;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "A run that takes longer hangs (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int limitSeconds = 400;

    @Option(
            names = "--results",
            paramLabel = "FILE",
            description = "Append each run's result; runs that are in it are not made again.")
    private Path results;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where runs keep data and logs; those that failed stay there. Without it ~/.praline/chaos.")
    private Path dir;

    @Option(names = "--show", description = "Print the schedules, and run nothing.")
    private boolean show;

    @Override
    public Integer call() throws InterruptedException {
        Set<Trouble> allowed =
                faults == null ? EnumSet.complementOf(EnumSet.of(Trouble.entries)) : EnumSet.copyOf(faults);
        if (show) {
            for (long each = seed; each < seed + runs; each++) {
                lines(Schedule.of(each, allowed, maxDeaths)).forEach(output::line);
                output.object(Map.of("seed", each, "schedule", lines(Schedule.of(each, allowed, maxDeaths))));
            }
            return ExitCode.DONE.number();
        }
        String options = allowed + " " + maxDeaths;
        Results known = new Results(Optional.ofNullable(results), options);
        for (long each = seed; each < seed + runs; each++) {
            if (!known.has(each)) {
                run(Schedule.of(each, allowed, maxDeaths), options, known);
            }
        }
        List<RunResult> all = known.of(seed, runs);
        Map<String, Object> sum = RunResult.sum(all);
        output.line(sum.toString());
        output.object(sum);
        return (all.stream().allMatch(RunResult::well) ? ExitCode.DONE : ExitCode.BROKEN).number();
    }

    private static List<String> lines(Schedule schedule) {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + schedule.seed() + ": " + Counted.of(schedule.dispatchers(), "dispatcher") + ", "
                + Counted.of(schedule.workers(), "worker") + ", " + Counted.of(schedule.elements(), "element"));
        for (JobPlan job : schedule.jobs()) {
            lines.add("  job " + schedule.jobs().indexOf(job) + ": " + job);
        }
        for (Fault fault : schedule.faults()) {
            lines.add("  " + fault);
        }
        return lines;
    }

    private static String ofEntries(Schedule schedule, RunResult result) {
        return schedule.keeps()
                ? String.format(
                        Locale.ROOT,
                        " %d wrong, %.0f %% from entries, %s of these harmed,",
                        result.wrong(),
                        100.0 * result.cacheHits() / Math.max(1, result.elements()),
                        Counted.of(result.entriesHarmed(), "file"))
                : "";
    }

    private void run(Schedule schedule, String options, Results known) throws InterruptedException {
        lines(schedule).forEach(output::note);
        Path home = dir == null ? HomeOption.home().folder().resolve("chaos") : dir.toAbsolutePath();
        Path folder = home.resolve("run-" + schedule.seed());
        if (Files.exists(folder)) {
            new TemporaryFolder(folder).close();
        }
        ChaosRun.Settings settings = new ChaosRun.Settings(
                folder,
                home.resolve("images"),
                Praline.class,
                Duration.ofSeconds(hangSeconds),
                Duration.ofSeconds(limitSeconds),
                options);
        RunResult result = ChaosRun.of(schedule, settings, line -> output.note("  " + line));
        known.add(result);
        output.line(String.format(
                Locale.ROOT,
                "seed %d %s: %s, %d missing, %d twice, %d possibly twice, %d killed, %d stopped, %d cut,%s"
                        + " longest gap %d ms, %.0f s",
                result.seed(),
                result.well() ? "well" : "FAILED",
                Counted.of(result.elements(), "element"),
                result.missing(),
                result.duplicates(),
                result.possiblyTwice(),
                result.kills().sum(),
                result.stops(),
                result.cuts(),
                ofEntries(schedule, result),
                result.longestGapMs(),
                result.seconds()));
        result.failures().forEach(failure -> output.line("  " + failure));
        if (result.well()) {
            new TemporaryFolder(folder).close();
        } else {
            lines(schedule).forEach(output::line);
            output.line("  all of it again: praline chaos --seed " + schedule.seed() + " --runs 1"
                    + (faults == null
                            ? ""
                            : " --faults "
                                    + String.join(
                                            ",",
                                            faults.stream().map(Trouble::name).toList()))
                    + " --max-deaths " + maxDeaths + "; its files are in " + folder);
        }
        output.object(result.object());
    }
}
