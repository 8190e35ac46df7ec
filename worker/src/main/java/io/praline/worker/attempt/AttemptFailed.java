package io.praline.worker.attempt;

import io.praline.schema.FailureKind;
import io.praline.topics.BoundedText;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.storage.StoreFailed;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** An attempt cannot go on. The message is one line: what, where, what to do next. */
public final class AttemptFailed extends RuntimeException {
    private final FailureKind kind;
    private final String reason;
    private final String advice;
    private final Duration still;

    public AttemptFailed(FailureKind kind, String reason) {
        this(kind, reason, "", Duration.ZERO);
    }

    private AttemptFailed(FailureKind kind, String reason, String advice, Duration still) {
        super(line(reason + advice));
        this.kind = kind;
        this.reason = line(reason);
        this.advice = advice;
        this.still = still;
    }

    /** Nothing came of it for so long. */
    static AttemptFailed stuck(String reason, Duration still) {
        return new AttemptFailed(FailureKind.FAILED, reason, "", still);
    }

    /** A store does not give what is read of it. */
    static AttemptFailed of(StoreFailed why) {
        return new AttemptFailed(why.kind().passing() ? FailureKind.FAILED : FailureKind.REFUSED, why.getMessage());
    }

    /** TensorFlow does not run a graph. */
    static AttemptFailed ofGraph(EngineFailure why) {
        return new AttemptFailed(
                why.dataAtFault() ? FailureKind.REFUSED : FailureKind.FAILED,
                "TensorFlow does not run the pipeline: " + why.getMessage());
    }

    /** Something that nobody expected. */
    static AttemptFailed broke(String what, Throwable why) {
        return new AttemptFailed(FailureKind.FAILED, what + ": " + why);
    }

    /**
     * Records are at fault that a job may tolerate.
     *
     * @param advice how the message goes on in a job
     */
    static AttemptFailed ofRecords(String reason, String advice) {
        return new AttemptFailed(FailureKind.REFUSED, reason, advice, Duration.ZERO);
    }

    /** The same, where records are at fault that a job may tolerate, with another advice. */
    AttemptFailed advised(String other) {
        return advice.isEmpty() ? this : new AttemptFailed(kind, reason, other, still);
    }

    /** The same in other words. */
    AttemptFailed told(UnaryOperator<String> words) {
        return new AttemptFailed(kind, words.apply(reason), advice, still);
    }

    private static String line(String text) {
        return BoundedText.reason(text.strip().replaceAll("\\s*\\R\\s*", "; "));
    }

    /** REFUSED where data or pipeline are at fault, so that trying again is of no use. */
    public FailureKind kind() {
        return kind;
    }

    /** For how long nothing had come of it, where that is why. */
    Duration still() {
        return still;
    }

    /** What and where, without what can be done about it only in a job. */
    public String reason() {
        return reason;
    }
}
