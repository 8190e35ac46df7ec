package io.praline.topics.registry;

/** A value that cannot be read, now or later. The message is one line, and says why. */
public final class UnreadableRecord extends Exception {
    private static final long serialVersionUID = 1;

    public UnreadableRecord(String reason) {
        super(reason);
    }

    public UnreadableRecord(String reason, Throwable cause) {
        super(reason, cause);
    }

    /** Why, in one line. */
    public String reason() {
        return getMessage();
    }
}
