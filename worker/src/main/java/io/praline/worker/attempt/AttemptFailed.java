package io.praline.worker.attempt;

import io.praline.schema.FailureKind;
import io.praline.topics.BoundedText;

/** An attempt cannot go on. The message is one line: what, where, what to do next. */
public final class AttemptFailed extends RuntimeException {
    private final FailureKind kind;

    public AttemptFailed(FailureKind kind, String reason) {
        super(BoundedText.reason(reason.strip().replaceAll("\\s*\\R\\s*", "; ")));
        this.kind = kind;
    }

    /** Something that nobody expected. */
    static AttemptFailed broke(String what, Throwable why) {
        return new AttemptFailed(FailureKind.FAILED, what + ": " + why);
    }

    /** REFUSED where data or pipeline are at fault, so that trying again is of no use. */
    public FailureKind kind() {
        return kind;
    }
}
