package io.praline.worker.profile;

/** A sample could not be read to its end. The message is one line: what, where, what to do next. */
public class SampleFailed extends RuntimeException {
    private final boolean refused;

    SampleFailed(String reason, boolean refused, Throwable cause) {
        super(reason, cause);
        this.refused = refused;
    }

    /** Pipeline or data are not what can be measured here. */
    SampleFailed(String reason) {
        super(reason);
        this.refused = true;
    }

    /** Whether data or pipeline are at fault, so that trying again is of no use. */
    public boolean refused() {
        return refused;
    }
}
