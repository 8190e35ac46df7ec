package io.praline.deploy.cli.policy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Policies without a cluster. */
@Command(
        name = "policy",
        description = "Try policies in made-up worlds or on what was recorded, without a cluster.",
        footer = {"", "Example:  praline policy simulate drift --policy fitted --policy pecan"},
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {PolicySimulateCommand.class, PolicyReplayCommand.class})
public final class PolicyCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
