package io.praline.deploy.cli;

import io.praline.deploy.console.CommandFailed;
import io.praline.deploy.console.ExitCode;
import io.praline.deploy.console.OptionLimits;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A place in a job that is there already, in place of a job of its own. */
final class AttachOptions {

    /** What says how a job shall be: of one that is there, all of it is settled. */
    static final List<String> OF_A_SUBMISSION = List.of(
            "--pipeline",
            "--data",
            "--names",
            "--epochs",
            "--seed",
            "--consumers",
            "--consumer-patience",
            "--skip-bad",
            "--job",
            "--guarantee",
            "--tenant",
            "--tenant-cap",
            "--pool",
            "--max-batch-bytes",
            "--target",
            "--policy",
            "--set",
            "--shadow",
            "--price-client",
            "--price-remote",
            "--price-egress",
            "--cap",
            "--max-remote",
            "--max-local");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--attach",
            paramLabel = "JOB",
            description = "Take a place in this job, in place of submitting one.")
    private String job;

    @Option(
            names = "--consumer",
            paramLabel = "I",
            description =
                    "Which place, counted from 0: whoever has it is given nothing more. A number that the job does not"
                            + " have makes a new place.")
    private Integer consumer;

    @Option(
            names = "--replace",
            description = "Who had the place is known to be dead: what it had in its hands comes at once.")
    private boolean replace;

    /** The place that is taken. */
    record Place(String job, int consumer, boolean replace) {}

    /** The place that the user wants; empty where a job is to be submitted. */
    Optional<Place> place() {
        if (job == null) {
            if (consumer != null || replace) {
                throw new CommandFailed(
                        ExitCode.WRONG_USE,
                        "--consumer and --replace say which place of a job to take: add --attach JOB");
            }
            return Optional.empty();
        }
        for (String option : OF_A_SUBMISSION) {
            if (command.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new CommandFailed(
                        ExitCode.WRONG_USE, option + " is for a job that is submitted; leave it out with --attach");
            }
        }
        if (consumer == null) {
            throw new CommandFailed(ExitCode.WRONG_USE, "which place? say --attach " + job + " --consumer I");
        }
        OptionLimits.atLeast(0, "--consumer", consumer);
        return Optional.of(new Place(job, consumer, replace));
    }
}
