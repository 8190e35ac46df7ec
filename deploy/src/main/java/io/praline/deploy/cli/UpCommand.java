package io.praline.deploy.cli;

import io.praline.deploy.actuator.ActuatorTopics;
import io.praline.deploy.actuator.LocalPool;
import io.praline.deploy.actuator.ScalingActuator;
import io.praline.deploy.cluster.CacheOptions;
import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.OldGraphs;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OptionLimits;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.policy.Counted;
import io.praline.topics.Agreements;
import io.praline.topics.Patience;
import io.praline.worker.CacheSettings;
import io.praline.worker.storage.StorageSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A whole cluster on this machine, until Ctrl-C. */
@Command(
        name = "up",
        description =
                "Start a whole cluster on this machine: broker, registry, dispatcher, workers. Other commands find"
                        + " it by themselves. It keeps its data; Ctrl-C ends it.",
        footer = {
            "",
            "Examples:  praline up --workers 2",
            "           praline up --min-workers 1 --max-workers 4",
            "           praline up --brokers 3"
        })
public final class UpCommand implements Callable<Integer> {

    private static final Duration WATCH = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(200);

    private static final String LOOPBACK = "127.0.0.1";

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker processes, as many all the time; without it 1.")
    @Within(least = 0, most = Agreements.MOST_LOCAL_WORKERS)
    private Integer workers;

    @Option(
            names = "--min-workers",
            paramLabel = "A",
            description =
                    "Instead of --workers: start and stop workers by the dispatcher's target, but keep these at least"
                            + " (0 where only --max-workers is given).")
    @Within(least = 0, most = Agreements.MOST_LOCAL_WORKERS)
    private Integer minWorkers;

    @Option(
            names = "--max-workers",
            paramLabel = "B",
            description = "Likewise: never more than these (as many as cores where only --min-workers is given).")
    @Within(least = 1, most = Agreements.MOST_LOCAL_WORKERS)
    private Integer maxWorkers;

