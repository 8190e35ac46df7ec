package io.praline.deploy.local;

import io.praline.client.local.LaunchedWorker;
import io.praline.deploy.breakage.Breakage;
import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import io.praline.deploy.embedded.ServerProcess;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.dispatcher.Dispatcher;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Patience;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.health.OpenTransaction;
import io.praline.topics.health.Transactions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A whole cluster on this machine: broker, registry and dispatcher in this process, each worker in a process of its own
 * ({@link ClusterWorkers}), and each broker too where there are several.
 * Belongs to one thread.
 */
public final class LocalCluster implements AutoCloseable {

    private static final Duration WORKER_PATIENCE = Duration.ofSeconds(60);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** For a dispatcher whose broker has broken: it can commit nothing any more, and would try for longer. */
    private static final Duration LAST_MOMENT = Duration.ofMillis(500);

    /** How long partitions of several brokers may be without a leader while those start. */
    private static final Duration LEADERS = Duration.ofSeconds(10);

    private static final int BROKER_HEAP_MB = 256;
    private static final int BROKER_DIRECT_MB = 128;

    /** Idle it takes a tenth; the largest graph is there once while TensorFlow takes it over. */
    public static final int WORKER_HEAP_MB = 768;

    public static final int WORKER_DIRECT_MB = 256;

    /** A socket's path is limited by the kernel. */
    private static final int MAX_SOCKET_PATH = 90;

    private final Settings settings;
    private final EmbeddedCluster embedded;
    private final Dispatcher dispatcher;
    private final List<OpenTransaction> ended;
    private final ClusterWorkers workers;

    /**
     * What is wanted.
     *
     * @param dataDir where all of it is kept
     * @param brokers how many; empty: as many as there were, else one
     * @param kafkaPort Kafka's port, of several brokers the first one's; empty: the one it had, else any
     * @param registryPort the registry's
     * @param partitions of the dispatcher's inputs; empty: those that there are, else the usual number
     * @param secretFile what clients and workers share
     * @param slots tasks that a worker runs at the same time
     * @param workFolder where workers work, so that relative names of files begin there; empty: where this process does
     * @param workerOptions what each worker is told besides
     * @param metrics where dispatcher and workers answer; empty: the dispatcher does not, workers do anywhere on loopback
     */
    public record Settings(
            Path dataDir,
            OptionalInt brokers,
            OptionalInt kafkaPort,
            OptionalInt registryPort,
            OptionalInt partitions,
            Path secretFile,
            int slots,
            Optional<Path> workFolder,
            List<String> workerOptions,
            Optional<Metrics> metrics) {

        public Settings {
            if (slots < 1) {
                throw new IllegalArgumentException("slots must be at least 1, is " + slots);
            }
        }

        /** With as many brokers as there were, else one, on the ports they had, else any. */
        public Settings(Path dataDir, Path secretFile, int slots) {
            this(
                    dataDir,
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    secretFile,
                    slots,
                    Optional.empty(),
                    List.of(),
                    Optional.empty());
        }
    }

    /**
     * Where {@code /metrics} and {@code /ready} are answered, so that others find them: by the dispatcher at the port, by the worker
     * of a number so many ports behind.
     */
    public record Metrics(String host, int port) {
        public Metrics {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("--http-port must be from 1 to 65535, is " + port);
            }
        }

