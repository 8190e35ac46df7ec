package io.praline.worker.attempt;

import io.praline.wire.trace.BatchTraces;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.storage.stage.Staging;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What an attempt needs of its worker.
 *
 * @param worker its id, for messages
 * @param share what the attempt may use where the order does not say
 * @param pipelines gives a pipeline by its digest
 * @param store of entries that stand in for splits; empty where this worker has none
 * @param counting where records of splits are counted
 * @param urgent asks for a beat at once
 * @param graphs makes what runs a pipeline
 * @param nanoTime the clock, {@code System::nanoTime}
 * @param staging where objects of stores come to lie
 * @param traces tells how batches go; empty: nobody does
 */
public record Surroundings(
        String worker,
        TaskShare share,
        Function<String, KnownPipeline> pipelines,
        Optional<CacheStore> store,
        Executor counting,
        Runnable urgent,
        Graphs graphs,
        LongSupplier nanoTime,
        Staging staging,
        Optional<BatchTraces> traces) {
    /** With TensorFlow, the system's clock, and files alone; without entries. */
    public Surroundings(
            String worker,
            TaskShare share,
            Function<String, KnownPipeline> pipelines,
            Executor counting,
            Runnable urgent) {
        this(
                worker,
                share,
                pipelines,
                Optional.empty(),
                counting,
                urgent,
                Graphs.TENSORFLOW,
                System::nanoTime,
                Staging.none(),
                Optional.empty());
    }

    /** The same with entries. */
    public Surroundings with(CacheStore entries) {
        return new Surroundings(
                worker, share, pipelines, Optional.of(entries), counting, urgent, graphs, nanoTime, staging, traces);
    }

    /** Makes what runs a pipeline. */
    @FunctionalInterface
    public interface Graphs {
        Graphs TENSORFLOW = (pipeline, settings, cancellation) ->
                new GraphSession(TaskGraphs.build(pipeline.graph(), pipeline.analysis(), settings), cancellation);

        /**
         * A graph that runs, until the cancellation is requested.
         *
         * @throws EngineFailure if TensorFlow does not take it
         */
        RunningGraph make(KnownPipeline pipeline, TaskSettings settings, Cancellation cancellation);
    }
}
