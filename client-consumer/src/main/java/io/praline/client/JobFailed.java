package io.praline.client;

import io.praline.schema.FailureKind;

/** A job that did not and will not complete: refused, failed or cancelled. The message is one line naming the job and the reason. */
public final class JobFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String job;
    private final FailureKind kind;
    private final String reason;

    /** @param kind REFUSED: the input cannot be taken; FAILED: it broke while it ran; NONE: it was cancelled */
    public JobFailed(String job, FailureKind kind, String reason) {
        super("job " + job + " " + verb(kind) + ": " + reason);
        this.job = job;
        this.kind = kind;
        this.reason = reason;
    }

    public String job() {
        return job;
    }

    /** REFUSED where trying again is of no use, FAILED for all else that broke, NONE where it was cancelled. */
    public FailureKind kind() {
        return kind;
    }

    /** Why, in one line. */
    public String reason() {
        return reason;
    }

    private static String verb(FailureKind kind) {
        return switch (kind) {
            case NONE -> "was cancelled";
            case REFUSED -> "was refused";
            case FAILED -> "failed";
        };
    }
}
