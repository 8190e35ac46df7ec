package io.praline.tests.bench;

import com.sun.management.OperatingSystemMXBean;
import io.praline.client.pipeline.Feature;
import io.praline.client.pipeline.Images;
import io.praline.client.pipeline.Pipeline;
import io.praline.client.pipeline.Records;
import io.praline.client.pipeline.TensorType;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.sample.SampleFiles;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.DataReader;
import io.praline.worker.profile.PlanSample;
import io.praline.worker.profile.Profile;
import io.praline.worker.profile.Profiler;
import io.praline.worker.profile.SampleSize;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Int64List;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.types.TInt64;

/**
 * How right a profile is: the share of each step that it tells, against differences of timed prefixes of the pipeline, for
 * three pipelines: JPEG decode, resize, normalise, batch; Examples parse, slice, cast, batch; records of 1 KiB decode_raw,
 * batch. Prefixes run in turns, on one thread; of each the round counts that took the least processor time an element, and a
 * difference below nothing counts as nothing.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.ProfileBenchmark FOLDER ROUNDS
 * </pre>
 *
 * Prints a line for each step with both shares in percent, and for each pipeline the largest difference in points.
 */
public final class ProfileBenchmark {
    private static final double RUN_NANOS = 4e8;

    private final PipelineGraph pipeline;
    private final PipelineAnalysis analysis;
    private final List<String> files;
    private final TaskGraph task;

