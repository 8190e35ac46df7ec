package io.praline.deploy.cli;

import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.deploy.cluster.Connection;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.TemporaryFolder;
import io.praline.deploy.sample.SampleFiles;
import io.praline.deploy.sample.SamplePipelines;
import io.praline.deploy.sample.Trainer;
import io.praline.deploy.sample.TrainingReport;
import io.praline.deploy.terminal.ExitCode;
import io.praline.topics.Agreements;
import io.praline.topics.Patience;
import io.praline.worker.Worker;
import io.praline.worker.WorkerConfig;
import io.praline.worker.attempt.Watchdog;
import io.praline.worker.storage.StorageSettings;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Loads the classes that commands use, so that the JVM can write them to an archive that later starts share: a cluster
 * comes up, a worker in this process runs two small jobs, and all goes. What a program does for the first time, such as
 * its first batch and the end of its stream, costs milliseconds less then. If it fails there is no archive, and starts
 * take a little longer.
 */
public final class WarmUp {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int IMAGES = 32;

    private WarmUp() {}

    /** Runs once after a build. */
    public static void main(String[] args) throws InterruptedException {
        Thread watch = new Thread(WarmUp::endInTime, "patience");
        watch.setDaemon(true);
        watch.start();
        try (TemporaryFolder folder = TemporaryFolder.make()) {
            Path data = folder.path();
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            Home home = new Home(data.resolve("home"));
            LocalCluster.Settings settings = new LocalCluster.Settings(data.resolve("data"), home.secret(), 1);
            try (LocalCluster cluster = LocalCluster.start(settings)) {
                cluster.awaitReady();
                String[] where = {
                    "--bootstrap",
                    cluster.kafka().bootstrap(),
                    "--registry",
                    cluster.kafka().registryUrl()
                };
                Praline.run(nowhere, nowhere, with(where, "topics", "list", "--json"));
                Praline.run(nowhere, nowhere, with(where, "jobs"));
                Praline.run(nowhere, nowhere, with(where, "workers"));
                Path images = SampleFiles.prepare(home, null, IMAGES);
                Worker worker = worker(cluster, data);
                try {
                    train(cluster, ChannelPath.TCP, images);
                    train(cluster, ChannelPath.SHARED, images);
                } finally {
                    worker.close();
                }
            }
            Praline.run(nowhere, nowhere, "--help");
        }
        System.exit(0);
    }

    private static Worker worker(LocalCluster cluster, Path data) {
        return Worker.start(new WorkerConfig(
                cluster.kafka(),
                "worker-1",
                Agreements.USUAL_POOL,
                1,
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory(),
                "127.0.0.1",
                0,
                Optional.of(LocalCluster.socket(data, "worker-1")),
                cluster.secretFile(),
                "127.0.0.1",
                0,
                Optional.empty(),
                Watchdog.PATIENCE,
                StorageSettings.usual(),
                Optional.empty()));
    }

    private static void train(LocalCluster cluster, ChannelPath path, Path images) throws InterruptedException {
        ClientConfig config =
                ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPath(path);
        JobSpec job = JobSpec.of(SamplePipelines.training(SamplePipelines.Type.float32))
                .data(images.resolve("*.tfrecord").toString())
                .epochs(2);
        try (PralineClient client = Connection.open(config, Optional.empty(), Patience.OWN_CLUSTER)) {
            new TrainingReport(Trainer.of(1, Duration.ZERO).train(client, job, moment -> {}), "image").lines();
        }
    }

    private static String[] with(String[] where, String... command) {
        String[] all = new String[command.length + where.length];
        System.arraycopy(command, 0, all, 0, command.length);
        System.arraycopy(where, 0, all, command.length, where.length);
        return all;
    }

    private static void endInTime() {
        try {
            TimeUnit.SECONDS.sleep(PATIENCE.toSeconds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.BROKEN.number());
    }
}
