package io.praline.worker.planning;

/** A path that a job wants and that this worker cannot read. The message is one line and names worker and path. */
public final class UnseenPath extends RuntimeException {
    public UnseenPath(String message) {
        super(message);
    }
}
