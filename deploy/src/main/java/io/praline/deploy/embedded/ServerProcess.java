package io.praline.deploy.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A server in a process of its own, that ends with this one at the latest. */
public interface ServerProcess {
    long pid();

    boolean alive();

    /** Completes when it has ended. */
    CompletionStage<?> ended();

    /** The last line it wrote, to tell why it ended; empty where it wrote none. */
    String lastLine();

    /** Asks it to end in order, and returns at once. */
    void askToEnd();

    /** Waits for its end; false when it did not come in time. */
    boolean awaitEnd(Duration time) throws InterruptedException;

    /** Ends it as a crash would. */
    void kill();

    /** Starts one: the edge to whoever knows how. */
    @FunctionalInterface
    interface Launcher {
        /**
         * Starts it and returns at once.
         *
         * @param name for people, and for its log
         * @param program whose {@code main} it runs
         * @param args what that gets
         */
        ServerProcess launch(String name, Class<?> program, List<String> args);
    }
}
