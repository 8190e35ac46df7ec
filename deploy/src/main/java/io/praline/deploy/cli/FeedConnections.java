package io.praline.deploy.cli;

import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerLauncher;
import io.praline.deploy.breakage.Breakage;
import io.praline.deploy.cli.pipeline.PipelineFile;
import io.praline.deploy.cluster.Connection;
import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.feed.Connections;
import io.praline.deploy.feed.FeedCluster;
import io.praline.deploy.feed.FeedSpec;
import io.praline.deploy.feed.WorkersMissing;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.TemporaryFolder;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Patience;
import io.praline.wire.trace.BatchTraces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The cluster of a feed: the one that Python names, else the one that {@code praline up} started, else one of its own on this
 * machine, which all feeds share that name none, and which goes with this process.
 */
final class FeedConnections implements Connections {
    private static final int SLOTS = 2;

    /** The jars of Python's package are a client's: workers and TensorFlow come with its extra. */
    private static final boolean HAS_WORKERS =
            FeedConnections.class.getResource("/io/praline/worker/WorkerMain.class") != null;

    /** With a cluster of others: it may be slow, and its address may as well be wrong, which nobody wants to hear a minute later. */
    private static final Patience OF_OTHERS =
            new Patience(Optional.of(Duration.ofSeconds(10)), Patience.OWN_CLUSTER.pause());

    // one for all feeds: it has a thread that sends what they tell
    private final Optional<BatchTraces> traces = ClientTraces.fromEnvironment();

    private Optional<Own> own = Optional.empty();

    /** A cluster for the time of the program. */
    private record Own(TemporaryFolder folder, LocalCluster cluster) {}

    /** Where a cluster is. */
    private record Reached(
            KafkaSettings kafka,
            Path secret,
            Optional<Path> config,
            Optional<String> page,
            Optional<Path> graphs,
            Patience patience,
            Breakage breakage) {

        List<String> arguments() {
            List<String> words = new ArrayList<>(List.of(
                    "--bootstrap",
                    kafka.bootstrap(),
                    "--registry",
                    kafka.registryUrl(),
                    "--secret-file",
                    secret.toString()));
            config.ifPresent(file -> words.addAll(List.of("--kafka-config", file.toString())));
            return words;
        }
    }

    @Override
    public FeedCluster open(FeedSpec feed, Consumer<String> waitsFor) throws InterruptedException {
        if (feed.maxLocal() > 0) {
            requireWorkers("max_local=" + feed.maxLocal());
        }
        Home home = HomeOption.home();
        Reached reached = reach(feed, home);
        waitsFor.accept("Kafka at " + reached.kafka().bootstrap() + " and its schema registry");
        ClientConfig reaching = ClientConfig.of(reached.kafka(), reached.secret())
                .withPool(feed.pool())
                .withTraces(traces);
        ClientConfig config =
                feed.graphs().or(reached::graphs).map(reaching::withSharedDir).orElse(reaching);
        Optional<WorkerLauncher> launcher = LocalWorkerProcesses.of(
                reached.arguments(), config, feed.maxLocal(), home.folder().resolve("local-workers"));
        PralineClient client = reached.breakage().make(() -> reached.patience()
                .with(() -> Connection.open(config, launcher, Patience.NONE), saidByOpening -> {}));
        return new FeedCluster(client, reached.kafka(), reached.page(), reached.breakage());
    }

    @Override
    public JobSpec read(Path file) {
        requireWorkers("a pipeline in named steps");
        PipelineFile pipeline = PipelineFile.read(file);
        return JobSpec.of(pipeline.graph()).named(pipeline.name()).components(pipeline.names());
    }

    @Override
    public JobSpec steps(String text) {
        requireWorkers("a pipeline in named steps");
        PipelineFile pipeline = PipelineFile.ofSteps(text);
        return JobSpec.of(pipeline.graph()).components(pipeline.names());
    }

    private Reached reach(FeedSpec feed, Home home) throws InterruptedException {
        Optional<Endpoints> up = Endpoints.ofRunning(home.endpoints());
        if (feed.cluster().isPresent()) {
            FeedSpec.Place named = feed.cluster().get();
            Optional<Endpoints> same = up.filter(known -> known.bootstrap().equals(named.bootstrap()));
            return new Reached(
                    KafkaSettings.load(named.bootstrap(), named.registry(), named.config()),
                    named.secret().orElseGet(home::secret),
                    named.config(),
                    named.page().or(() -> same.flatMap(Endpoints::page)),
                    same.map(Endpoints::graphs),
                    OF_OTHERS,
                    Breakage.NEVER);
        }
        if (up.isPresent()) {
            return new Reached(
                    KafkaSettings.load(up.get().bootstrap(), up.get().registry(), Optional.empty()),
                    up.get().secretFile(),
                    Optional.empty(),
                    up.get().page(),
                    Optional.of(up.get().graphs()),
                    OF_OTHERS,
                    Breakage.NEVER);
        }
        feed.requireNoOthers(Optional.ofNullable(System.getenv("WORLD_SIZE")));
        LocalCluster cluster = own(home).cluster();
        return new Reached(
                cluster.kafka(),
                cluster.secretFile(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(cluster.endpoints().graphs()),
                Patience.OWN_CLUSTER,
                cluster.breakage());
    }

    private synchronized Own own(Home home) throws InterruptedException {
        if (own.isEmpty()) {
            requireWorkers("no cluster is named or up, and one for the time of this program");
            System.err.println(
                    "praline: no cluster is named or up, so one starts on this machine for the time of this program");
            own = Optional.of(start(home));
        }
        return own.get();
    }

    private static void requireWorkers(String what) {
        if (!HAS_WORKERS) {
            throw new WorkersMissing(what);
        }
    }

    private static Own start(Home home) throws InterruptedException {
        TemporaryFolder folder = TemporaryFolder.make();
        try {
            LocalCluster cluster = LocalCluster.start(new LocalCluster.Settings(folder.path(), home.secret(), SLOTS));
            try {
                cluster.startWorker("worker-1");
                cluster.awaitReady();
                return new Own(folder, cluster);
            } catch (RuntimeException | InterruptedException failed) {
                cluster.close();
                throw failed;
            }
        } catch (RuntimeException | InterruptedException failed) {
            folder.close();
            throw failed;
        }
    }

    @Override
    public synchronized void close() {
        own.ifPresent(started -> {
            started.cluster().close();
            started.folder().close();
        });
        own = Optional.empty();
    }
}
