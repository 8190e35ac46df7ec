package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveJournal;
import io.praline.deploy.console.CommandFailed;
import io.praline.deploy.console.ExitCode;
import io.praline.deploy.console.ExplanationView;
import io.praline.deploy.console.OutputOptions;
import io.praline.dispatcher.replay.Explanation;
import io.praline.dispatcher.replay.Explanation.Compared;
import io.praline.policy.Quantity;
import io.praline.schema.JournalEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Why a job has the workers that it has. */
@Command(
        name = "explain",
        description =
                "Show every decision on a job in order: what was seen, what was decided and why, by which numbers,"
                        + " and what then happened.",
        footer = {
            "",
            "Where a decision expected something, the window after it is held against that: expected, came, error.",
            "",
            "Example:  praline explain train-7"
        })
public final class ExplainCommand implements Runnable {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "JOB", description = "The job's id, as 'praline jobs' shows it.")
    private String job;

    @Override
    public void run() {
        List<JournalEntry> entries = LiveJournal.of(cluster.kafka(), job);
        List<Explanation> all;
        try {
            all = Explanation.all(entries);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.REFUSED, "the journal cannot be read: " + wrong.getMessage(), wrong);
        }
        SortedMap<Quantity, List<Double>> errors = new TreeMap<>();
        for (Explanation one : all) {
            ExplanationView view = new ExplanationView(one);
            view.lines().forEach(output::line);
            output.object(view.object());
            one.compared().forEach((quantity, compared) -> error(compared)
                    .ifPresent(error -> errors.computeIfAbsent(quantity, none -> new ArrayList<>())
                            .add(error)));
        }
        errors.forEach((quantity, wrong) -> output.line(String.format(
                Locale.ROOT,
                "%s was foretold %d times, off by %.1f %% in the mean",
                quantity.key(),
                wrong.size(),
                100 * wrong.stream().mapToDouble(Double::doubleValue).average().orElse(0))));
    }

    private static Optional<Double> error(Compared compared) {
        return compared.error().map(Math::abs);
    }
}
