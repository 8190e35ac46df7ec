package io.praline.tests.bench;

import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What tickets cost: the same pipeline over the same files with and without them, in turns, in this process.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.TicketBenchmark PIPELINE.pb ROUNDS FILE...
 * </pre>
 *
 * Prints the median rates in elements/s and the share that tickets take. A rate is elements over the time from the first
 * batch to the last.
 */
public final class TicketBenchmark {
    private TicketBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        PipelineGraph pipeline = PipelineGraph.parse(Files.readAllBytes(Path.of(args[0])), new TensorFlowOps());
        int rounds = Integer.parseInt(args[1]);
        String[] files = Arrays.copyOfRange(args, 2, args.length);
        run(pipeline, true, files);
        long elements = elements(pipeline, files);
        double[] with = new double[rounds];
        double[] without = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            with[round] = elements / run(pipeline, true, files);
            without[round] = elements / run(pipeline, false, files);
        }
        double median = median(with);
        double plain = median(without);
        System.out.printf(
                Locale.ROOT,
                "{\"elements\":%d,\"withTickets\":%.0f,\"without\":%.0f,\"cost\":%.3f}%n",
                elements,
                median,
                plain,
                1 - median / plain);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static GraphSession open(PipelineGraph pipeline, boolean tickets, String[] files) {
        int cores = Runtime.getRuntime().availableProcessors();
        TaskSettings settings =
                TaskSettings.of(cores).withTracked(tickets).withSeed(1).withPack(true);
        GraphSession session = new GraphSession(TaskGraphs.build(pipeline, PipelineAnalysis.of(pipeline), settings));
        long ordinal = 0;
        for (String file : files) {
            session.enqueue(FeedSplit.file(ordinal++, 0, file));
        }
        session.closeQueue();
        return session;
    }

    private static long elements(PipelineGraph pipeline, String[] files) {
        long elements = 0;
        try (GraphSession session = open(pipeline, true, files)) {
            for (Optional<EngineBatch> batch = session.next(); batch.isPresent(); batch = session.next()) {
                elements += batch.get().tickets().length;
                batch.get().close();
            }
        }
        return elements;
    }

    /** Seconds from the first batch to the last. */
    private static double run(PipelineGraph pipeline, boolean tickets, String[] files) {
        try (GraphSession session = open(pipeline, tickets, files)) {
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
