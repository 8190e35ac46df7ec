package io.praline.deploy.cli;

import io.praline.client.CacheMode;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.bench.BenchCluster;
import io.praline.deploy.bench.Iperf;
import io.praline.deploy.bench.LocalEngine;
import io.praline.deploy.bench.SocketPair;
import io.praline.deploy.cluster.Connection;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.Machine;
import io.praline.deploy.sample.SampleFiles;
import io.praline.deploy.sample.SamplePipelines;
import io.praline.deploy.sample.Trainer;
import io.praline.deploy.sample.WithProgress;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.topics.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Benchmarks with real processes. */
@Command(
        name = "bench",
        description = "Measure, with real processes on this machine.",
        footer = {"", "Example:  praline bench jpeg --dtype uint8"},
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {BenchCommand.Transfer.class, BenchCommand.Jpeg.class, BenchControlCommand.class})
public final class BenchCommand implements Runnable {

    /** A day. */
    static final int MOST_SECONDS = 86_400;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say 'transfer', 'jpeg' or 'control'");
    }

    /**
     * One visit of a pipeline's elements as it is written. To measure its steps, to try orders of them and to keep what it
     * makes takes processor time in a job's first minute, which would be most of a run.
     */
    private static JobSpec written(Pipeline pipeline) {
        return JobSpec.of(pipeline).order(JobSpec.Order.OFF).cache(CacheMode.OFF);
    }

    /** Processor time in seconds for each GB that was moved. */
    private static double perGb(long cpuNanos, long bytes) {
        return bytes == 0 ? 0 : cpuNanos / 1e9 / (bytes / 1e9);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String path(RunCommand.PathOption option) {
        return switch (option.path()) {
            case AUTO, SHARED -> "shm";
            case UNIX -> "uds";
            case TCP -> "tcp";
        };
    }

    /** Bytes from a worker's memory to a loop. */
    @Command(
            name = "transfer",
            description = "Move elements from a worker's memory to a training loop, beside iperf3 and a plain socket"
                    + " pair in the same run.",
            footer = {"", "Example:  praline bench transfer --size 1048576 --seconds 5 --path tcp"})
    static final class Transfer implements Callable<Integer> {

        /** More than any machine moves: the run ends by its time. */
        private static final double MOST_BYTES_PER_SECOND = 20e9;

        private static final double MOST_ELEMENTS_PER_SECOND = 4e6;

        /** As much as a loop has memory for. */
        private static final int MOST_SIZE = 256 << 20;

        @Mixin
        private OutputOptions output;

        @Mixin
        private RunCommand.PathOption path;

        @Option(names = "--size", paramLabel = "BYTES", description = "Bytes of an element (${DEFAULT-VALUE}).")
        @Within(least = 1, most = MOST_SIZE)
        private int size = 1 << 20;

        @Option(names = "--seconds", paramLabel = "S", description = "How long to measure (${DEFAULT-VALUE}).")
        @Within(least = 1, most = MOST_SECONDS)
        private int seconds = 5;

        @Option(
                names = "--warm-up",
                paramLabel = "S",
                description = "Seconds before that, not counted (${DEFAULT-VALUE}).")
        @Within(least = 0, most = MOST_SECONDS)
        private int warmUp = 4;

        @Option(names = "--runs", paramLabel = "N", description = "Runs, of which medians are told (${DEFAULT-VALUE}).")
        @Within(least = 1)
        private int runs = 1;

        /** What a run came to: MB/s, elements/s, and processor time in seconds for each GB. */
        private record Measured(
                double mbPerSecond,
                double elementsPerSecond,
                double client,
                double worker,
                OptionalDouble iperf,
                double socket) {}

        @Override
        public Integer call() throws InterruptedException {
            long elements =
                    (long) (Math.min(MOST_BYTES_PER_SECOND / size, MOST_ELEMENTS_PER_SECOND) * (seconds + warmUp)) + 1;
            Pipeline pipeline = SamplePipelines.inMemory(elements, size);
            List<Measured> all = new ArrayList<>();
            try (BenchCluster cluster = BenchCluster.start(Praline.class, 1);
                    PralineClient client =
                            Connection.open(cluster.client(path.path()), Optional.empty(), Patience.OWN_CLUSTER)) {
                for (int run = 1; run <= runs; run++) {
                    Measured measured = run(cluster, client, pipeline);
                    all.add(measured);
                    if (runs > 1) {
                        output.note(String.format(
                                Locale.ROOT,
                                "run %d: %.0f MB/s, %.0f elements/s, plain socket pair %.0f MB/s",
                                run,
                                measured.mbPerSecond(),
                                measured.elementsPerSecond(),
                                measured.socket()));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            tell(medians(all));
            return ExitCode.DONE.number();
        }

        private Measured run(BenchCluster cluster, PralineClient client, Pipeline pipeline)
                throws IOException, InterruptedException {
            Trainer trainer = new Trainer(
                    1,
                    Duration.ZERO,
                    Duration.ofSeconds(warmUp),
                    Duration.ofSeconds(seconds),
                    List.of(() -> Machine.cpuNanos(ProcessHandle.current()), cluster::workerCpuNanos));
            Trainer.Outcome outcome = cluster.breakage()
                    .make(() -> WithProgress.train(trainer, client, written(pipeline), "elements", output::note));
            return new Measured(
                    outcome.mbPerSecond(),
                    outcome.elementsPerSecond(),
                    perGb(outcome.metered().get(0), outcome.bytes()),
                    perGb(outcome.metered().get(1), outcome.bytes()),
                    Iperf.measure(Math.min(seconds, 3)),
                    SocketPair.measure(
                            Duration.ofSeconds(Math.min(seconds, 3)),
                            cluster.folder().resolve("socket.log")));
        }

        private static Measured medians(List<Measured> all) {
            List<Double> iperf =
                    all.stream().flatMap(one -> one.iperf().stream().boxed()).toList();
            return new Measured(
                    median(all, Measured::mbPerSecond),
                    median(all, Measured::elementsPerSecond),
                    median(all, Measured::client),
                    median(all, Measured::worker),
                    iperf.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(BenchCommand.median(iperf)),
                    median(all, Measured::socket));
        }

        private static double median(List<Measured> all, ToDoubleFunction<Measured> figure) {
            return BenchCommand.median(all.stream().mapToDouble(figure).boxed().toList());
        }

        private void tell(Measured measured) {
            output.line(String.format(
                    Locale.ROOT,
                    "%d bytes each by %s: %.0f MB/s, %.0f elements/s; CPU-s per GB: client %.2f, worker %.2f",
                    size,
                    path(path),
                    measured.mbPerSecond(),
                    measured.elementsPerSecond(),
                    measured.client(),
                    measured.worker()));
            output.line(String.format(
                    Locale.ROOT,
                    "iperf3 %s MB/s, plain socket pair %.0f MB/s, load %.1f",
                    measured.iperf().isPresent()
                            ? String.format(
                                    Locale.ROOT, "%.0f", measured.iperf().getAsDouble())
                            : "-",
                    measured.socket(),
                    Machine.load()));
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("size", size);
            object.put("path", path(path));
            object.put("mbPerSecond", measured.mbPerSecond());
            object.put("elementsPerSecond", measured.elementsPerSecond());
            object.put("clientCpuSecondsPerGb", measured.client());
            object.put("workerCpuSecondsPerGb", measured.worker());
            object.put(
                    "iperfMbPerSecond",
                    measured.iperf().isPresent() ? measured.iperf().getAsDouble() : null);
            object.put("socketMbPerSecond", measured.socket());
            object.put("load1", Machine.load());
            output.object(object);
        }
    }

    /** Images through the service and without it. */
    @Command(
            name = "jpeg",
            description = "Decode and prepare images through the service and in one process on the same cores, in turn;"
                    + " medians.",
            footer = {"", "Example:  praline bench jpeg --dtype uint8 --path uds"})
    static final class Jpeg implements Callable<Integer> {

        private static final int BATCH = 32;

        @Mixin
        private OutputOptions output;

        @Mixin
        private RunCommand.PathOption path;

        @Option(names = "--dtype", paramLabel = "TYPE", description = "float32 or uint8 (${DEFAULT-VALUE}).")
        private SamplePipelines.Type dtype = SamplePipelines.Type.float32;

        @Option(names = "--images", paramLabel = "N", description = "Images of a run (${DEFAULT-VALUE}).")
        @Within(least = 1)
        private int images = 2_048;

        @Option(
                names = "--times",
                paramLabel = "N",
                description = "How often a run reads them, as one epoch of so many files (${DEFAULT-VALUE}).")
        @Within(least = 1)
        private int times = 4;

        @Option(names = "--runs", paramLabel = "N", description = "Runs of each kind (${DEFAULT-VALUE}).")
        @Within(least = 1)
        private int runs = 5;

        @Override
        public Integer call() throws InterruptedException {
            Path once = SampleFiles.prepare(HomeOption.home(), null, images);
            Pipeline pipeline = SamplePipelines.training(dtype);
            List<Double> service = new ArrayList<>();
            List<Double> local = new ArrayList<>();
            try (BenchCluster cluster = BenchCluster.start(Praline.class, 1);
                    PralineClient client =
                            Connection.open(cluster.client(path.path()), Optional.empty(), Patience.OWN_CLUSTER)) {
                Path data = linked(once, cluster.folder().resolve("images"));
                Path graph = Files.write(cluster.folder().resolve("pipeline.pb"), pipeline.graph());
                JobSpec spec = written(pipeline).data(data.resolve("*.tfrecord").toString());
                // once for the JVMs to get warm: a service has been running before the job comes
                throughService(cluster, client, spec);
                for (int run = 0; run < runs; run++) {
                    service.add(throughService(cluster, client, spec));
                    local.add(local(cluster.folder(), graph, data, run));
                    output.note(String.format(
                            Locale.ROOT,
                            "run %d: service %.0f images/s, one process %.0f images/s",
                            run + 1,
                            service.get(run),
                            local.get(run)));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            tell(median(service), median(local));
            return ExitCode.DONE.number();
        }

        private static double throughService(BenchCluster cluster, PralineClient client, JobSpec spec)
                throws InterruptedException {
            return cluster.breakage()
                    .make(() -> Trainer.of(1, Duration.ZERO).train(client, spec, moment -> {}))
                    .elementsPerSecond();
        }

        /** Every file as often as a run reads it: both kinds of run read the same list. */
        private Path linked(Path once, Path folder) throws IOException {
            Files.createDirectory(folder);
            try (Stream<Path> files = Files.list(once)) {
                for (Path file : files.filter(any -> any.toString().endsWith(".tfrecord"))
                        .toList()) {
                    for (int time = 0; time < times; time++) {
                        Files.createSymbolicLink(folder.resolve(time + "-" + file.getFileName()), file);
                    }
                }
            }
            return folder;
        }

        private double local(Path folder, Path graph, Path data, int run) throws IOException, InterruptedException {
            List<String> args = new ArrayList<>(List.of(graph.toString(), Integer.toString(BATCH)));
            try (Stream<Path> files = Files.list(data)) {
                files.map(Path::toString).sorted().forEach(args::add);
            }
            Path log = folder.resolve("local-" + run + ".log");
            try (ChildProcess engine = ChildProcess.start(new ChildProcess.Spec(
                    "local engine", LocalEngine.class.getName(), args, log, 256, 256, Map.of()))) {
                if (!engine.awaitEnd(Duration.ofMinutes(5)) || engine.exitCode() != 0) {
                    throw new CommandFailed(ExitCode.BROKEN, "the local run failed: " + engine.lastLine());
                }
                return Double.parseDouble(engine.lastLine());
            }
        }

        private void tell(double service, double local) {
            output.line(String.format(
                    Locale.ROOT,
                    "%s by %s: service %.0f images/s, one process %.0f images/s, ratio %.2f, load %.1f",
                    dtype,
                    path(path),
                    service,
                    local,
                    service / local,
                    Machine.load()));
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("dtype", dtype.name());
            object.put("path", path(path));
            object.put("serviceImagesPerSecond", service);
            object.put("localImagesPerSecond", local);
            object.put("ratio", service / local);
            object.put("load1", Machine.load());
            output.object(object);
        }
    }
}
