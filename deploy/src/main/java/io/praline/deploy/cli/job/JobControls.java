package io.praline.deploy.cli.job;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Within;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.topics.Agreements;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a user takes into their own hands about a job while it runs. */
final class JobControls {

    private JobControls() {}

    /** Fixes the number of a job's workers. */
    @Command(
            name = "pin",
            description = "Fix the number of a job's workers, whatever its policy would decide, until it is unpinned.",
            footer = {"", "Example:  praline job pin train-7 --remote 4 --local 1"})
    static final class PinJob implements Runnable {

        @Mixin
        private JobOptions job;

        @Option(names = "--remote", required = true, paramLabel = "N", description = "Workers of its pool.")
        @Within(least = 0, most = Agreements.MOST_WORKERS)
        private int remote;

        @Option(
                names = "--local",
                required = true,
                paramLabel = "M",
                description = "Workers on its trainer's host; no more than it was submitted with by --max-local.")
        @Within(least = 0, most = Agreements.MOST_WORKERS)
        private int local;

        @Override
        public void run() {
            if (remote + local == 0) {
                throw new CommandFailed(
                        ExitCode.WRONG_USE,
                        "a job without any worker stands still; to hold it, say 'praline job pause " + job.id() + "'");
            }
            job.ask(new Pin(true, remote, local), "is pinned to " + remote + " remote and " + local + " local workers");
        }
    }

    /** Gives the number of a job's workers back to its policy. */
    @Command(
            name = "unpin",
            description = "Let a job's policy decide again how many workers it has.",
            footer = {"", "Example:  praline job unpin train-7"})
    static final class UnpinJob implements Runnable {

        @Mixin
        private JobOptions job;

        @Override
        public void run() {
            job.ask(new Pin(false, 0, 0), "is left to its policy again");
        }
    }

    /** Holds a job. */
    @Command(
            name = "pause",
            description = "Hold a job: its workers finish what they have and go to others. Its trainer waits.",
            footer = {"", "Example:  praline job pause train-7"})
    static final class PauseJob implements Runnable {

        @Mixin
        private JobOptions job;

        @Override
        public void run() {
            job.ask(new Pause(true), "is held; 'praline job resume " + job.id() + "' lets it go on");
        }
    }

    /** Lets a held job go on. */
    @Command(
            name = "resume",
            description = "Let a job go on that was paused.",
            footer = {"", "Example:  praline job resume train-7"})
    static final class ResumeJob implements Runnable {

        @Mixin
        private JobOptions job;

        @Override
        public void run() {
            job.ask(new Pause(false), "goes on");
        }
    }
}
