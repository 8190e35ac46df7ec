package io.praline.deploy.cli.job;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveJournal;
import io.praline.deploy.terminal.ExplanationView;
import io.praline.deploy.terminal.JobExplanation;
import io.praline.deploy.terminal.OutputOptions;
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
        JobExplanation explanation = JobExplanation.of(LiveJournal.of(cluster.kafka(), job));
        for (ExplanationView decision : explanation.decisions()) {
            decision.lines().forEach(output::line);
            output.object(decision.object());
        }
        explanation.foretold().forEach(output::line);
    }
}
