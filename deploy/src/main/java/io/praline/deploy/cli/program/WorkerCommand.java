package io.praline.deploy.cli.program;

import io.praline.deploy.cluster.CacheOptions;
import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.cluster.PatienceOption;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.local.ChildMain;
import io.praline.deploy.local.Machine;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OptionLimits;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.topics.Agreements;
import io.praline.wire.trace.BatchTraces;
import io.praline.worker.CacheSettings;
import io.praline.worker.DeadThreads;
import io.praline.worker.Worker;
import io.praline.worker.WorkerConfig;
import io.praline.worker.WorkerDied;
import io.praline.worker.attempt.Watchdog;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One worker, against any Kafka. */
@Command(
        name = "worker",
        description = "Run one worker until SIGTERM or Ctrl-C; it then delivers what it has made, and leaves.",
        footer = {
            "",
            "Example:  praline worker --bootstrap kafka:9092 --registry http://registry:8081 --secret-file /etc/praline/secret"
                    + " --host 0.0.0.0 --slots 4"
        })
public final class WorkerCommand implements Callable<Integer> {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private PatienceOption patience;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Unique among workers; without it host name and a random end.")
    private String id;

    @Option(names = "--pool", paramLabel = "POOL", description = "The pool it serves (${DEFAULT-VALUE}).")
    private String pool = Agreements.USUAL_POOL;

    @Option(names = "--slots", paramLabel = "N", description = "Tasks it runs at a time (${DEFAULT-VALUE}).")
    @Within(least = 1, most = Agreements.MOST_SLOTS)
    private int slots = 1;

    @Option(names = "--cores", paramLabel = "N", description = "Cores it may use; without it all.")
    @Within(least = 1)
    private int cores = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--memory-mb",
            paramLabel = "MB",
            description = "Memory for TensorFlow's buffers; without it half of the machine's.")
    @Within(least = 0, most = 1_000_000_000)
    private long memoryMb = Machine.memoryBytes() / 2 / 1_000_000;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "Where its channel listens (${DEFAULT-VALUE}); 0.0.0.0 for all interfaces.")
    private String host = "127.0.0.1";

    @Option(names = "--port", paramLabel = "P", description = "Port of the channel; without it any.")
    @Within(least = 0, most = OptionLimits.MOST_PORT)
    private int port;

    @Option(
            names = "--unix-socket",
            paramLabel = "PATH",
            description = "Where clients of this host find the channel without TCP.")
    private Path unixSocket;

    @Option(
            names = "--http-host",
            paramLabel = "ADDRESS",
            description = "Where /metrics and /ready are answered (${DEFAULT-VALUE}); 0.0.0.0 for all interfaces.")
    private String httpHost = "127.0.0.1";

    @Option(names = "--http-port", paramLabel = "P", description = "Their port; without it any.")
    @Within(least = 0, most = OptionLimits.MOST_PORT)
    private int httpPort;

    @Option(
            names = "--local",
            description =
                    "Run as part of a job on its trainer's own host: it works for --job alone, and ends when its standard"
                            + " input does, which is the trainer's process.")
    private boolean local;

    @Option(names = "--job", paramLabel = "JOB", description = "The job that a --local worker serves.")
    private String job;

    @Option(
            names = "--stuck-after",
            paramLabel = "MINUTES",
            description =
                    "How long a task may bring nothing forth, though it has data to read and its clients have room,"
                            + " before another worker goes on with it (${DEFAULT-VALUE}).")
    @Within(least = 1, most = 1_000_000)
    private long stuckAfter = Watchdog.PATIENCE.toMinutes();

    @Mixin
    private StorageOptions storage;

    @Mixin
    private CacheOptions cache;

    @Override
    public Integer call() throws InterruptedException {
        if (local != (job != null)) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "--local and --job go together: a local worker serves one job alone");
        }
        if (local) {
            ChildMain.endWithTheParent();
        }
        DeadThreads dead = DeadThreads.watch();
        String name =
                id == null ? hostName() + "-" + UUID.randomUUID().toString().substring(0, 8) : id;
        WorkerConfig config = new WorkerConfig(
                cluster.kafka(),
                name,
                pool,
                slots,
                cores,
                memoryMb * 1_000_000,
                host,
                port,
                Optional.ofNullable(unixSocket),
                cluster.secret(),
                httpHost,
                httpPort,
                Optional.ofNullable(job),
                Duration.ofMinutes(stuckAfter),
                storage.settings(),
                entries(name));
        Worker worker = Worker.start(
                config, BatchTraces.fromEnvironment(System.getenv(), "praline-worker"), patience.patience());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(worker), "drain"));
        output.note("worker " + worker.id() + " serves at " + String.join(", ", worker.addresses())
                + (worker.httpPort().isPresent()
                        ? "; http://" + httpHost + ":" + worker.httpPort().getAsInt() + "/metrics"
                        : ""));
        RuntimeException failure = failure(worker.failed().applyToEither(dead.first(), Function.identity()));
        if (failure instanceof WorkerDied) {
            throw new CommandFailed(
                    ExitCode.DIED, "worker " + worker.id() + " ends: " + failure.getMessage() + "; start it again");
        }
        throw failure;
    }

    /** In a folder of its own where nobody names one, which a worker finds again that comes under the same id. */
    private Optional<CacheSettings> entries(String name) {
        Path own = HomeOption.home().folder().resolve("cache").resolve(name);
        return id == null && !cache.named()
                ? Optional.empty()
                : cache.settings(own, false, CacheSettings.Objects.usualNear());
    }

    private static RuntimeException failure(CompletableFuture<RuntimeException> failed) throws InterruptedException {
        try {
            return failed.get();
        } catch (ExecutionException broken) {
            return broken.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(broken.getCause());
        }
    }

    private static void leave(Worker worker) {
        try {
            worker.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            return "worker";
        }
    }
}
