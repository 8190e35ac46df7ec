package io.praline.topics;

/** Kafka or the registry does not answer, or does not let us in. The message is one line: what, where, why. */
public final class ServiceUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ServiceUnreachable(String message, Throwable cause) {
        super(message, cause);
    }
}
