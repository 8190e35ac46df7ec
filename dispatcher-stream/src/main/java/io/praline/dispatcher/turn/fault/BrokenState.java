package io.praline.dispatcher.turn.fault;

/** What was left by the dispatcher before cannot be taken over: no record is to blame, and nothing can go on. */
public final class BrokenState extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenState(String message, Throwable cause) {
        super(message, cause);
    }

    public BrokenState(String message) {
        super(message);
    }
}
