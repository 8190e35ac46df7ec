package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheOrder;
import io.praline.schema.FinishAttempt;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.spelling.SpellOut;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Entries that one pipeline makes and another one reads, which begins with the same steps and goes on otherwise. */
class SharedEntriesTest {
    private static final long SEED = 7;
    private static final long SECONDS_90 = 90_000;

    @TempDir
    private Path folder;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    private record Ran(Map<Long, String> values, AttemptProgress told) {}

    private Ran run(KnownPipeline known, CacheStore store, Optional<CacheOrder> cache, List<AssignedSplit> splits)
            throws InterruptedException {
        Surroundings around = new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {});
        ValuesByTicket sink = new ValuesByTicket();
        AttemptRun run =
                new AttemptRun(Starts.of(known).setCache(cache.orElse(null)).build(), around.with(store), sink);
        run.start();
        run.assign(new AssignSplits("j", 0, 0, 1, splits));
        run.finish(new FinishAttempt("j", 0, 0, 1, true, true));
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        AttemptProgress told = run.report().take(1 << 20, 0);
        assertThat(told.getFailure()).isEmpty();
        return new Ran(sink.values(), told);
    }

    // what a filter behind the point drops, the other pipeline wants; what one before it drops, it does not have either
    @ParameterizedTest
    @CsvSource({"filter.pb,data/numbers-*.tfrecord", "filter_shuffled.pb,data/numbers-*.tfrecord"})
    void whatLiesBehindThePointChangesNothingInThem(String pipeline, String data) throws Exception {
        EveryPipelineTest.Plan plan = EveryPipelineTest.plan(pipeline, data);
        PipelineGraph graph = plan.graph.orElseThrow();
        KnownPipeline whole = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        PipelineGraph spelt = new SpellOut().apply(graph);
        List<AssignedSplit> all = EveryPipelineTest.assigned(plan.splits, TicketSet.NONE);
        List<CachePoint> points = CachePoints.of(graph, whole.analysis(), SEED).points();
        assertThat(points).hasSizeGreaterThan(1);
        for (CachePoint point : points) {
            PipelineGraph begin = new PipelineGraph(
                    spelt.nodes().values(), spelt.functions().values(), point.node(), spelt.versions());
            KnownPipeline other = new KnownPipeline(begin, PipelineAnalysis.of(begin));
            CacheOrder order = new CacheOrder("t", point.prefix(), point.number(), true);
            Path own = folder.resolve("point" + point.number());
            try (CacheStore store = CacheStore.open(own, false, "w1", 1L << 30, InstantSource.system())) {
                store.divide(Map.of(new EntryGroup("t", point.prefix()), new StoreRoom.Target(1L << 30, false)));
                Ran computed = run(other, store, Optional.empty(), all);
                Ran kept = run(whole, store, Optional.of(order), all);
                assertThat(kept.told().getStoredSplits()).isEqualTo(all.size());

                Ran read = run(other, store, Optional.of(order), all);
                assertThat(read.told().getCachedSplits()).isEqualTo(all.size());
                assertThat(read.values()).as("behind %s", point).isEqualTo(computed.values());
            }
        }
    }
}
