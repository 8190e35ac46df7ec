package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignedSplit;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.BusyTime;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an attempt does with its graph, step by step: {@link #begin}, then {@link #pull} until nothing comes, then {@link
 * #settle}; splits go in by the {@link #feeder} meanwhile. Each step waits for what it says and nothing else. The puller's
 * thread, but for the feeder and the numbers.
 */
final class AttemptWork implements AutoCloseable {
    private final StartAttempt order;
    private final AttemptRun.Surroundings around;
    private final AttemptLifecycle lifecycle;
    private final SplitQueue splits;
    private final Settlement settlement;
    private final BatchSink sink;
    private final AttemptReport report;
    private final Cancellation cancellation;
    private final SplitFeeder feeder;
    private final BatchPuller puller;
    // from the beginning on
    private Optional<BadRecordSearch> search = Optional.empty();
    private Optional<RunningGraph> graph = Optional.empty();

    /** @param broken told where a split cannot be fed */
    AttemptWork(
            StartAttempt order,
            AttemptRun.Surroundings around,
            AttemptLifecycle lifecycle,
            SplitQueue splits,
            SplitCounting counting,
            Settlement settlement,
            BatchSink sink,
            AttemptReport report,
            BusyTime busy,
            Cancellation cancellation,
            Consumer<AttemptFailed> broken) {
        this.order = order;
        this.around = around;
        this.lifecycle = lifecycle;
        this.splits = splits;
        this.settlement = settlement;
        this.sink = sink;
        this.report = report;
        this.cancellation = cancellation;
        AttemptKey key = report.key();
        this.feeder = new SplitFeeder(key, splits, lifecycle, busy, counting::now, around.nanoTime(), broken);
        this.puller = new BatchPuller(
                order.getBatchLimitBytes(), lifecycle, sink, settlement, report, busy, around.nanoTime());
    }

    SplitFeeder feeder() {
        return feeder;
    }

    /** Whether a batch waits for room in the outbox. Any thread. */
    boolean heldBack() {
        return puller.heldBack();
    }

    /** The graph; there must be one. */
    RunningGraph graph() {
        return graph.orElseThrow();
    }

    /** Makes the graph; false where the attempt was stopped before. */
    boolean begin() {
        KnownPipeline pipeline = around.pipelines().apply(order.getPipelineDigest());
        TaskSettings settings = settings(pipeline);
        if (lifecycle.stopped()) {
            return false;
        }
        search = Optional.of(new BadRecordSearch(around.worker(), pipeline, settings, cancellation));
        boolean counted = pipeline.counted(order.getGuarantee(), order.getSkipBad());
        graph = Optional.of(around.graphs().make(pipeline, settings.withCounted(counted), cancellation));
        if (!lifecycle.running()) {
            return false;
        }
        feeder.use(graph());
        report.ready();
        puller.start();
        return true;
    }

    /**
     * Delivers a batch: waits until the graph has one, and the outbox room. False where the graph has come to its end, or the
     * attempt is stopped. Throws as {@link BatchPuller#pullNext} does.
     */
    boolean pull() throws InterruptedException {
        return puller.pullNext(graph(), feeder, mayHoldTail());
    }

    private boolean mayHoldTail() {
        BadRecordSearch its = search.orElseThrow();
        return its.settings().tracked() && its.pipeline().analysis().batched();
    }

    /** Nothing more goes into the graph. */
    void stopFeeding() {
        splits.stop();
        feeder.exhausted();
    }

    /** All has come out: says of each element what became of it, and tells the end. Waits until all splits are counted, and
     *  every batch has a lane. Nothing where the attempt is stopped. */
    void settle() throws InterruptedException {
        if (lifecycle.settling()) {
            TicketSet withheld = puller.withheld();
            puller.reportMetrics(graph());
            puller.reportTold(graph());
            new AttemptEnding(lifecycle, search.orElseThrow(), settlement, sink, report)
                    .tell(withheld, puller.unbatched());
        }
    }

    /** What TensorFlow failed on is to be told as this; reads files again, and may take its time. */
    AttemptFailed failure(EngineFailure broken) {
        BadRecordSearch its = search.orElseThrow();
        return its.of(broken, candidates(its.settings().tracked()));
    }

    /** Frees the graph. */
    void closeGraph() {
        graph.ifPresent(RunningGraph::close);
        graph = Optional.empty();
    }

    /** Frees what it still has of batches. */
    @Override
    public void close() {
        puller.close();
    }

    private TaskSettings settings(KnownPipeline pipeline) {
        TaskShare share = around.share().orElse(order.getThreads(), order.getRamBytes());
        return TaskSettings.of(share.threads())
                .withTracked(pipeline.tracked(order.getGuarantee()))
                .withSeed(order.getSeed())
                .withEpoch(order.getEpoch())
                .withAttempt(order.getAttempt())
                .withRamBytes(share.ramBytes())
                .withPack(true)
                .withSkipBad(order.getSkipBad() > 0);
    }

    /** Splits in which an element may be that failed, the likeliest first. */
    private List<AssignedSplit> candidates(boolean tracked) {
        List<AssignedSplit> last = feeder.fedLast();
        if (tracked) {
            NavigableMap<Long, AssignedSplit> open = settlement.open();
            last.removeIf(split -> !open.containsKey(split.getOrdinal()));
        }
        return last;
    }
}
