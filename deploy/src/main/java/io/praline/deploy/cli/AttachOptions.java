package io.praline.deploy.cli;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Within;
import io.praline.topics.Agreements;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A place in a job that is there already, in place of a job of its own. */
final class AttachOptions {

    /** What the one who takes a place may say: of a job that is there, all else is settled. */
    static final Set<String> OF_A_PLACE = Set.of(
            "--attach",
            "--consumer",
            "--replace",
            "--step-ms",
            "--path",
            "--patience",
            "--bootstrap",
            "--registry",
            "--kafka-config",
            "--secret-file",
            "--json",
            "--verbose");

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
    @Within(least = 0, most = Agreements.MOST_CONSUMERS - 1)
    private Integer consumer;

    @Option(
            names = "--replace",
            description =
                    "Who has the place, as 'praline job JOB' tells, is known to be dead: what it had in its hands comes at once. One that takes the place meanwhile is not meant.")
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
        for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
            if (!OF_A_PLACE.contains(option.longestName())) {
                throw new CommandFailed(
                        ExitCode.WRONG_USE,
                        option.longestName() + " is for a job that is submitted; leave it out with --attach");
            }
        }
        if (consumer == null) {
            throw new CommandFailed(ExitCode.WRONG_USE, "which place? say --attach " + job + " --consumer I");
        }
        return Optional.of(new Place(job, consumer, replace));
    }
}
