package io.praline.tests.rig;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.wire.ConsumerToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The cluster that all flow tests of this JVM share: broker, registry and dispatcher in it, two workers in processes of
 * their own. A test that kills a worker starts it again. Data and logs stay in {@code target} for who wants to know more.
 */
public final class Cluster {

    /** The workers that tests find. */
    public static final String FIRST_WORKER = "flow-1";

    public static final String SECOND_WORKER = "flow-2";

    private static Cluster shared;

    private final LocalCluster local;
    private final Path folder;

    private Cluster(LocalCluster local, Path folder) {
        this.local = local;
        this.folder = folder;
    }

    /** Starts it for the first test that asks; it ends with the JVM. */
    public static synchronized Cluster shared() {
        if (shared == null) {
            try {
                Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "flow-");
                Path secret = folder.resolve("secret");
                ConsumerToken.createSecret(secret);
                LocalCluster local = LocalCluster.start(new LocalCluster.Settings(folder.resolve("data"), secret, 2));
                Runtime.getRuntime().addShutdownHook(new Thread(local::close, "end of the flow tests"));
                local.startWorker(FIRST_WORKER);
                local.startWorker(SECOND_WORKER);
                local.awaitReady();
                shared = new Cluster(local, folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the cluster started", e);
            }
        }
        return shared;
    }

    public LocalCluster local() {
        return local;
    }

    /** For files of tests; workers see it under the same path. */
    public Path folder() {
        return folder;
    }

    public ClientConfig config() {
        return ClientConfig.of(local.kafka(), local.secretFile());
    }

    public PralineClient client() {
        return PralineClient.connect(config());
    }

    /** Starts a worker (again) and returns when it is heard of. */
    public ChildProcess worker(String id) throws InterruptedException {
        ChildProcess worker = local.startWorker(id);
        local.awaitReady();
        return worker;
    }
}
