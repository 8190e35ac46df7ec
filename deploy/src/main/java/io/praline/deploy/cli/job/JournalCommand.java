package io.praline.deploy.cli.job;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveJournal;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.dispatcher.replay.JournalFile;
import io.praline.policy.Counted;
import io.praline.schema.JournalEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The record of all decisions. */
@Command(
        name = "journal",
        description = "Take the record of a job's decisions along.",
        footer = {"", "Example:  praline journal export train-7 --to train-7.avro"},
        synopsisSubcommandLabel = "COMMAND",
        subcommands = JournalCommand.Export.class)
public final class JournalCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say 'export JOB --to FILE'");
    }

    /** A job's journal as a file. */
    @Command(
            name = "export",
            description = "Write the journal of a job to an Avro container file, which 'praline policy replay' and any"
                    + " Avro library read.",
            footer = {"", "Example:  praline journal export train-7 --to train-7.avro"})
    static final class Export implements Runnable {

        @Mixin
        private ClusterOptions cluster;

        @Mixin
        private OutputOptions output;

        @Parameters(paramLabel = "JOB", description = "The job's id.")
        private String job;

        @Option(names = "--to", required = true, paramLabel = "FILE", description = "Is replaced if it is there.")
        private Path file;

        @Override
        public void run() {
            List<JournalEntry> entries = LiveJournal.of(cluster.kafka(), job);
            try {
                JournalFile.write(file, entries);
            } catch (IOException failed) {
                throw Failures.unwritable(file, failed);
            }
            output.line(Counted.of(entries.size(), "entry", "entries") + " of job " + job
                    + Counted.word(entries.size(), " is", " are") + " in " + file);
            output.object(Map.of("job", job, "entries", entries.size(), "file", file.toString()));
        }
    }
}
