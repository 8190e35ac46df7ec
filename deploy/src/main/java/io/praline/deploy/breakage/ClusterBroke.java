package io.praline.deploy.breakage;

/** A cluster that was started here can work no more. The message is one line: what of it broke, and why. */
public final class ClusterBroke extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param reason what of it broke, and why */
    public ClusterBroke(String reason) {
        super(message(reason));
    }

    /** @param cause how who waited for it found out */
    ClusterBroke(String reason, Throwable cause) {
        super(message(reason), cause);
    }

    private static String message(String reason) {
        return "the cluster broke: " + reason;
    }
}
