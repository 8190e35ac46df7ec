package io.praline.deploy.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A whole cluster on this machine, until Ctrl-C. */
@Command(
        name = "up",
        description =
                "Start a whole cluster on this machine: broker, registry, dispatcher, workers. Other commands find"
                        + " it by themselves. It keeps its data; Ctrl-C ends it.",
        footer = {"", "Example:  praline up --workers 2"})
public final class UpCommand implements Callable<Integer> {

    private static final long WATCH_MILLIS = 1_000;

    @Mixin
    private OutputOptions output;

    @Option(names = "--workers", paramLabel = "N", description = "Worker processes (${DEFAULT-VALUE}).")
    private int workers = 1;

    @Option(names = "--slots", paramLabel = "N", description = "Tasks a worker runs at a time (${DEFAULT-VALUE}).")
    private int slots = 2;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Where all is kept; without it ~/.praline/data.")
    private Path dataDir;

    @Option(names = "--port", paramLabel = "P", description = "Kafka's port; without it the one it had, else any.")
    private Integer port;

    @Option(names = "--registry-port", paramLabel = "P", description = "The registry's port, likewise.")
    private Integer registryPort;

    @Override
    public Integer call() {
        if (workers < 0) {
            throw new IllegalArgumentException("--workers must not be negative, is " + workers);
        }
        Home home = HomeOption.home();
        LocalCluster.Settings settings = new LocalCluster.Settings(
                dataDir == null ? home.data() : dataDir.toAbsolutePath(),
                optional(port),
                optional(registryPort),
                home.secret(),
                slots);
        try (LocalCluster cluster = LocalCluster.start(settings)) {
            Endpoints endpoints = cluster.endpoints();
            endpoints.write(home.endpoints());
            try {
                for (int worker = 1; worker <= workers; worker++) {
                    cluster.startWorker("worker-" + worker);
                }
                cluster.awaitReady();
                tell(endpoints);
                watch(cluster);
            } finally {
                endpoints.erase(home.endpoints());
            }
        } catch (InterruptedException ended) {
            output.note("praline is down");
            return ExitCode.INTERRUPTED.number();
        }
        return ExitCode.DONE.number();
    }

    private static OptionalInt optional(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private void tell(Endpoints endpoints) {
        output.line("praline is up; Ctrl-C ends it");
        output.line("  kafka     " + endpoints.bootstrap());
        output.line("  registry  " + endpoints.registry());
        output.line("  data      " + endpoints.dataDir());
        output.line(
                "  workers   " + workers + ", logs in " + endpoints.dataDir().resolve("logs"));
        output.line("try: praline run --pipeline FILE --data GLOB, praline jobs, praline workers");
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("bootstrap", endpoints.bootstrap());
        object.put("registry", endpoints.registry());
        object.put("secretFile", endpoints.secretFile().toString());
        object.put("dataDir", endpoints.dataDir().toString());
        object.put("workers", workers);
        output.object(object);
    }

    /** Until Ctrl-C interrupts this thread, or the cluster breaks. */
    private void watch(LocalCluster cluster) throws InterruptedException {
        CompletableFuture<String> failure = cluster.failure().toCompletableFuture();
        while (true) {
            try {
                throw new CommandFailed(
                        ExitCode.BROKEN, "the cluster broke: " + failure.get(WATCH_MILLIS, TimeUnit.MILLISECONDS));
            } catch (TimeoutException fine) {
                cluster.replaceDeadWorkers().forEach(output::note);
            } catch (ExecutionException failed) {
                throw new IllegalStateException(failed.getCause());
            }
        }
    }
}
