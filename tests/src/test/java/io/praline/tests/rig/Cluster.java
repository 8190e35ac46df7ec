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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cluster that all flow tests of this JVM share: broker, registry and dispatcher in it, two workers in processes of
 * their own; where an {@linkplain ExternalKafka external Kafka} is told, dispatcher and workers on that. A test that kills a
 * worker starts it again. Workers work in a folder that has the files of the recorded pipelines as {@code data}, where
 * those look for them. Data and logs stay in {@code target} for who wants to know more.
 */
public final class Cluster {

    /** The workers that tests find. */
    public static final String FIRST_WORKER = "flow-1";

    public static final String SECOND_WORKER = "flow-2";

    /** Of each worker; more where {@code praline.tests.slots} says so. */
    static final int SLOTS = Integer.getInteger("praline.tests.slots", 2);

    private static final long CACHE_BYTES = 1L << 30;

    private static final Path DATA = Path.of("..", "worker", "src", "test", "resources", "pipelines", "data")
            .toAbsolutePath()
            .normalize();

    private static Cluster shared;

    private final Programs programs;
    private final Path secretFile;
    private final Path folder;
    private final Map<String, ChildProcess> running = new ConcurrentHashMap<>();

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
                Path work = Files.createDirectory(folder.resolve("work"));
                Files.createSymbolicLink(work.resolve("data"), DATA);
                Programs programs = start(folder, secret, work);
                Runtime.getRuntime().addShutdownHook(new Thread(programs::close, "end of the flow tests"));
                Cluster started = new Cluster(programs, secret, folder);
                started.start(FIRST_WORKER);
                started.start(SECOND_WORKER);
                programs.awaitReady();
                shared = started;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the cluster started", e);
            }
        }
        return shared;
    }

    private static Programs start(Path folder, Path secret, Path work) throws InterruptedException {
        Optional<ExternalKafka> external = ExternalKafka.told();
        if (external.isPresent()) {
            external.get().empty();
            return SeparatePrograms.on(external.get(), secret, folder, work);
        }
        return new Embedded(LocalCluster.start(new LocalCluster.Settings(
                folder.resolve("data"),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                secret,
                SLOTS,
                Optional.of(work),
                stores(folder),
                Optional.empty())));
    }

    /** What its workers are told of where they put what they fetch and keep. */
    static List<String> stores(Path folder) {
        return List.of(
                "--stage-dir",
                folder.resolve("staged").toString(),
                "--cache-dir",
                cache(folder).toString(),
                "--cache-shared",
                "true",
                "--cache-bytes",
                Long.toString(CACHE_BYTES));
    }

    private static Path cache(Path folder) {
        return folder.resolve("cache");
    }

    /** Where its workers keep entries. */
    public Path cacheFolder() {
        return cache(folder);
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
        ChildProcess worker = start(id);
        programs.awaitReady();
        return worker;
    }

    private ChildProcess start(String id) {
        ChildProcess worker = programs.startWorker(id);
        running.put(id, worker);
        return worker;
    }

    /** The process of a worker that was started, which may have ended. */
    public ChildProcess process(String worker) {
        return Optional.ofNullable(running.get(worker))
                .orElseThrow(() -> new IllegalArgumentException("no worker " + worker + " was started"));
    }
}
