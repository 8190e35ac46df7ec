package io.praline.deploy.cli.program;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.cluster.PatienceOption;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OptionLimits;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.dispatcher.Dispatcher;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.topics.Agreements;
import io.praline.topics.ServiceUnreachable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One dispatcher, against any Kafka. */
@Command(
        name = "dispatcher",
        description =
                "Run one dispatcher until SIGTERM or Ctrl-C. Several share the pools between them, and one goes on"
                        + " where another ended.",
        footer = {
            "",
            "Example:  praline dispatcher --bootstrap kafka:9092 --registry http://registry:8081 --instance d-1 --standbys 1"
        })
public final class DispatcherCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(50);

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private PatienceOption patience;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--application",
            paramLabel = "ID",
            description = "The group that all dispatchers of one installation share (${DEFAULT-VALUE}).")
    private String application = DispatcherConfig.USUAL_APPLICATION;

    @Option(
            names = "--instance",
            paramLabel = "ID",
            description = "This one among them; the same after a restart (${DEFAULT-VALUE}).")
    private String instance = "dispatcher-0";

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Where Kafka Streams keeps its lock; without it ~/.praline/dispatcher.")
    private Path stateDir;

    @Option(
            names = "--http-host",
            paramLabel = "ADDRESS",
            description = "Where /metrics and /ready listen (${DEFAULT-VALUE}).")
    private String httpHost = "127.0.0.1";

    @Option(names = "--http-port", paramLabel = "P", description = "Their port; without it any.")
    @Within(least = 0, most = OptionLimits.MOST_PORT)
    private int httpPort;

    @Option(
            names = "--standbys",
            paramLabel = "N",
            description = "Warm copies of the state on other instances (${DEFAULT-VALUE}).")
    @Within(least = 0, most = 100)
    private int standbys;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description = "How jobs are scaled that name no policy (${DEFAULT-VALUE}).")
    private String policy = DispatcherConfig.USUAL_RULES.policy();

    @Option(
            names = "--pool-least",
            paramLabel = "N",
            description = "Workers of a pool at least, also while no job is open (${DEFAULT-VALUE}).")
    @Within(least = 0, most = Agreements.MOST_WORKERS)
    private int poolLeast;

    @Option(names = "--pool-most", paramLabel = "N", description = "Workers of a pool at most (${DEFAULT-VALUE}).")
    @Within(least = 1, most = Agreements.MOST_WORKERS)
    private int poolMost = 100;

    @Option(
            names = "--pool-grace",
            paramLabel = "SECONDS",
            description = "How long workers are kept that no job needs (${DEFAULT-VALUE}).")
    @Within(least = 0)
    private int poolGraceSeconds = 60;

    @Override
    public Integer call() throws InterruptedException {
        requirePool();
        Path state = stateDir == null ? HomeOption.home().folder().resolve("dispatcher") : stateDir;
        Rules rules = DispatcherConfig.rules(policy, poolLeast, poolMost, Duration.ofSeconds(poolGraceSeconds));
        DispatcherConfig config = new DispatcherConfig(
                cluster.kafka(), application, instance, state, httpHost, httpPort, standbys, rules);
        try (Dispatcher dispatcher = patience.patience().with(() -> Dispatcher.start(config))) {
            CompletableFuture<Void> ended = dispatcher.ended();
            while (!ended.isDone() && !dispatcher.awaitReady(LOOK)) {
                // it is on its way
            }
            if (!ended.isDone()) {
                output.note("dispatcher " + instance + " serves"
                        + (dispatcher.httpPort().isPresent()
                                ? "; http://" + httpHost + ":"
                                        + dispatcher.httpPort().getAsInt() + "/metrics"
                                : ""));
            }
            ended.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ServiceUnreachable unreachable) {
                throw unreachable;
            }
            throw new CommandFailed(
                    ExitCode.BROKEN,
                    "the dispatcher stopped: " + failed.getCause().getMessage(),
                    failed);
        }
        return ExitCode.DONE.number();
    }

    private void requirePool() {
        if (poolMost < poolLeast) {
            throw new IllegalArgumentException(
                    "--pool-most must be no less than --pool-least, " + poolLeast + ", is " + poolMost);
        }
    }
}
