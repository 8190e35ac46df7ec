package io.praline.deploy.cli;

import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerLauncher;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cluster.Connection;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.TemporaryFolder;
import io.praline.deploy.sample.SampleFiles;
import io.praline.deploy.sample.SamplePipelines;
import io.praline.deploy.sample.Trainer;
import io.praline.deploy.sample.TrainingReport;
import io.praline.deploy.sample.WithProgress;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.topics.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All of it once, on this machine. */
@Command(
        name = "demo",
        description = "Make sample images if there are none, bring a cluster up, train a pretend trainer on two epochs"
                + " of them, tell what happened, and take the cluster down.",
        footer = {"", "Example:  praline demo --images 512"})
public final class DemoCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output;

    @Option(names = "--images", paramLabel = "N", description = "How many images (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int images = 2_048;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the images are kept; without it ~/.praline/demo. TFRecords of JPEGs that lie there are"
                    + " taken as they are.")
    private Path dir;

    @Option(
            names = "--step-ms",
            paramLabel = "MS",
            description = "How long the pretended training step on a batch takes (${DEFAULT-VALUE}).")
    @Within(least = 0, most = Integer.MAX_VALUE)
    private long stepMs;

    @Option(names = "--epochs", paramLabel = "N", description = "How often the images are visited (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int epochs = 2;

    @Mixin
    private ScalingOptions scaling;

    @Override
    public Integer call() throws InterruptedException {
        // what cannot be is refused before anything is made or started
        Trainer trainer = Trainer.of(1, Duration.ofMillis(stepMs));
        Pipeline pipeline = SamplePipelines.training(SamplePipelines.Type.float32);
        JobSpec asked = scaling.on(JobSpec.of(pipeline.graph())
                .named("demo")
                .components(pipeline.componentNames())
                .epochs(epochs)
                .seed(1));
        Path folder = SampleFiles.prepare(HomeOption.home(), dir, images);
        output.note("starting broker, registry, dispatcher and a worker...");
        try (TemporaryFolder data = TemporaryFolder.make();
                LocalCluster cluster = LocalCluster.start(
                        new LocalCluster.Settings(data.path(), HomeOption.home().secret(), 2))) {
            cluster.breakage().run(() -> train(cluster, data.path(), trainer, asked, folder));
        }
        return ExitCode.DONE.number();
    }

    private void train(LocalCluster cluster, Path data, Trainer trainer, JobSpec asked, Path images)
            throws InterruptedException {
        cluster.startWorker("worker-1");
        cluster.awaitReady();
        JobSpec spec = asked.data(images.resolve("*.tfrecord").toString());
        ClientConfig config =
                ClientConfig.of(cluster.kafka(), cluster.secretFile()).withTraces(ClientTraces.fromEnvironment());
        Optional<WorkerLauncher> launcher =
                LocalWorkerProcesses.of(cluster.arguments(), config, scaling.maxLocal(), data.resolve("local-workers"));
        try (PralineClient client = Connection.open(config, launcher, Patience.OWN_CLUSTER)) {
            Trainer.Outcome outcome = WithProgress.train(trainer, client, spec, "images", output::note);
            TrainingReport report = new TrainingReport(outcome, "image");
            report.lines().forEach(output::line);
            output.object(report.object());
        }
    }
}
