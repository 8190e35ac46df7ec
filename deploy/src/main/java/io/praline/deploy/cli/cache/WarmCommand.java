package io.praline.deploy.cli.cache;

import io.praline.client.CacheMode;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.deploy.cli.pipeline.PipelineFile;
import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.Connection;
import io.praline.deploy.cluster.GraphOption;
import io.praline.deploy.cluster.PatienceOption;
import io.praline.deploy.sample.Trainer;
import io.praline.deploy.sample.TrainingReport;
import io.praline.deploy.sample.WithProgress;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.topics.Agreements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes entries ahead of the trainers. */
@Command(
        name = "warm",
        description = "Read all data once and keep as much of its elements as can be kept, for the jobs to come.",
        footer = {"", "Example:  praline cache warm --pipeline train.pb --data '/data/train-*.tfrecord'"})
final class WarmCommand implements Callable<Integer> {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private GraphOption graphs;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--pipeline",
            required = true,
            paramLabel = "FILE",
            description = "The pipeline of the jobs to come: a GraphDef (.pb), or named steps (.yaml).")
    private Path pipeline;

    @Option(
            names = "--data",
            paramLabel = "GLOB",
            description = "The files to read, as the workers see them; without it those that the pipeline names.")
    private List<String> data = List.of();

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "That of the jobs to come; it matters to what the pipeline's own cache() keeps"
                    + " (${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--tenant", paramLabel = "T", description = "Whose jobs these are (${DEFAULT-VALUE}).")
    private String tenant = Agreements.USUAL_TENANT;

    @Option(names = "--pool", paramLabel = "POOL", description = "The pool they run in (${DEFAULT-VALUE}).")
    private String pool = Agreements.USUAL_POOL;

    @Mixin
    private PatienceOption patience;

    @Override
    public Integer call() throws InterruptedException {
        PipelineFile file = PipelineFile.read(pipeline);
        JobSpec spec = JobSpec.of(file.graph())
                .named(file.name())
                .components(file.names())
                .data(data.toArray(String[]::new))
                .seed(seed)
                .tenant(tenant)
                .cache(CacheMode.FULL);
        ClientConfig config = graphs.on(ClientConfig.of(cluster.kafka(), cluster.secret()), cluster)
                .withPool(pool)
                .withPatience(patience.most());
        try (PralineClient client = Connection.open(config)) {
            TrainingReport report = new TrainingReport(
                    WithProgress.train(Trainer.of(1, Duration.ZERO), client, spec, "elements", output::note),
                    "element");
            report.lines().forEach(output::line);
            String why = report.outcome().result().cache().why();
            output.line("what is kept: " + (why.isEmpty() ? "nothing is known of it yet" : Failures.oneLine(why)));
            output.line("'praline cache list' shows it within some seconds");
            output.object(report.object());
        }
        return ExitCode.DONE.number();
    }
}
