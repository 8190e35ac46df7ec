package io.praline.deploy.terminal;

import java.util.Objects;

/** A command ends with this exit code; its message is the one line the user sees: what is wrong, where, what to do. */
public final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    public CommandFailed(ExitCode code, String message) {
        super(message);
        this.code = Objects.requireNonNull(code, "code");
    }

    public CommandFailed(ExitCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    public ExitCode code() {
        return code;
    }
}
