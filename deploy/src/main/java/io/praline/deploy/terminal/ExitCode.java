package io.praline.deploy.terminal;

/**
 * What the praline command ends with: scripts rely on these numbers. A command that SIGTERM ends has 143 from the JVM itself,
 * whatever it would have ended with.
 */
public enum ExitCode {
    /** All went well. */
    DONE(0),
    /** A fault of Praline itself; never expected. */
    BROKEN(1),
    /** The command line is wrong. */
    WRONG_USE(2),
    /** Pipeline, data or settings cannot be taken; the message says why. */
    REFUSED(3),
    /** The job failed while it ran, or was cancelled; {@code doctor} found something off. */
    JOB_FAILED(4),
    /** Kafka, the registry, a worker or a store of data cannot be reached. */
    UNREACHABLE(5),
    /** A part of the process died or does not come back: it ended itself, and is to be started again. */
    DIED(6),
    /** Ctrl-C. */
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
