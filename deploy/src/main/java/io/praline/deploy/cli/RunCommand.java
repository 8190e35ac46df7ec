package io.praline.deploy.cli;

import io.praline.client.CacheMode;
import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerLauncher;
import io.praline.deploy.cli.pipeline.PipelineFile;
import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.Connection;
import io.praline.deploy.cluster.GraphOption;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.cluster.PatienceOption;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.sample.Trainer;
import io.praline.deploy.sample.TrainingReport;
import io.praline.deploy.sample.WithProgress;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.schema.Guarantee;
import io.praline.topics.Agreements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Submits a job and consumes it as a trainer would. */
@Command(
        name = "run",
        description = "Submit a job and consume it as a trainer would, or take a place in one that is there.",
        footer = {
            "",
            "Examples:  praline run --pipeline train.pb --data '/data/train-*.tfrecord' --names image,label --epochs 2",
            "           praline run --attach train-7 --consumer 1"
        })
public final class RunCommand implements Callable<Integer> {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Mixin
    private AttachOptions attach;

    @Mixin
    private StorageOptions storage;

    @Mixin
    private GraphOption graphs;

    @Option(
            names = "--pipeline",
            paramLabel = "FILE",
            description = "A GraphDef as tf.data serialises it (.pb), or named steps (.yaml).")
    private Path pipeline;

    @Option(
            names = "--data",
            paramLabel = "GLOB",
            description =
                    "The files to read, as the workers see them: paths, s3://bucket/key, http addresses; without it those"
                            + " that the pipeline names.")
    private List<String> data = List.of();

    @Option(names = "--names", split = ",", paramLabel = "A,B", description = "Names of an element's components.")
    private List<String> names = List.of();

    @Option(names = "--epochs", paramLabel = "N", description = "How often the data is visited (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int epochs = 1;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description =
                    "Decides the order of the data and every random draw without a seed of its own (${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--consumers",
            paramLabel = "N",
            description = "Training loops that share the job, all in this process (${DEFAULT-VALUE}).")
    @Within(least = 1, most = Agreements.MOST_CONSUMERS)
    private int consumers = 1;

    @Option(
            names = "--consumer-patience",
            paramLabel = "S",
            description = "How many seconds the job waits for a training loop when it has none, before it fails"
                    + " (${DEFAULT-VALUE}).")
    @Within(least = 1)
    private int consumerPatience = 600;

    @Option(
            names = "--step-ms",
            paramLabel = "MS",
            description = "How long the pretended training step on a batch takes (${DEFAULT-VALUE}).")
    @Within(least = 0, most = Integer.MAX_VALUE)
    private long stepMs;

    @Option(
            names = "--skip-bad",
            paramLabel = "N",
            description = "How many records that cannot be processed are tolerated (${DEFAULT-VALUE}).")
    @Within(least = 0)
    private int skipBad;

    @Option(
            names = "--job",
            paramLabel = "ID",
            description =
                    "The job's id; without it one is made. One that is there is gone on with, if all else is as it was"
                            + " submitted.")
    private String job;

    @Option(
            names = "--guarantee",
            paramLabel = "G",
            converter = GuaranteeName.class,
            description = "exactly-once or at-least-once: a pipeline that cannot keep it is refused. Without it the job"
                    + " runs with what it can keep, and says so.")
    private Guarantee guarantee;

    @Option(
            names = "--order",
            paramLabel = "MODE",
            description = "How equal results must be where steps run in another order because that costs less: exact"
                    + " (bit for bit; usual), tolerant (up to rounding), pecan (the published order, whatever becomes"
                    + " of results), off (as written).")
    private Order order;

    @Option(
            names = "--cache",
            paramLabel = "MODE",
            description =
                    "Which elements are kept and read again, in later epochs and by other jobs with the same steps on"
                            + " the same data: auto (what pays, by measurement; usual), off, source (records as they are read),"
                            + " prefix (what comes out of a transformation), full (as much as can be kept).")
    private Cache cache = Cache.auto;

    @Option(names = "--tenant", paramLabel = "T", description = "Whose job it is (${DEFAULT-VALUE}).")
    private String tenant = Agreements.USUAL_TENANT;

    @Option(
            names = "--tenant-cap",
            paramLabel = "AMOUNT",
            description =
                    "The most that all jobs of the tenant may spend together, those that have ended included, from"
                            + " now on and until another job says otherwise; Infinity: as much as they like.")
    @Within(least = 0, more = true, endless = true)
    private Double tenantCap;

    @Option(names = "--pool", paramLabel = "POOL", description = "The pool it runs in (${DEFAULT-VALUE}).")
    private String pool = Agreements.USUAL_POOL;

