package io.praline.deploy.cli.cache;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is kept, and what that saved. */
@Command(
        name = "cache",
        description = "Show which elements are kept to be read again, and take that into your own hands.",
        footer = {
            "",
            "Examples:  praline cache list",
            "           praline cache pin 3f2a",
            "           praline cache drop 3f2a",
            "           praline cache warm --pipeline train.pb --data '/data/train-*.tfrecord'"
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ListEntries.class,
            KeptGroup.PinEntries.class,
            KeptGroup.UnpinEntries.class,
            KeptGroup.DropEntries.class,
            VerifyEntries.class,
            WarmCommand.class
        })
public final class CacheCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
