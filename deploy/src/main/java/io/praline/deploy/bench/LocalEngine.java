package io.praline.deploy.bench;

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
import java.util.Optional;

/** Runs a pipeline over files in this process and nothing else: what a service is measured against. */
public final class LocalEngine {

    private LocalEngine() {}

    /**
     * Prints elements per second from the first batch to the last.
     *
     * @param args the graph's file, the batch size, the data files
     */
    public static void main(String[] args) throws IOException {
        int batchSize = Integer.parseInt(args[1]);
        PipelineGraph pipeline = PipelineGraph.parse(Files.readAllBytes(Path.of(args[0])), new TensorFlowOps());
        int cores = Runtime.getRuntime().availableProcessors();
        // not tracked, not packed: the graph as its user would run it
        TaskSettings settings = TaskSettings.of(cores).withSeed(1);
        try (GraphSession session =
                new GraphSession(TaskGraphs.build(pipeline, PipelineAnalysis.of(pipeline), settings))) {
            long ordinal = 0;
            for (String file : Arrays.copyOfRange(args, 2, args.length)) {
                session.enqueue(FeedSplit.file(ordinal++, 0, file));
            }
            session.closeQueue();
            long batches = 0;
            long firstNanos = 0;
            long lastNanos = 0;
            Optional<EngineBatch> batch = session.next();
            while (batch.isPresent()) {
                lastNanos = System.nanoTime();
                if (firstNanos == 0) {
                    firstNanos = lastNanos;
                }
                batches++;
                batch.get().close();
                batch = session.next();
            }
            System.out.println(batches * batchSize / ((lastNanos - firstNanos) / 1e9));
        }
    }
}