    @Option(
            names = "--max-batch-bytes",
            paramLabel = "BYTES",
            description = "The largest batch that can be taken; a larger one fails the job.")
    @Within(least = 1)
    private long maxBatchBytes;

    @Mixin
    private PatienceOption patience;

    @Mixin
    private ScalingOptions scaling;

    @Mixin
    private PathOption path;

    @Override
    public Integer call() throws InterruptedException {
        Optional<AttachOptions.Place> place = attach.place();
        if (place.isPresent()) {
            return take(place.get());
        }
        if (pipeline == null) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "what shall run? say --pipeline FILE, or --attach JOB to take a place in a job that is there");
        }
        return submit();
    }

    private Integer take(AttachOptions.Place place) throws InterruptedException {
        ClientConfig config = client().withPath(path.path()).withPatience(patience.most());
        try (PralineClient client = Connection.open(config)) {
            Trainer trainer = Trainer.of(1, Duration.ofMillis(stepMs));
            return report(
                    WithProgress.attend(trainer, client, place.job(), place.consumer(), place.replace(), output::note));
        }
    }

    private ClientConfig client() {
        return ClientConfig.of(cluster.kafka(), cluster.secret()).withTraces(ClientTraces.fromEnvironment());
    }

    private Integer submit() throws InterruptedException {
        if (data.contains("")) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "--data is empty; leave it out to read the files that the pipeline names");
        }
        PipelineFile file = PipelineFile.read(pipeline);
        JobSpec spec = JobSpec.of(file.graph())
                .named(file.name())
                .components(names.isEmpty() ? file.names() : names)
                .data(data.toArray(String[]::new))
                .epochs(epochs)
                .seed(seed)
                .consumerPatience(Duration.ofSeconds(consumerPatience))
                .skipBad(skipBad)
                .batchLimitBytes(maxBatchBytes)
                .tenant(tenant);
        spec = scaling.on(spec);
        if (tenantCap != null) {
            spec = spec.tenantCap(tenantCap);
        }
        if (guarantee != null) {
            spec = spec.guarantee(guarantee, true);
        }
        if (order != null) {
            spec = spec.order(JobSpec.Order.valueOf(order.name().toUpperCase(Locale.ROOT)));
        }
        spec = spec.cache(CacheMode.valueOf(cache.name().toUpperCase(Locale.ROOT)));
        if (job != null) {
            spec = spec.id(job);
        }
        ClientConfig config = graphs.on(client(), cluster)
                .withPool(pool)
                .withPath(path.path())
                .withPatience(patience.most());
        Path workers = HomeOption.home().folder().resolve("local-workers");
        Optional<WorkerLauncher> launcher = LocalWorkerProcesses.of(connection(), config, scaling.maxLocal(), workers);
        try (PralineClient client = Connection.open(config, launcher)) {
            Trainer trainer = Trainer.of(consumers, Duration.ofMillis(stepMs));
            return report(WithProgress.train(trainer, client, spec, "elements", output::note));
        }
    }

    /** Of this command's own workers. */
    private List<String> connection() {
        List<String> connection = new ArrayList<>(cluster.arguments());
        connection.addAll(StorageOptions.arguments(storage.settings()));
        return connection;
    }

    private Integer report(Trainer.Outcome outcome) {
        TrainingReport report = new TrainingReport(outcome, "element");
        report.lines().forEach(output::line);
        output.object(report.object());
        return ExitCode.DONE.number();
    }

    /** What is promised, in words with a dash or an underscore between them. */
    static final class GuaranteeName implements ITypeConverter<Guarantee> {

        @Override
        public Guarantee convert(String text) {
            return switch (text.toLowerCase(Locale.ROOT).replace('_', '-')) {
                case "exactly-once" -> Guarantee.EXACTLY_ONCE;
                case "at-least-once" -> Guarantee.AT_LEAST_ONCE;
                default ->
                    throw new TypeConversionException("expected exactly-once or at-least-once but was '" + text + "'");
            };
        }
    }

    /** As the user says it. */
    enum Order {
        exact,
        tolerant,
        pecan,
        off
    }

    /** As the user says it. */
    enum Cache {
        auto,
        off,
        source,
        prefix,
        full
    }

    /** Which way the batches come. */
    static final class PathOption {

        @Option(
                names = "--path",
                paramLabel = "PATH",
                description = "tcp, uds or shm (shared memory); without it shm for a worker on this host, else tcp.")
        private Way way = Way.auto;

        /** As the user says it. */
        enum Way {
            auto,
            tcp,
            uds,
            shm
        }

        ChannelPath path() {
            return switch (way) {
                case auto -> ChannelPath.AUTO;
                case tcp -> ChannelPath.TCP;
                case uds -> ChannelPath.UNIX;
                case shm -> ChannelPath.SHARED;
            };
        }
    }
}