    @Option(names = "--slots", paramLabel = "N", description = "Tasks a worker runs at a time (${DEFAULT-VALUE}).")
    @Within(least = 1, most = Agreements.MOST_SLOTS)
    private int slots = 2;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Where all is kept; without it ~/.praline/data.")
    private Path dataDir;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description =
                    "Kafka's brokers: 1, or 3, 5, ... in processes of their own, of which one may be lost; without it"
                            + " as many as there were, else 1.")
    @Within(least = 1, most = 9)
    private Integer brokers;

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Kafka's port, of several brokers the first one's (the others have the next ones); without it"
                    + " those they had, else any.")
    @Within(least = 1, most = OptionLimits.MOST_PORT)
    private Integer port;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "Partitions of the dispatcher's inputs, over which pools are spread; chosen when there is no data"
                            + " yet, and kept (4).")
    @Within(least = 1, most = Agreements.MOST_PARTITIONS)
    private Integer partitions;

    @Option(names = "--registry-port", paramLabel = "P", description = "The registry's port, likewise.")
    @Within(least = 1, most = OptionLimits.MOST_PORT)
    private Integer registryPort;

    @Option(
            names = "--http-port",
            paramLabel = "P",
            description = "Where the dispatcher answers /metrics and /ready; the worker of number N does at P + N."
                    + " Without it workers do at any ports, which their logs name.")
    @Within(least = 1, most = OptionLimits.MOST_PORT)
    private Integer httpPort;

    @Option(
            names = "--http-host",
            paramLabel = "ADDRESS",
            description = "On which address, with --http-port (${DEFAULT-VALUE}); 0.0.0.0 for all interfaces.")
    private String httpHost = LOOPBACK;

    @Mixin
    private StorageOptions storage;

    @Mixin
    private CacheOptions cache;

    @Override
    public Integer call() {
        Optional<ScalingActuator.Bounds> bounds = bounds();
        int first = bounds.map(ScalingActuator.Bounds::least).orElse(workers == null ? 1 : workers);
        int most = bounds.map(ScalingActuator.Bounds::most).orElse(first);
        if (httpPort != null && httpPort > OptionLimits.MOST_PORT - most) {
            throw new IllegalArgumentException("--http-port " + httpPort + " leaves no port behind it for each of "
                    + Counted.of(most, "worker") + "; it must be at most " + (OptionLimits.MOST_PORT - most));
        }
        Home home = HomeOption.home();
        Path data = dataDir == null ? home.data() : dataDir.toAbsolutePath();
        Optional<CacheSettings> entries = cache.settings(data.resolve("cache"), true, data.resolve("near"));
        LocalCluster.Settings settings = new LocalCluster.Settings(
                data,
                optional(brokers),
                optional(port),
                optional(registryPort),
                optional(partitions),
                home.secret(),
                slots,
                Optional.empty(),
                workerOptions(storage.settings(data.resolve("staged")), entries),
                metrics());
        try (LocalCluster cluster = LocalCluster.start(settings)) {
            cluster.mended().forEach(output::note);
            Endpoints endpoints = cluster.endpoints();
            OldGraphs.delete(endpoints.graphs(), Instant.now());
            Endpoints.toReplace(home.endpoints())
                    .ifPresent(
                            other -> output.note("commands talk to this cluster while it is up, and not to the one at "
                                    + other.bootstrap() + " (pid " + other.pid() + ")"));
            endpoints.write(home.endpoints());
            try {
                cluster.breakage().run(() -> serve(cluster, first, bounds, entries));
            } finally {
                endpoints.erase(home.endpoints());
            }
        } catch (InterruptedException ended) {
            output.note("praline is down");
            return ExitCode.INTERRUPTED.number();
        }
        return ExitCode.DONE.number();
    }

    /** Until Ctrl-C interrupts this thread. */
    private void serve(
            LocalCluster cluster, int first, Optional<ScalingActuator.Bounds> bounds, Optional<CacheSettings> entries)
            throws InterruptedException {
        if (bounds.isPresent()) {
            scale(cluster, bounds.get(), entries);
            return;
        }
        for (int worker = 1; worker <= first; worker++) {
            cluster.startWorker("worker-" + worker);
        }
        cluster.awaitReady();
        try (PageOfACluster page = PageOfACluster.open(cluster.kafka(), output)) {
            Endpoints told = tell(cluster.endpoints(), first, Integer.toString(first), entries, page);
            watch(WATCH, () -> {
                told.keep(HomeOption.home().endpoints());
                cluster.replaceDeadBrokers().forEach(output::note);
                cluster.replaceDeadWorkers().forEach(output::note);
            });
        }
    }

    private Optional<LocalCluster.Metrics> metrics() {
        if (httpPort == null && !httpHost.equals(LOOPBACK)) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "--http-host needs --http-port: who reads /metrics must know where they are");
        }
        return Optional.ofNullable(httpPort).map(port -> new LocalCluster.Metrics(httpHost, port));
    }

    private static List<String> workerOptions(StorageSettings storage, Optional<CacheSettings> entries) {
        return Stream.concat(StorageOptions.arguments(storage).stream(), CacheOptions.arguments(entries).stream())
                .toList();
    }

    private static OptionalInt optional(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private Optional<ScalingActuator.Bounds> bounds() {
        if (minWorkers == null && maxWorkers == null) {
            return Optional.empty();
        }
        if (workers != null) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--workers fixes how many there are; leave it out with --min-workers, --max-workers");
        }
        int least = minWorkers == null ? 0 : minWorkers;
        int cores = Runtime.getRuntime().availableProcessors();
        return Optional.of(new ScalingActuator.Bounds(least, maxWorkers == null ? Math.max(least, cores) : maxWorkers));
    }

    private void scale(LocalCluster cluster, ScalingActuator.Bounds bounds, Optional<CacheSettings> entries)
            throws InterruptedException {
        LocalPool pool = new LocalPool(bounds.most(), cluster::launch, System::nanoTime);
        try (ActuatorTopics topics =
                Patience.OWN_CLUSTER.with(() -> new ActuatorTopics(cluster.kafka(), Agreements.USUAL_POOL))) {
            ScalingActuator actuator = topics.actuator(pool, bounds);
            actuator.step(Duration.ZERO);
            cluster.awaitReady();
            String inWords = bounds.least() + " to " + bounds.most() + " as they are wanted";
            try (PageOfACluster page = PageOfACluster.open(cluster.kafka(), output)) {
                Endpoints told = tell(cluster.endpoints(), bounds.least(), inWords, entries, page);
                watch(LOOK, () -> {
                    told.keep(HomeOption.home().endpoints());
                    cluster.replaceDeadBrokers().forEach(output::note);
                    actuator.step(Duration.ZERO);
                });
            }
        }
    }

    private Endpoints tell(
            Endpoints endpoints, int first, String inWords, Optional<CacheSettings> entries, PageOfACluster page) {
        Optional<String> cache = entries.map(kept -> kept.place().toString());
        Endpoints whole = endpoints.shownBy(page.url()).keepingIn(cache);
        whole.write(HomeOption.home().endpoints());
        output.line("praline is up; Ctrl-C ends it");
        output.line("  kafka     " + endpoints.bootstrap());
        output.line("  registry  " + endpoints.registry());
        output.line("  secret    " + endpoints.secretFile());
        output.line("  data      " + endpoints.dataDir());
        output.line(
                "  workers   " + inWords + ", logs in " + endpoints.dataDir().resolve("logs"));
        entries.ifPresent(kept -> output.line(
                String.format(Locale.ROOT, "  cache     %s, at most %.1f MB", kept.place(), kept.bytes() / 1e6)));
        page.url().ifPresent(url -> output.line("  console   " + url));
        output.line("try: praline run --pipeline FILE --data GLOB, praline jobs, praline workers");
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("bootstrap", endpoints.bootstrap());
        object.put("registry", endpoints.registry());
        object.put("secretFile", endpoints.secretFile().toString());
        object.put("dataDir", endpoints.dataDir().toString());
        object.put("brokers", brokersOf(endpoints));
        object.put("workers", first);
        object.put("cacheDir", cache.orElse(null));
        object.put("cacheBytes", entries.map(CacheSettings::bytes).orElse(null));
        object.put("console", page.url().orElse(null));
        output.object(object);
        return whole;
    }

    private static int brokersOf(Endpoints endpoints) {
        return endpoints.bootstrap().split(",", -1).length;
    }

    private static void watch(Duration period, Runnable look) throws InterruptedException {
        while (true) {
            Thread.sleep(period.toMillis());
            look.run();
        }
    }
}