        List<String> ofWorker(String id) {
            int number = Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
            return List.of("--http-host", host, "--http-port", Integer.toString(port + number));
        }
    }

    private LocalCluster(
            Settings settings, EmbeddedCluster embedded, Dispatcher dispatcher, List<OpenTransaction> ended) {
        this.settings = settings;
        this.embedded = embedded;
        this.dispatcher = dispatcher;
        this.ended = ended;
        this.workers = new ClusterWorkers(settings, embedded.dataDir(), arguments());
    }

    /** Returns when broker and registry serve; the dispatcher is on its way, and there are no workers yet. */
    public static LocalCluster start(Settings settings) throws InterruptedException {
        EmbeddedCluster embedded = EmbeddedCluster.start(
                new EmbeddedClusterConfig(
                        settings.dataDir(), settings.brokers(), settings.kafkaPort(), settings.registryPort()),
                (name, program, args) -> ChildProcess.start(new ChildProcess.Spec(
                        name,
                        program.getName(),
                        args,
                        log(settings.dataDir(), name),
                        BROKER_HEAP_MB,
                        BROKER_DIRECT_MB,
                        Map.of())));
        try {
            Path state = embedded.dataDir().resolve("dispatcher");
            DispatcherConfig config = dispatcher(settings, embedded.settings(), state);
            return embedded.breakage().make(() -> start(settings, embedded, config));
        } catch (RuntimeException | InterruptedException failed) {
            embedded.close();
            throw failed;
        }
    }

    private static LocalCluster start(Settings settings, EmbeddedCluster embedded, DispatcherConfig config)
            throws InterruptedException {
        if (settings.partitions().isPresent()) {
            createTopics(embedded.settings(), settings.partitions().getAsInt());
        }
        List<OpenTransaction> ended = endHanging(embedded.settings(), config.changelog());
        Dispatcher dispatcher = Patience.OWN_CLUSTER.with(() -> Dispatcher.start(config));
        return new LocalCluster(settings, embedded, dispatcher, ended);
    }

    private static DispatcherConfig dispatcher(Settings settings, KafkaSettings kafka, Path state) {
        return settings.metrics()
                .map(at -> new DispatcherConfig(
                        kafka,
                        DispatcherConfig.USUAL_APPLICATION,
                        "local",
                        state,
                        at.host(),
                        at.port(),
                        0,
                        DispatcherConfig.USUAL_RULES))
                .orElseGet(() -> new DispatcherConfig(kafka, "local", state, -1));
    }

    private static void createTopics(KafkaSettings kafka, int partitions) throws InterruptedException {
        try (TopicAdmin topics = Patience.OWN_CLUSTER.<TopicAdmin>with(() -> TopicAdmin.connect(kafka))) {
            topics.createMissing(partitions);
        }
    }

    /** Before the dispatcher starts, which would wait behind them: an earlier version may have left them. */
    private static List<OpenTransaction> endHanging(KafkaSettings kafka, String changelog) throws InterruptedException {
        List<String> topics =
                new ArrayList<>(Topics.all().stream().map(Topic::name).toList());
        topics.add(changelog);
        try (Transactions transactions = Transactions.on(kafka)) {
            long deadline = System.nanoTime() + LEADERS.toNanos();
            while (!Patience.OWN_CLUSTER.<Boolean>with(() -> transactions.allLed(topics))
                    && System.nanoTime() - deadline < 0) {
                Thread.sleep(Patience.OWN_CLUSTER.pause().toMillis());
            }
            return Patience.OWN_CLUSTER.<List<OpenTransaction>>with(
                    () -> transactions.endAborted(transactions.hanging(topics)));
        }
    }

    /** Transactions that hung in the cluster's data and were ended before the dispatcher started, a line each. */
    public List<String> mended() {
        return ended.stream()
                .map(transaction -> "ended in " + transaction.partition() + " the " + transaction.inWords())
                .toList();
    }

    public KafkaSettings kafka() {
        return embedded.settings();
    }

    public Path secretFile() {
        return settings.secretFile();
    }

    /** Where it is, as options of a command. */
    public List<String> arguments() {
        return List.of(
                "--bootstrap",
                kafka().bootstrap(),
                "--registry",
                kafka().registryUrl(),
                "--secret-file",
                settings.secretFile().toString());
    }

    public Endpoints endpoints() {
        return new Endpoints(
                kafka().bootstrap(),
                kafka().registryUrl(),
                settings.secretFile(),
                embedded.dataDir(),
                ProcessHandle.current().pid(),
                Optional.empty(),
                Optional.empty());
    }

    /** Broker, registry or dispatcher can work no more. */
    public Breakage breakage() {
        return or(embedded.failure());
    }

    private Breakage or(CompletionStage<String> other) {
        CompletionStage<String> stopped = dispatcher
                .ended()
                .handle((none, failed) -> "the dispatcher stopped" + (failed == null ? "" : ": " + reason(failed)));
        return new Breakage(other.applyToEither(stopped, reason -> reason));
    }

    /** What a stage that comes behind another one is told of that one's failure is wrapped. */
    private static String reason(Throwable failed) {
        Throwable told =
                failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        return told.getMessage();
    }

    /** Starts a worker, or starts it again; it is not ready yet. */
    public ChildProcess startWorker(String id) {
        return workers.start(id);
    }

    /** Starts the worker of a number, for who starts and stops them by a target. */
    public LaunchedWorker launch(int number) {
        return new PoolProcess(startWorker("worker-" + number));
    }

    /** Where a worker's Unix socket goes: into this folder, or where paths are shorter. */
    public static Path socket(Path folder, String id) {
        Path near = folder.resolve(id + ".sock");
        return near.toString().length() <= MAX_SOCKET_PATH
                ? near
                : Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "praline-" + ProcessHandle.current().pid() + "-" + id + ".sock");
    }

    static Path log(Path dataDir, String process) {
        return dataDir.resolve("logs").resolve(process + ".log");
    }

    /** Those that were started, also when they have ended. */
    public Collection<ChildProcess> workers() {
        return workers.all();
    }

    /** The brokers' processes, by node; none where the only one is in this process. */
    public List<ServerProcess> brokers() {
        return embedded.brokers();
    }

    /** Starts brokers again that have ended; gives a line for each. */
    public List<String> replaceDeadBrokers() {
        return embedded.replaceDeadBrokers();
    }

    /** Starts workers again that have ended; gives a line for each. */
    public List<String> replaceDeadWorkers() {
        return workers.replaceDead();
    }

    /**
     * Waits until the dispatcher serves and all workers that were started have been heard of. What the dispatcher waits for
     * it says itself, in the log.
     */
    public void awaitReady() throws InterruptedException {
        or(embedded.breakage().reason()).run(() -> {
            awaitDispatcher();
            workers.awaitHeard(kafka(), WORKER_PATIENCE);
        });
    }

    private void awaitDispatcher() throws InterruptedException {
        long deadline = System.nanoTime() + WORKER_PATIENCE.toNanos();
        while (!dispatcher.awaitReady(LOOK)) {
            if (System.nanoTime() - deadline > 0) {
                throw new CommandFailed(
                        ExitCode.UNREACHABLE,
                        "the dispatcher did not start within " + WORKER_PATIENCE.toSeconds() + " s: it waits for "
                                + dispatcher.waitsFor().orElse("Kafka"));
            }
        }
    }

    /** Ends workers, dispatcher, registry and broker, in this order. */
    @Override
    public void close() {
        try {
            workers.close();
        } finally {
            try {
                if (embedded.failure().toCompletableFuture().isDone()) {
                    dispatcher.close(LAST_MOMENT);
                } else {
                    dispatcher.close();
                }
            } finally {
                embedded.close();
            }
        }
    }
}
