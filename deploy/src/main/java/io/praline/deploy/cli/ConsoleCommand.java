package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.page.PageData;
import io.praline.deploy.page.PageServer;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.NamedFile;
import io.praline.deploy.terminal.OptionLimits;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.dispatcher.DispatcherConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A page to watch. */
@Command(
        name = "console",
        description =
                "Serve a page that shows jobs and what limits each, workers, pools and topics as they change, until"
                        + " Ctrl-C. It changes nothing. 'praline up' serves it too.",
        footer = {
            "",
            "Examples:  praline console",
            "           praline console --journal train-7.avro",
            "           praline console --host 0.0.0.0 --token-file token"
        })
public final class ConsoleCommand implements Runnable {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--journal",
            paramLabel = "FILE",
            description = "Show a journal that 'praline journal export' wrote, without a cluster.")
    private Path journal;

    @Option(
            names = "--host",
            paramLabel = "H",
            description = "Where it listens (${DEFAULT-VALUE}); elsewhere than on loopback it needs --token-file.")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Its port, 0 for any; without it " + PageServer.USUAL_PORT + ", or any where that is taken.")
    @Within(least = 0, most = OptionLimits.MOST_PORT)
    private Integer port;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Answer only who shows what is in this file: by /?token=TOKEN, or 'Authorization: Bearer TOKEN'.")
    private Path tokenFile;

    @Option(
            names = "--application",
            paramLabel = "ID",
            description = "The group that all dispatchers of the installation share (${DEFAULT-VALUE}).")
    private String application = DispatcherConfig.USUAL_APPLICATION;

    @Override
    public void run() {
        Optional<String> token = Optional.ofNullable(tokenFile).map(ConsoleCommand::token);
        try (PageData data = journal == null ? PageData.live(cluster.kafka(), application) : recorded(journal);
                PageServer server = serve(data, token)) {
            output.line("the page is at " + server.url() + " ; Ctrl-C ends it");
            output.object(Map.of("console", server.url()));
            new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
            throw new CommandFailed(ExitCode.INTERRUPTED, "the page is closed", ended);
        }
    }

    private PageServer serve(PageData data, Optional<String> token) {
        return port == null ? PageServer.startWhereFree(data, host, token) : PageServer.start(data, host, port, token);
    }

    private static PageData recorded(Path file) {
        try {
            return PageData.recorded(file);
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    ExitCode.REFUSED, file + " cannot be read: " + Failures.why(unreadable), unreadable);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.REFUSED, wrong.getMessage(), wrong);
        }
    }

    private static String token(Path file) {
        try {
            return NamedFile.text(file).strip();
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "the token's file cannot be read: " + Failures.why(unreadable), unreadable);
        }
    }
}
