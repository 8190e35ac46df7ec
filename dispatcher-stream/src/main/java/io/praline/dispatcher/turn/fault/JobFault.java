package io.praline.dispatcher.turn.fault;

import java.util.function.Supplier;

/** A turn cannot go on at one job. Others are not to blame: without that job the turn is taken as if nothing were wrong. */
public final class JobFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String job;

    public JobFault(String job, Throwable cause) {
        super("job " + job + ": " + cause, cause);
        this.job = job;
    }

    /** Whose fault it is. */
    public String job() {
        return job;
    }

    /** Does something that is about this job alone: what is thrown meanwhile is its fault. */
    public static void in(String job, Runnable step) {
        in(job, () -> {
            step.run();
            return true;
        });
    }

    /** As {@link #in(String, Runnable)}, and gives what comes of it. */
    public static <R> R in(String job, Supplier<R> step) {
        try {
            return step.get();
        } catch (JobFault known) {
            throw known;
        } catch (RuntimeException | StackOverflowError thrown) {
            throw new JobFault(job, thrown);
        }
    }
}
