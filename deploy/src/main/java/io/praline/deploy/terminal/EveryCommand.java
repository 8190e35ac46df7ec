package io.praline.deploy.terminal;

import picocli.CommandLine.Option;

/** The options that every command has. */
public final class EveryCommand {

    public static final String VERBOSE = "--verbose";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Option(names = VERBOSE, description = "Show log lines, and the stack trace of an error.")
    private boolean verbose;

    boolean help() {
        return help;
    }

    boolean verbose() {
        return verbose;
    }
}
