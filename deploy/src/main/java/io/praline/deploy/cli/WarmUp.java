package io.praline.deploy.cli;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Loads the classes that commands use, so that the JVM can write them to an archive that later starts share: a cluster
 * without a worker comes up and goes. If it fails there is no archive, and starts take a little longer.
 */
public final class WarmUp {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private WarmUp() {}

    /** Runs once after a build. */
    public static void main(String[] args) throws InterruptedException {
        Thread watch = new Thread(WarmUp::endInTime, "patience");
        watch.setDaemon(true);
        watch.start();
        Path data = DemoCommand.temporary();
        try {
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
                PralineClient.connect(ClientConfig.of(cluster.kafka(), cluster.secretFile()))
                        .close();
                SamplePipelines.training(SamplePipelines.Type.float32).graph();
            }
            Praline.run(nowhere, nowhere, "--help");
        } finally {
            DemoCommand.delete(data);
        }
        System.exit(0);
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
