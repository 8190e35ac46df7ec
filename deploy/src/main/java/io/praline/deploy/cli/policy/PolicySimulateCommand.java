package io.praline.deploy.cli.policy;

import io.praline.deploy.scenario.CoursePlot;
import io.praline.deploy.scenario.RefusedScenario;
import io.praline.deploy.scenario.ScenarioFile;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputFile;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.policy.Policy;
import io.praline.policy.scaling.Policies;
import io.praline.policy.simulation.Crowd;
import io.praline.policy.simulation.Outcome;
import io.praline.policy.simulation.Point;
import io.praline.policy.simulation.PoolSimulation;
import io.praline.policy.simulation.Run;
import io.praline.policy.simulation.Scenario;
import io.praline.policy.simulation.Simulation;
import io.praline.policy.simulation.Summary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Policies in a made-up world. */
@Command(
        name = "simulate",
        description = "Run policies in a made-up world and compare them with the best that there is in it.",
        footer = {
            "",
            "SCENARIO is a file in YAML or JSON, or one of:",
            "  resnet50-v2-8, input-light, remote-only, drift, spot, crowd, throng",
            "",
            "Example:  praline policy simulate drift --policy pecan --policy cachew --seeds 50 --plot drift.svg"
        })
final class PolicySimulateCommand implements Runnable {

    private static final int SEEDS = 20;

