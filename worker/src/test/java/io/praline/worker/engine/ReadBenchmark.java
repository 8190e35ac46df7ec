package io.praline.worker.engine;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.AsItStands;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How fast a task reads a pipeline's files, each a split, with tickets, against the user's own graph as it stands, in turns in
 * this process.
 *
 * <pre>
 *   java -cp ... io.praline.worker.engine.ReadBenchmark PIPELINE.pb ROUNDS
 * </pre>
 *
 * Prints the median seconds of both, from the making of the iterator to its end, and the ratio of the rates: above 1, the task
 * is faster. From the class path of the tests.
 */
public final class ReadBenchmark {
    private ReadBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        PipelineGraph pipeline = PipelineGraph.parse(Files.readAllBytes(Path.of(args[0])), new TensorFlowOps());
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        int rounds = Integer.parseInt(args[1]);
        TaskSettings settings = TaskSettings.of(Runtime.getRuntime().availableProcessors())
                .withTracked(true)
                .withSeed(1);
        TaskGraph task = TaskGraphs.build(pipeline, analysis, settings);
        TaskGraph alone = AsItStands.of(pipeline);
        List<FeedSplit> splits = Running.splits(analysis);
        seconds(alone, List.of());
        seconds(task, splits);
        double[] ours = new double[rounds];
        double[] theirs = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            theirs[round] = seconds(alone, List.of());
            ours[round] = seconds(task, splits);
        }
        System.out.printf(
                Locale.ROOT,
                "{\"splits\":%d,\"taskSeconds\":%.3f,\"oneProcessSeconds\":%.3f,\"ratio\":%.3f}%n",
                splits.size(),
                median(ours),
                median(theirs),
                median(theirs) / median(ours));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double seconds(TaskGraph task, List<FeedSplit> splits) {
        long since = System.nanoTime();
        try (GraphSession session = new GraphSession(task)) {
            splits.forEach(session::enqueue);
            session.closeQueue();
            for (Optional<EngineBatch> batch = session.next(); batch.isPresent(); batch = session.next()) {
                batch.get().close();
            }
            return (System.nanoTime() - since) / 1e9;
        }
    }
}
