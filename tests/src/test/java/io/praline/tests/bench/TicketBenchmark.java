package io.praline.tests.bench;

import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.RecordCounter;
import io.praline.worker.planning.RecordFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What tickets cost: the same pipeline over the same files with and without them, in turns, in this process. Where elements
 * can be counted they carry no tickets; what those would cost is told too.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.TicketBenchmark PIPELINE.pb ROUNDS FILE...
 * </pre>
 *
 * Prints the median rates in elements/s, and the shares that carried tickets and counting take, 0 where nothing can be counted. A rate is elements over the time from the first
 * batch to the last.
 */
public final class TicketBenchmark {
    private TicketBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        PipelineGraph pipeline = PipelineGraph.parse(Files.readAllBytes(Path.of(args[0])), new TensorFlowOps());
        int rounds = Integer.parseInt(args[1]);
        String[] files = Arrays.copyOfRange(args, 2, args.length);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        boolean counts = analysis.counting().isPresent();
        run(pipeline, CARRIED, files);
        long elements = elements(pipeline, files);
        double[] carried = new double[rounds];
        double[] counted = new double[rounds];
        double[] without = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            carried[round] = elements / run(pipeline, CARRIED, files);
            counted[round] = elements / run(pipeline, counts ? CARRIED.withCounted(true) : CARRIED, files);
            without[round] = elements / run(pipeline, CARRIED.withTracked(false), files);
        }
        double plain = median(without);
        System.out.printf(
                Locale.ROOT,
                "{\"elements\":%d,\"carried\":%.0f,\"counted\":%.0f,\"without\":%.0f,\"costCarried\":%.3f,\"costCounted\":%.3f}%n",
                elements,
                median(carried),
                counts ? median(counted) : 0,
                plain,
                1 - median(carried) / plain,
                counts ? 1 - median(counted) / plain : 0);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static final TaskSettings CARRIED = TaskSettings.of(
                    Runtime.getRuntime().availableProcessors())
            .withTracked(true)
            .withSeed(1)
            .withPack(true);

    private static GraphSession open(PipelineGraph pipeline, TaskSettings settings, String[] files) {
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        GraphSession session = new GraphSession(TaskGraphs.build(pipeline, analysis, settings));
        RecordFormat format = RecordFormat.of(analysis.sources().get(0).kind()).orElseThrow();
        long ordinal = 0;
        for (String file : files) {
            FeedSplit split = FeedSplit.file(ordinal++, 0, file);
            session.enqueue(settings.counted() ? split.counted(records(file, format)) : split);
        }
        session.closeQueue();
        return session;
    }

    private static long records(String file, RecordFormat format) {
        try {
            return RecordCounter.count(file, format, () -> true);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static long elements(PipelineGraph pipeline, String[] files) {
        long elements = 0;
        try (GraphSession session = open(pipeline, CARRIED, files)) {
            for (Optional<EngineBatch> batch = session.next(); batch.isPresent(); batch = session.next()) {
                elements += batch.get().tickets().length;
                batch.get().close();
            }
        }
        return elements;
    }

    /** Seconds from the first batch to the last. */
    private static double run(PipelineGraph pipeline, TaskSettings settings, String[] files) {
        try (GraphSession session = open(pipeline, settings, files)) {
            long first = 0;
            long last = 0;
            for (Optional<EngineBatch> batch = session.next(); batch.isPresent(); batch = session.next()) {
                last = System.nanoTime();
                first = first == 0 ? last : first;
                batch.get().close();
            }
            return (last - first) / 1e9;
        }
    }
}