    @Mixin
    private OutputOptions output;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SCENARIO", description = "A scenario's file, or a shipped scenario's name.")
    private String scenarioName;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description = "Which policy; may be repeated; without it the usual one.")
    private List<String> policyNames = List.of(Policies.USUAL);

    @Option(
            names = "--set",
            paramLabel = "K=V",
            description = "A parameter of those policies that have it; may be repeated.")
    private Map<String, String> settings = new TreeMap<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many runs, each with noise of its own; without it " + SEEDS + ", and 1 for a pool.")
    @Within(least = 1)
    private Integer seeds;

    @Option(
            names = "--first-seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The first run's seed, each further run has the next one; without it ${DEFAULT-VALUE}.")
    @Within(least = 1)
    private int firstSeed;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Write a picture (SVG) of the first run: workers, batch time and money over time.")
    private Path plot;

    @Override
    public void run() {
        List<Policy> policies = policies();
        Scenario scenario = scenario();
        if (plot != null) {
            OutputFile.check(plot);
        }
        if (scenario.jobs().isEmpty()) {
            runOneJob(scenario, policies);
        } else {
            runPool(scenario, policies);
        }
    }

    private Scenario scenario() {
        try {
            return ScenarioFile.read(scenarioName);
        } catch (RefusedScenario refused) {
            throw new CommandFailed(ExitCode.REFUSED, refused.getMessage(), refused);
        }
    }

    /** Each with the settings that it knows; one that none knows is wrong. */
    private List<Policy> policies() {
        List<Policy> policies = new ArrayList<>();
        Set<String> unknown = new TreeSet<>(settings.keySet());
        for (String name : policyNames) {
            Map<String, String> its = new TreeMap<>(settings);
            its.keySet().retainAll(Policies.named(name, Map.of()).parameters().keySet());
            unknown.removeAll(its.keySet());
            policies.add(Policies.named(name, its));
        }
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "none of " + String.join(", ", policyNames) + " has a parameter "
                            + String.join(", ", unknown) + "; they have "
                            + policies.stream()
                                    .flatMap(policy -> policy.parameters().keySet().stream())
                                    .distinct()
                                    .sorted()
                                    .toList());
        }
        return policies;
    }

    private void runOneJob(Scenario scenario, List<Policy> policies) {
        output.line(String.format(
                Locale.ROOT,
                "%-16s %7s %6s %11s %9s %8s %8s %9s %9s %9s %9s %8s",
                "POLICY",
                "REMOTE",
                "LOCAL",
                "COST/EPOCH",
                "BEST",
                "REGRET",
                "P95",
                "WINDOWS",
                "P95",
                "MONEY",
                "FOLLOWED",
                "AT REST"));
        Map<String, List<Point>> courses = new LinkedHashMap<>();
        for (Policy policy : policies) {
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < (seeds == null ? SEEDS : seeds); i++) {
                long seed = (long) firstSeed + i;
                Run run = Simulation.run(scenario, policy, seed);
                outcomes.add(run.outcome());
                courses.putIfAbsent(policy.name(), run.course());
            }
            Summary summary = Summary.of(policy.name(), scenario.name(), outcomes);
            output.line(row(summary, scenario.changes().size()));
            output.object(object(summary));
        }
        output.line("");
        output.line("WINDOWS and MONEY are until it came to rest, FOLLOWED the changes of the world that it followed,");
        output.line("AT REST the share of runs in which it moved no more while the world stayed as it was.");
        if (plot != null) {
            write(CoursePlot.svg(scenario.name(), courses));
        }
    }

    private static String row(Summary summary, int changes) {
        return String.format(
                Locale.ROOT,
                "%-16s %7.1f %6.1f %11.4f %9.4f %7.2f%% %7.2f%% %9.1f %9.0f %9.3f %9s %7.1f%%",
                summary.policy(),
                mean(summary, "finalRemote"),
                mean(summary, "finalLocal"),
                mean(summary, "costPerEpoch"),
                mean(summary, "oracleCostPerEpoch"),
                100 * mean(summary, "regret"),
                100 * summary.figure("regret").p95(),
                mean(summary, "windowsToConverge"),
                summary.figure("windowsToConverge").p95(),
                mean(summary, "costUntilConverged"),
                changes == 0
                        ? "-"
                        : String.format(Locale.ROOT, "%.2f of %d", mean(summary, "changesFollowed"), changes),
                100 * mean(summary, "atRest"));
    }

    private static double mean(Summary summary, String figure) {
        return summary.figure(figure).mean();
    }

    private void runPool(Scenario scenario, List<Policy> policies) {
        if (plot != null) {
            throw new ParameterException(
                    spec.commandLine(), "--plot shows one job, and " + scenario.name() + " has many: leave it out");
        }
        output.line(String.format(
                Locale.ROOT,
                "%-16s %6s %7s %12s %11s %8s %9s %10s %8s %10s",
                "POLICY",
                "JAIN",
                "UNDER",
                "REMOTE/JOB",
                "COST/EPOCH",
                "REGRET",
                "WINDOWS",
                "DECISIONS",
                "SECONDS",
                "MICROS"));
        for (Policy policy : policies) {
            for (int i = 0; i < (seeds == null ? 1 : seeds); i++) {
                long seed = (long) firstSeed + i;
                long began = System.nanoTime();
                Crowd crowd = PoolSimulation.run(scenario, policy, seed);
                tell(scenario, policy, seed, crowd, (System.nanoTime() - began) / 1e9);
            }
        }
        output.line("");
        output.line(
                "UNDER are the most windows in a row in which a job had less than its fair share; SECONDS are ours,");
        output.line("and MICROS those seconds for each decision, the world around it included.");
    }

    private void tell(Scenario scenario, Policy policy, long seed, Crowd crowd, double seconds) {
        Summary summary = Summary.of(policy.name(), scenario.name(), crowd.jobs());
        double micros = seconds * 1e6 / crowd.turns();
        output.line(String.format(
                Locale.ROOT,
                "%-16s %6.3f %7d %12.1f %11.4f %7.2f%% %9d %10d %8.1f %10.1f",
                policy.name(),
                crowd.jain(),
                crowd.longestUnderShare(),
                mean(summary, "finalRemote"),
                mean(summary, "costPerEpoch"),
                100 * mean(summary, "regret"),
                crowd.windows(),
                crowd.turns(),
                seconds,
                micros));
        Map<String, Object> object = object(summary);
        object.put("seed", seed);
        object.put("jobs", crowd.jobs().size());
        object.put("jobsEnded", crowd.ended());
        object.put("jain", crowd.jain());
        object.put("longestUnderShareWindows", crowd.longestUnderShare());
        object.put("poolWindows", crowd.windows());
        object.put("decisions", crowd.turns());
        object.put("divisions", crowd.divisions());
        object.put("simulatedSeconds", crowd.seconds());
        object.put("realSeconds", seconds);
        object.put("microsPerDecision", micros);
        output.object(object);
    }

    private static Map<String, Object> object(Summary summary) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("policy", summary.policy());
        object.put("scenario", summary.scenario());
        for (Summary.Figure figure : summary.figures()) {
            object.put(figure.name(), figure.mean());
            object.put(figure.name() + "P95", figure.p95());
        }
        return object;
    }

    private void write(String svg) {
        OutputFile.write(plot, svg.getBytes(StandardCharsets.UTF_8));
        output.note("wrote " + plot);
    }
}
