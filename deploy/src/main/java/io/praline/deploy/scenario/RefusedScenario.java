package io.praline.deploy.scenario;

/** A scenario that cannot be taken; the message is one line that names file and field, and says what is allowed. */
public final class RefusedScenario extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RefusedScenario(String file, String reason) {
        super(file + ": " + reason);
    }

    RefusedScenario(String file, String reason, Throwable cause) {
        super(file + ": " + reason, cause);
    }
}
