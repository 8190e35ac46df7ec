package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignedSplit;
import io.praline.schema.FailureKind;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.attempt.entry.KeptSplits;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.BatchMemory;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.BusyTime;
import io.praline.worker.planning.DataReader;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What an attempt does with its graph, step by step: {@link #begin}, then {@link #pull} until nothing comes, then {@link
 * #settle}; splits go in by the {@link #feeder} meanwhile. Each step waits for what it says and nothing else. The puller's
 * thread, but for the feeder and the numbers.
 */
final class AttemptWork implements AutoCloseable {
    private final StartAttempt order;
    private final Surroundings around;
    private final AttemptLifecycle lifecycle;
    private final SplitQueue splits;
    private final Settlement settlement;
    private final BatchSink sink;
    private final AttemptReport report;
    private final AttemptCache cache;
    private final Cancellation cancellation;
    private final DataReader reader;
    private final StagedInput input;
    private final SplitFeeder feeder;
    private final BatchPuller puller;
    // from the beginning on
    private Optional<BadRecordSearch> search = Optional.empty();
    private Optional<RunningGraph> graph = Optional.empty();
    private Optional<Thread> keeping = Optional.empty();

    /**
     * @param reader who reads the splits
     * @param broken told where a split cannot be fed
     */
    AttemptWork(
            StartAttempt order,
            Surroundings around,
            AttemptLifecycle lifecycle,
            SplitQueue splits,
            SplitCounting counting,
            Settlement settlement,
            BatchSink sink,
            AttemptReport report,
            BusyTime busy,
            DataReader reader,
            AttemptCache cache,
            Cancellation cancellation,
            Consumer<AttemptFailed> broken) {
        this.order = order;
        this.around = around;
        this.lifecycle = lifecycle;
        this.splits = splits;
        this.settlement = settlement;
        this.sink = sink;
        this.report = report;
        this.cache = cache;
        this.cancellation = cancellation;
        this.reader = reader;
        this.input = new StagedInput(reader, settlement);
        AttemptKey key = report.key();
        this.feeder = new SplitFeeder(key, splits, lifecycle, busy, counting::now, input, around.nanoTime(), broken);
        this.puller = new BatchPuller(
                order.getBatchLimitBytes(),
                lifecycle,
                sink,
                settlement,
                report,
                busy,
                cache,
                around.nanoTime(),
                around.traces());
    }

    SplitFeeder feeder() {
        return feeder;
    }

    /** Whether a batch waits for room in the outbox. Any thread. */
    boolean heldBack() {
        return puller.heldBack();
    }

    /** What it has had to do with entries so far. Any thread. */
    AttemptReport.Cached cached() {
        return cache.totals();
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
        search = Optional.of(
                new BadRecordSearch(reader, pipeline, settings, around.graphs(), cancellation, OptionalLong.empty()));
        input.tracked(settings.tracked());
        if (order.getSkipBad() > 0 || pipeline.analysis().ignoresErrors()) {
            input.lookedAt(split -> SplitRecords.requireThatItEnds(
                    reader, split, pipeline.analysis(), reader.goingOn(() -> !lifecycle.stopped())));
        }
        Optional<CacheUse> entries = cache.get();
        boolean counted = entries.isEmpty() && pipeline.counted(order.getGuarantee(), order.getSkipBad());
        TaskSettings itsOwn = settings.withCounted(counted).withCache(entries.map(CacheUse::at));
        Supplier<RunningGraph> session = () -> session(pipeline, itsOwn);
        graph = Optional.of(entries.map(use -> use.running(session, cancellation, this::room))
                .orElseGet(session));
        if (!lifecycle.running()) {
            return false;
        }
        feeder.use(graph(), entries);
        report.ready();
        puller.start();
        return true;
    }

    private Optional<BatchMemory.Block> room(int bytes) {
        return sink.room(bytes).map(room -> new BatchMemory.Block(room.memory(), room::giveBack));
    }

    /** A graph that TensorFlow does not take is told as that, whenever it is made. */
    private RunningGraph session(KnownPipeline pipeline, TaskSettings settings) {
        try {
            return around.graphs().make(pipeline, settings, cancellation);
        } catch (EngineFailure refused) {
            throw AttemptFailed.ofGraph(refused);
        }
    }

    /**
     * Delivers a batch: waits until the graph has one, and the outbox room. False where the graph has come to its end, or the
     * attempt is stopped. Throws as {@link BatchPuller#pullNext} does.
     */
    boolean pull() throws InterruptedException {
        return puller.pullNext(graph(), feeder, mayHoldTail());
    }

    /** The entries that it makes; empty where it makes none. */
    Optional<KeptSplits> kept() {
        return cache.get().flatMap(CacheUse::kept);
    }

    /** Takes what is to be kept from the graph, where something is, on a thread of its own. */
    void startKeeping() {
        keeping = kept().map(kept -> kept.start(graph(), report.key()));
    }

    /** Nothing more is computed: waits until all that was is kept, or given up where the attempt is stopped. */
    void stopKeeping() throws InterruptedException {
        if (keeping.isEmpty()) {
            return;
        }
        try {
            graph().endKept();
        } catch (CancellationException stopped) {
            // then the thread ends by itself
        }
        kept().ifPresent(KeptSplits::ends);
        keeping.get().join();
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
            requireWholeEntries(withheld);
            new AttemptEnding(lifecycle, search.orElseThrow(), settlement, sink, report, this::faultOfMissing)
                    .tell(withheld, puller.unbatched());
        }
    }

    /** What is missing where bad records are passed over may be an entry's that broke: that is no bad record. */
    private void requireWholeEntries(TicketSet withheld) {
        if (order.getSkipBad() > 0
                && !settlement
                        .undelivered()
                        .minus(withheld)
                        .minus(puller.unbatched())
                        .isEmpty()
                && cache.get().filter(CacheUse::broke).isPresent()) {
            throw new AttemptFailed(
                    FailureKind.CACHE, "an entry that stood in for a split is not whole any more, and is taken away");
        }
    }

    /** An entry that broke while it was read may have been passed over, as bad records are. */
    private FailureKind faultOfMissing() {
        return cache.get().filter(CacheUse::doubt).isPresent() ? FailureKind.CACHE : FailureKind.FAILED;
    }

    /** What TensorFlow failed on is to be told as this; reads files again, and may take its time. */
    AttemptFailed failure(EngineFailure broken) {
        if (cache.get().filter(CacheUse::broke).isPresent()) {
            return new AttemptFailed(
                    FailureKind.CACHE,
                    "an entry that stood in for a split is not whole any more, and is taken away: "
                            + broken.getMessage());
        }
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
        cache.close();
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
                .withSkipBad(order.getSkipBad() > 0)
                .withRenaming(reader.renaming());
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