    private ProfileBenchmark(Pipeline written, List<String> files) {
        this.pipeline = PipelineGraph.parse(written.graph(), new TensorFlowOps());
        this.analysis = PipelineAnalysis.of(pipeline);
        this.files = files;
        this.task = TaskGraphs.build(
                pipeline,
                analysis,
                TaskSettings.of(1)
                        .withTracked(analysis.exactlyOnce())
                        .withPack(true)
                        .withProfile(true));
    }

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        int rounds = Integer.parseInt(args[1]);
        Path images = SampleFiles.prepare(new Home(folder.toAbsolutePath()), null, 600);
        Pipeline jpeg = Pipeline.tfRecords()
                .map("decode", Images.decodeJpeg(3))
                .map("resize", Images.resize(224, 224))
                .map("normalise", Images.normalise(127.5f, 127.5f))
                .batch(32);
        Pipeline tokens = Pipeline.tfRecords()
                .mapElement("parse", Records.parseExample(List.of(Feature.of("tokens", TensorType.INT64, 129))))
                .map("cut", (tf, x) -> cut(tf, x.get()))
                .map("cast", Records.cast(TensorType.INT32))
                .batch(256);
        Pipeline raw = Pipeline.tfRecords()
                .map("decode", Records.decodeRaw(TensorType.UINT8, 1024))
                .batch(1024);
        try (Stream<Path> found = Files.list(images)) {
            new ProfileBenchmark(jpeg, found.map(Path::toString).sorted().toList()).compare("jpeg", 32, rounds);
        }
        new ProfileBenchmark(tokens, List.of(examples(folder.resolve("tokens.tfrecord"))))
                .compare("examples", 512, rounds);
        new ProfileBenchmark(raw, List.of(records(folder.resolve("raw.tfrecord")))).compare("1 KiB", 512, rounds);
    }

    private static Operand<?> cut(Ops tf, Operand<?> tokens) {
        return tf.slice(
                tokens.asOutput().expect(TInt64.class), tf.constant(new int[] {0}), tf.constant(new int[] {128}));
    }

    private static String examples(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        try (TfRecordWriter writer = new TfRecordWriter(file)) {
            for (int i = 0; i < 60_000; i++) {
                Int64List.Builder tokens = Int64List.newBuilder();
                random.longs(129, 0, 50_000).forEach(tokens::addValue);
                Example.Builder example = Example.newBuilder();
                example.getFeaturesBuilder()
                        .putFeature(
                                "tokens",
                                org.tensorflow.proto.Feature.newBuilder()
                                        .setInt64List(tokens)
                                        .build());
                writer.write(example.build().toByteArray());
            }
        }
        return file.toString();
    }

    private static String records(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        byte[] record = new byte[1024];
        try (TfRecordWriter writer = new TfRecordWriter(file)) {
            for (int i = 0; i < 200_000; i++) {
                random.nextBytes(record);
                writer.write(record);
            }
        }
        return file.toString();
    }

    /** @param window so many elements are fetched at a time where they are not batched: a fetch costs as much as many small ones */
    private void compare(String name, int window, int rounds) throws InterruptedException {
        List<NodeDef> datasets = Prefix.datasets(task);
        double[] least = new double[datasets.size()];
        Arrays.fill(least, Double.MAX_VALUE);
        long[] perElement = batched(datasets);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < least.length; i++) {
                int elements = perElement[i] == 1 ? window : 1;
                TaskGraph prefix = new Prefix(datasets.get(i).getName(), elements).of(task);
                least[i] = Math.min(least[i], processorNanos(prefix, perElement[i] * elements));
            }
        }
        double[] cost = new double[least.length];
        for (int i = 0; i < cost.length; i++) {
            cost[i] = Math.max(0, i == 0 ? least[0] : least[i] - least[i - 1]);
        }
        double all = Arrays.stream(cost).sum();
        Profile profile = profile();
        Map<String, String> names = Transformations.of(pipeline).names();
        double largest = 0;
        for (int i = 0; i < cost.length; i++) {
            String step = names.get(datasets.get(i).getName());
            if (step == null) {
                continue;
            }
            double told = 100 * profile.step(step).map(profile::share).orElse(0.0);
            double timed = 100 * cost[i] / all;
            largest = Math.max(largest, Math.abs(told - timed));
            System.out.printf(
                    Locale.ROOT,
                    "%-9s %-10s profile %5.1f %% %9.2f us   prefixes %5.1f %% %9.2f us%n",
                    name,
                    step,
                    told,
                    profile.step(step).map(profile::nanosPerRecord).orElse(0.0) / 1e3,
                    timed,
                    cost[i] / 1e3);
        }
        System.out.printf(
                Locale.ROOT,
                "{\"pipeline\":\"%s\",\"largestDifference\":%.1f,\"elements\":%d,\"seconds\":%.2f}%n",
                name,
                largest,
                profile.records(),
                profile.took().toNanos() / 1e9);
    }

    /** How many elements lie in one of those that leave each dataset. */
    private long[] batched(List<NodeDef> datasets) {
        long[] sizes = new long[datasets.size()];
        long size = 1;
        for (int i = 0; i < sizes.length; i++) {
            size *= DatasetOps.batchSize(datasets.get(i), pipeline.scope()).orElse(1L);
            sizes[i] = size;
        }
        return sizes;
    }

    private Profile profile() throws InterruptedException {
        PlanSample sample = new PlanSample();
        files.forEach(file -> sample.add(Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(0)
                .setPaths(List.of(file))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(0)
                .build()));
        return new Profiler(
                        new DataReader("here", Staging.none().reading()),
                        new KnownPipeline(pipeline, analysis),
                        SampleSize.USUAL)
                .run(sample.chosen());
    }

    private double processorNanos(TaskGraph prefix, long perBatch) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        try (GraphSession session = new GraphSession(prefix)) {
            long ordinal = 0;
            for (int again = 0; again < 20; again++) {
                for (String file : files) {
                    session.enqueue(FeedSplit.file(ordinal++, 0, file));
                }
            }
            session.closeQueue();
            session.next().ifPresent(EngineBatch::close);
            long began = System.nanoTime();
            long worked = system.getProcessCpuTime();
            long elements = 0;
            while (System.nanoTime() - began < RUN_NANOS) {
                Optional<EngineBatch> next = session.next();
                if (next.isEmpty()) {
                    break;
                }
                next.get().close();
                elements += perBatch;
            }
            return (double) (system.getProcessCpuTime() - worked) / elements;
        }
    }
}
