package io.praline.deploy.cli;

import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;

/** {@code praline feed} without the other commands: what the wheel starts, which has not all of their jars. */
public final class FeedMain {

    private FeedMain() {}

    /** Serves until standard input ends. */
    public static void main(String[] args) {
        int code = ExitCode.DONE.number();
        try {
            code = new FeedCommand().call();
        } catch (InterruptedException | RuntimeException failed) {
            Failures.Told told = Failures.tell(failed);
            System.err.println(told.line());
            code = told.code().number();
        }
        System.exit(code);
    }
}
