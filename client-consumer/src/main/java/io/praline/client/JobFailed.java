package io.praline.client;

import io.praline.schema.FailureKind;

/** A job that did not and will not complete: refused, failed or cancelled. The message is one line naming the job and the reason. */
public final class JobFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String job;
    private final FailureKind kind;
    private final String reason;
    private final boolean superseded;

    /** @param kind REFUSED: the input cannot be taken; FAILED: it broke while it ran; NONE: it was cancelled */
    public JobFailed(String job, FailureKind kind, String reason) {
        this(job, kind, reason, false);
    }

    private JobFailed(String job, FailureKind kind, String reason, boolean superseded) {
        super("job " + job + " " + verb(kind) + ": " + reason);
        this.job = job;
        this.kind = kind;
        this.reason = reason;
        this.superseded = superseded;
    }

    /** For this process alone: the job goes on, with another one in its consumer's place, or without that consumer. */
    static JobFailed superseded(String job, String reason) {
        return new JobFailed(job, FailureKind.FAILED, reason, true);
    }

    public String job() {
        return job;
    }

    /** REFUSED where trying again is of no use, UNREACHABLE where a store of its data was away, FAILED for all else that broke, NONE where it was cancelled. */
    public FailureKind kind() {
        return kind;
    }

    /** Why, in one line. */
    public String reason() {
        return reason;
    }

    /** Whether only this process has no part in the job any more: its consumer was given up, or another has its place. */
    public boolean isSuperseded() {
        return superseded;
    }

    private static String verb(FailureKind kind) {
        return switch (kind) {
            case NONE -> "was cancelled";
            case REFUSED -> "was refused";
            case FAILED, CACHE, UNREACHABLE -> "failed";
        };
    }
}
