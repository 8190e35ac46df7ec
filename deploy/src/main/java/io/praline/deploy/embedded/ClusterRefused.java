package io.praline.deploy.embedded;

/** The cluster cannot be started here. The message is one line: what is wrong, where, what to do. */
public final class ClusterRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClusterRefused(String message) {
        super(message);
    }

    public ClusterRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
