package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheOrder;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Split;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What entries make of elements that a program, a plan or a second reading makes unusual: what computing makes, or nothing. */
class KeptAsComputedTest {
    private static final String NUMBERS = "data/numbers-*.tfrecord";
    private static final long SECONDS_90 = 90_000;

    @TempDir
    private Path folder;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    private record Ran(Map<Long, String> values, AttemptProgress told) {}

    /** A pipeline, the last point of it that is not its end, and a store. */
    private final class World implements AutoCloseable {
        private final List<Split> splits;
        private final KnownPipeline known;
        private final CacheOrder order;
        private final CacheStore store;

        World(String pipeline, int point) {
            EveryPipelineTest.Plan plan = EveryPipelineTest.plan(pipeline, NUMBERS);
            splits = plan.splits;
            PipelineGraph graph = plan.graph.orElseThrow();
            known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
            CachePoint at =
                    CachePoints.of(graph, known.analysis(), 7).point(point).orElseThrow();
            order = new CacheOrder("t", at.prefix(), point, true);
            store = CacheStore.open(folder, false, "w1", 1L << 30, InstantSource.system());
            store.divide(Map.of(new EntryGroup("t", at.prefix()), new StoreRoom.Target(1L << 30, false)));
        }

        List<AssignedSplit> all() {
            return EveryPipelineTest.assigned(splits, TicketSet.NONE);
        }

        /** @param again assigned when two batches came: the first one is accounted for by then */
        Ran run(boolean cached, List<AssignedSplit> assigned, List<AssignedSplit> again) throws InterruptedException {
            ValuesByTicket sink = new ValuesByTicket(!again.isEmpty());
            Surroundings around = new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {});
            AttemptRun run = new AttemptRun(
                    Starts.of(known).setCache(cached ? order : null).build(), around.with(store), sink);
            run.start();
            run.assign(new AssignSplits("j", 0, 0, 1, assigned));
            if (!again.isEmpty()) {
                sink.await(2);
                run.assign(new AssignSplits("j", 0, 0, 2, again));
            }
            run.finish(new FinishAttempt("j", 0, 0, again.isEmpty() ? 1 : 2, true, true));
            assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
            AttemptProgress told = run.report().take(1 << 20, 0);
            assertThat(told.getFailure()).isEmpty();
            return new Ran(sink.values(), told);
        }

        Ran run(boolean cached, List<AssignedSplit> assigned) throws InterruptedException {
            return run(cached, assigned, List.of());
        }

        @Override
        public void close() {
            store.close();
        }
    }

    // a shape that a program states and that is not so goes unnoticed as long as no step looks at it
    @ParameterizedTest
    @CsvSource({"kept/rows_and_columns_mixed_up.pb, 0", "kept/shorter_than_told.pb, 0", "kept/of_all_types.pb, 4"})
    void elementsComeBackInTheShapeTheyHadOrAreComputed(String pipeline, int entries) throws Exception {
        try (World world = new World(pipeline, 1)) {
            Ran computed = world.run(false, world.all());
            Ran kept = world.run(true, world.all());
            assertThat(kept.values()).isEqualTo(computed.values());
            assertThat(kept.told().getStoredSplits()).isEqualTo(entries);
            Ran read = world.run(true, world.all());
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.told().getCachedSplits()).isEqualTo(entries);
        }
    }

    @Test
    void aFileThatStandsTwiceInTheDataIsDrawnForTwice() throws Exception {
        try (World world = new World("kept/drawn_and_cached.pb", 1)) {
            Split twice = world.splits.get(0);
            List<AssignedSplit> data =
                    EveryPipelineTest.assigned(List.of(twice, world.splits.get(1), twice), TicketSet.NONE);
            Ran computed = world.run(false, data);
            assertThat(world.run(true, data).values()).isEqualTo(computed.values());
            Ran read = world.run(true, data);
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.told().getCachedSplits()).isEqualTo(3);
        }
    }

    /** What a consumer that left had not taken, of the first batch, is assigned to the same attempt once more. */
    private static List<AssignedSplit> lost(World world) {
        long[] others = LongStream.range(5, 1_000).toArray();
        return EveryPipelineTest.assigned(world.splits.subList(0, 1), TicketSet.of(others));
    }

    // the filter's word comes every two seconds: until then the entry is not whole, though all else has passed
    @Test
    void whatIsReadOnceMoreWhileItIsKeptIsKeptOnce() throws Exception {
        try (World world = new World("filter.pb", 2)) {
            List<AssignedSplit> first = world.all().subList(0, 1);
            Ran kept = world.run(true, first, lost(world));
            assertThat(kept.told().getStoredSplits()).isEqualTo(1);
            Ran computed = world.run(false, first);
            Ran read = world.run(true, first);
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.told().getCachedSplits()).isEqualTo(1);
            assertThat(read.told().getCachedElements())
                    .isEqualTo(computed.values().size());
        }
    }

    @Test
    void whatIsReadOnceMoreOfAnEntryIsThere() throws Exception {
        try (World world = new World("filter.pb", 2)) {
            List<AssignedSplit> first = world.all().subList(0, 1);
            Ran computed = world.run(true, first);
            Ran read = world.run(true, first, lost(world));
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.told().getCachedSplits()).isEqualTo(2);
        }
    }

    @Test
    void filesThatAConstantNamesAreKept() throws Exception {
        try (World world = new World("kept/names_and_labels.pb", 1)) {
            Ran computed = world.run(false, world.all());
            Ran kept = world.run(true, world.all());
            assertThat(kept.told().getStoredSplits()).isEqualTo(world.splits.size());
            assertThat(kept.values()).isEqualTo(computed.values());
            assertThat(world.run(true, world.all()).values()).isEqualTo(computed.values());
        }
    }
}
