package io.praline.deploy.embedded;

import io.praline.deploy.breakage.Breakage;
import io.praline.policy.Counted;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Broker and registry in this process, their data under one directory; several brokers are in processes of their own.
 * What was acknowledged is there after a restart, also when the process was killed. Only the loopback address is listened
 * on: there is no authentication.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private static final Duration DYING = Duration.ofSeconds(3);

    private final DataDirectory directory;
    private final Brokers brokers;
    private final EmbeddedRegistry registry;
    private final CompletableFuture<String> failure = new CompletableFuture<>();

    private EmbeddedCluster(DataDirectory directory, Brokers brokers, EmbeddedRegistry registry) {
        this.directory = directory;
        this.brokers = brokers;
        this.registry = registry;
        brokers.failure().thenAccept(failure::complete);
        registry.failure().thenAccept(failure::complete);
    }

    /**
     * Starts a cluster of one broker and returns when both serve.
     *
     * @throws ClusterRefused if the directory is held by another process or holds something else, a cluster of more brokers
     *     among that, or a port is in use
     */
    public static EmbeddedCluster start(EmbeddedClusterConfig config) {
        return start(config, (name, program, args) -> {
            throw new ClusterRefused("several brokers need processes of their own, and here are none to be had: start "
                    + "them with 'praline up --brokers N'");
        });
    }

    /**
     * Starts the cluster and returns when all serve.
     *
     * @param launcher starts the brokers' processes, where there is more than one
     * @throws ClusterRefused if the directory is held by another process or holds something else, a cluster of another
     *     number of brokers among that, or a port is in use
     * @throws io.praline.deploy.breakage.ClusterBroke if a broker ended while the registry started
     */
    public static EmbeddedCluster start(EmbeddedClusterConfig config, ServerProcess.Launcher launcher) {
        DataDirectory directory = DataDirectory.hold(config.dataDir());
        Brokers brokers = null;
        try {
            DataDirectory.Identity identity = identity(directory, config);
            requireWhole(directory.path(), identity);
            identity.brokerPorts().forEach(port -> Ports.requireFree("Kafka", port, patience(identity)));
            Ports.requireFree("registry", identity.registryPort(), Duration.ZERO);
            directory.keep(identity);
            brokers = identity.brokers() == 1
                    ? EmbeddedBroker.start(only(identity.place(directory.path(), 1), config))
                    : BrokerProcesses.start(directory.path(), identity, launcher);
            String bootstrap = brokers.bootstrap();
            EmbeddedRegistry registry = new Breakage(brokers.firstEnd())
                    .make(() -> EmbeddedRegistry.start(bootstrap, identity.clusterId(), identity.registryPort()));
            return new EmbeddedCluster(directory, brokers, registry);
        } catch (RuntimeException failed) {
            if (brokers != null) {
                brokers.close();
            }
            directory.close();
            throw failed;
        }
    }

    private static void requireWhole(Path dataDir, DataDirectory.Identity identity) {
        for (int node = 1; node <= identity.brokers(); node++) {
            Path folder = identity.place(dataDir, node).dir();
            Optional<String> missing = new BrokerFolder(folder).missing();
            if (missing.isPresent()) {
                String what = missing.get() + " is missing from " + folder;
                // one that has lost all gets it again from the others
                throw DataDirectory.damaged(
                        dataDir, identity.brokers() == 1 ? what : what + ", which the others fill if it is deleted");
            }
        }
    }

    private static BrokerPlace only(BrokerPlace place, EmbeddedClusterConfig config) {
        return config.advertised().map(place::named).orElse(place);
    }

    /** Where the cluster that a live process runs in this directory is found; it may not serve yet. */
    public static Optional<KafkaSettings> running(Path dataDir) {
        return DataDirectory.pid(dataDir)
                .flatMap(pid -> DataDirectory.read(dataDir))
                .map(identity -> KafkaSettings.of(
                        BrokerPlace.bootstrap(identity.brokerPorts()), "http://127.0.0.1:" + identity.registryPort()));
    }

    /** Brokers in processes of their own outlive a process that was killed by a moment. */
    private static Duration patience(DataDirectory.Identity identity) {
        return identity.brokers() == 1 ? Duration.ZERO : DYING;
    }

    /** How its clients reach it. */
    public KafkaSettings settings() {
        return KafkaSettings.of(brokers.bootstrap(), registry.url());
    }

    /** Where its data lies, absolute and without links. */
    public Path dataDir() {
        return directory.path();
    }

    /** Completes, with the reason in a line, when the cluster can no longer work; never by {@link #close()}. */
    public CompletionStage<String> failure() {
        return failure;
    }

    /**
     * As {@link #failure}, for who waits for the cluster before anybody looks after its brokers: completes also when one of
     * those has ended.
     */
    public Breakage breakage() {
        return new Breakage(failure.applyToEither(brokers.firstEnd(), reason -> reason));
    }

    /** The brokers' processes, by node; none where the only one is in this process. */
    public List<ServerProcess> brokers() {
        return brokers.processes();
    }

    /** Starts brokers again that have ended; gives a line for each. One that is in this process ends with it. */
    public List<String> replaceDeadBrokers() {
        return brokers.replaceDead();
    }

    /** The ports it is told to have, else those it had, else any free ones; the controllers' are never told. */
    private static DataDirectory.Identity identity(DataDirectory directory, EmbeddedClusterConfig config) {
        Optional<DataDirectory.Identity> before = DataDirectory.read(directory.path());
        int count = config.brokers()
                .orElseGet(() -> before.map(DataDirectory.Identity::brokers).orElse(1));
        before.filter(known -> known.brokers() != count).ifPresent(known -> {
            throw new ClusterRefused("data directory " + directory.path() + " is that of a cluster of "
                    + Counted.of(known.brokers(), "broker") + ", not of " + count
                    + ": start it with as many, or choose an empty or a new one");
        });
        Optional<List<Integer>> brokers = told(config.brokerPort())
                .map(first -> IntStream.range(first, first + count).boxed().toList())
                .or(() -> before.map(DataDirectory.Identity::brokerPorts));
        Optional<Integer> registry =
                told(config.registryPort()).or(() -> before.map(DataDirectory.Identity::registryPort));
        // enough that none need be taken that is told
        Deque<Integer> free = new ArrayDeque<>(Ports.free(3 * count + 2));
        brokers.ifPresent(free::removeAll);
        registry.ifPresent(free::remove);
        return new DataDirectory.Identity(
                directory.clusterId(),
                brokers.orElseGet(() -> next(free, count)),
                next(free, count),
                registry.orElseGet(free::pop));
    }

    private static List<Integer> next(Deque<Integer> ports, int count) {
        return IntStream.range(0, count).mapToObj(each -> ports.pop()).toList();
    }

    private static Optional<Integer> told(OptionalInt port) {
        return port.isPresent() ? Optional.of(port.getAsInt()) : Optional.empty();
    }

    /** Ends registry and brokers in order and lets the directory go. */
    @Override
    public void close() {
        try {
            registry.close();
        } finally {
            try {
                brokers.close();
            } finally {
                directory.close();
            }
        }
    }
}
