package io.praline.tests.rig;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.topics.KafkaSettings;
import io.praline.wire.ConsumerToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * The cluster that all flow tests of this JVM share: broker, registry and dispatcher in it, two workers in processes of
 * their own; where an {@linkplain ExternalKafka external Kafka} is told, dispatcher and workers on that. A test that kills a
 * worker starts it again. Data and logs stay in {@code target} for who wants to know more.
 */
public final class Cluster {

    /** The workers that tests find. */
    public static final String FIRST_WORKER = "flow-1";

    public static final String SECOND_WORKER = "flow-2";

    /** Of each worker. */
    static final int SLOTS = 2;

    private static Cluster shared;

    private final Programs programs;
    private final Path secretFile;
    private final Path folder;

    /** What runs. */
    interface Programs extends AutoCloseable {
        KafkaSettings kafka();

        /** Those that were started, also when they have ended. */
        Collection<ChildProcess> workers();

        /** Starts a worker, or starts it again; it is not ready yet. */
        ChildProcess startWorker(String id);

        /** Waits until the dispatcher serves and all workers that run have been heard of. */
        void awaitReady() throws InterruptedException;

        @Override
        void close();
    }

    /** All of it, with a broker and a registry of its own. */
    private record Embedded(LocalCluster local) implements Programs {
        @Override
        public KafkaSettings kafka() {
            return local.kafka();
        }

        @Override
        public Collection<ChildProcess> workers() {
            return local.workers();
        }

        @Override
        public ChildProcess startWorker(String id) {
            return local.startWorker(id);
        }

        @Override
        public void awaitReady() throws InterruptedException {
            local.awaitReady();
        }

        @Override
        public void close() {
            local.close();
        }
    }

    private Cluster(Programs programs, Path secretFile, Path folder) {
        this.programs = programs;
        this.secretFile = secretFile;
        this.folder = folder;
    }

    /** Starts it for the first test that asks; it ends with the JVM. */
    public static synchronized Cluster shared() {
        if (shared == null) {
            try {
                Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "flow-");
                Path secret = folder.resolve("secret");
                ConsumerToken.createSecret(secret);
                Programs programs = start(folder, secret);
                Runtime.getRuntime().addShutdownHook(new Thread(programs::close, "end of the flow tests"));
                programs.startWorker(FIRST_WORKER);
                programs.startWorker(SECOND_WORKER);
                programs.awaitReady();
                shared = new Cluster(programs, secret, folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the cluster started", e);
            }
        }
        return shared;
    }

    private static Programs start(Path folder, Path secret) throws InterruptedException {
        Optional<ExternalKafka> external = ExternalKafka.told();
        if (external.isPresent()) {
            external.get().empty();
            return SeparatePrograms.on(external.get(), secret, folder);
        }
        return new Embedded(LocalCluster.start(new LocalCluster.Settings(folder.resolve("data"), secret, SLOTS)));
    }

    /** Ends it, if it runs: the next test that asks gets another one. */
    static synchronized void end() {
        if (shared != null) {
            shared.programs.close();
            shared = null;
        }
    }

    public KafkaSettings kafka() {
        return programs.kafka();
    }

    /** What clients and workers share. */
    public Path secretFile() {
        return secretFile;
    }

    /** Those that were started, also when they have ended. */
    public Collection<ChildProcess> workers() {
        return programs.workers();
    }

    /** For files of tests; workers see it under the same path. */
    public Path folder() {
        return folder;
    }

    public ClientConfig config() {
        return ClientConfig.of(kafka(), secretFile);
    }

    public PralineClient client() {
        return PralineClient.connect(config());
    }

    /** Starts a worker (again) and returns when it is heard of. */
    public ChildProcess worker(String id) throws InterruptedException {
        ChildProcess worker = programs.startWorker(id);
        programs.awaitReady();
        return worker;
    }
}
