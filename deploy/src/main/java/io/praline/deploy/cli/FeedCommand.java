package io.praline.deploy.cli;

import io.praline.deploy.feed.Connections;
import io.praline.deploy.feed.Feeds;
import io.praline.deploy.terminal.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/** The Java side of the Python package, which starts it. */
@Command(
        name = "feed",
        description =
                "The Java side of Python's package 'praline', which starts it: its feeds come by standard input, as"
                        + " io.praline.deploy.feed describes.",
        footer = {"", "Example, in Python:  import praline; feed = praline.feed('train.pb', data='/data/train-*')"})
public final class FeedCommand implements Callable<Integer> {

    /** How long feeds may take to end in order once Python is gone. */
    private static final long ORDERLY_END_SECONDS = 20;

    @Override
    public Integer call() throws InterruptedException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // whatever else would print is not for Python
        System.setOut(System.err);
        try (Connections connections = new FeedConnections()) {
            new Feeds(connections).serve(System.in, answers, FeedCommand::endInTime);
        }
        return ExitCode.DONE.number();
    }

    private static void endInTime() {
        Thread limit = new Thread(
                () -> {
                    try {
                        TimeUnit.SECONDS.sleep(ORDERLY_END_SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
                },
                "end");
        limit.setDaemon(true);
        limit.start();
    }
}
