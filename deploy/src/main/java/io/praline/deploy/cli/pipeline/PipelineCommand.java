package io.praline.deploy.cli.pipeline;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks into pipelines without a cluster. */
@Command(
        name = "pipeline",
        description = "Look into a pipeline, without a cluster.",
        footer = {"", "Example:  praline pipeline describe train.pb"},
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {DescribeCommand.class, OrderCommand.class})
public final class PipelineCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
