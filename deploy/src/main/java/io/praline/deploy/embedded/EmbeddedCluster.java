package io.praline.deploy.embedded;

import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Broker and registry in this process, their data under one directory. What was acknowledged is there after a restart,
 * also when the process was killed. Only the loopback address is listened on: there is no authentication.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private final DataDirectory directory;
    private final EmbeddedBroker broker;
    private final EmbeddedRegistry registry;
    private final CompletableFuture<String> failure = new CompletableFuture<>();

    private EmbeddedCluster(DataDirectory directory, EmbeddedBroker broker, EmbeddedRegistry registry) {
        this.directory = directory;
        this.broker = broker;
        this.registry = registry;
        broker.failure().thenAccept(failure::complete);
        registry.failure().thenAccept(failure::complete);
    }

    /**
     * Starts the cluster and returns when both serve.
     *
     * @throws ClusterRefused if the directory is held by another process or holds something else, or a port is in use
     */
    public static EmbeddedCluster start(EmbeddedClusterConfig config) {
        DataDirectory directory = DataDirectory.hold(config.dataDir());
        EmbeddedBroker broker = null;
        try {
            DataDirectory.Identity identity = identity(directory, config);
            Ports.requireFree("Kafka", identity.brokerPort());
            Ports.requireFree("registry", identity.registryPort());
            directory.keep(identity);
            broker = EmbeddedBroker.start(
                    directory.kafka(), identity.clusterId(), identity.brokerPort(), identity.controllerPort());
            EmbeddedRegistry registry =
                    EmbeddedRegistry.start(broker.bootstrap(), identity.clusterId(), identity.registryPort());
            return new EmbeddedCluster(directory, broker, registry);
        } catch (RuntimeException failed) {
            if (broker != null) {
                broker.close();
            }
            directory.close();
            throw failed;
        }
    }

    /** Where the cluster that a live process runs in this directory is found; it may not serve yet. */
    public static Optional<KafkaSettings> running(Path dataDir) {
        return DataDirectory.pid(dataDir)
                .flatMap(pid -> DataDirectory.read(dataDir))
                .map(identity -> KafkaSettings.of(
                        "127.0.0.1:" + identity.brokerPort(), "http://127.0.0.1:" + identity.registryPort()));
    }

    /** How its clients reach it. */
    public KafkaSettings settings() {
        return KafkaSettings.of(broker.bootstrap(), registry.url());
    }

    /** Where its data lies, absolute and without links. */
    public Path dataDir() {
        return directory.path();
    }

    /** Completes, with the reason in a line, when the cluster can no longer work; never by {@link #close()}. */
    public CompletionStage<String> failure() {
        return failure;
    }

    /** The ports it is told to have, else those it had, else any free ones; the controller's is never told. */
    private static DataDirectory.Identity identity(DataDirectory directory, EmbeddedClusterConfig config) {
        Optional<DataDirectory.Identity> before = DataDirectory.read(directory.path());
        Optional<Integer> broker = told(config.brokerPort()).or(() -> before.map(DataDirectory.Identity::brokerPort));
        Optional<Integer> registry =
                told(config.registryPort()).or(() -> before.map(DataDirectory.Identity::registryPort));
        Deque<Integer> free = new ArrayDeque<>(Ports.free(5));
        broker.ifPresent(free::remove);
        registry.ifPresent(free::remove);
        return new DataDirectory.Identity(
                directory.clusterId(), broker.orElseGet(free::pop), free.pop(), registry.orElseGet(free::pop));
    }

    private static Optional<Integer> told(OptionalInt port) {
        return port.isPresent() ? Optional.of(port.getAsInt()) : Optional.empty();
    }

    /** Ends registry and broker in order and lets the directory go. */
    @Override
    public void close() {
        try {
            registry.close();
        } finally {
            try {
                broker.close();
            } finally {
                directory.close();
            }
        }
    }
}
