package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheOrder;
import io.praline.schema.FinishAttempt;
import io.praline.schema.StartAttempt;
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
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Pipelines written in Python, computed, kept at each of their cache points, and read again: element by element the same. */
@Tag("long")
class CachedPipelinesTest {
    private static final long SEED = 7;
    private static final long SECONDS_90 = 90_000;

    @TempDir
    private Path folder;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    static Stream<Arguments> pipelineAndData() throws IOException {
        return EveryPipelineTest.pipelineAndData();
    }

    private record Ran(Map<Long, String> values, TicketSet excluded, AttemptProgress told) {}

    private Ran run(
            KnownPipeline known, Optional<CacheStore> store, Optional<CacheOrder> cache, List<AssignedSplit> splits)
            throws InterruptedException {
        StartAttempt start = Starts.of(known).setCache(cache.orElse(null)).build();
        Surroundings around = new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {});
        ValuesByTicket sink = new ValuesByTicket();
        AttemptRun run = new AttemptRun(start, store.map(around::with).orElse(around), sink);
        run.start();
        run.assign(new AssignSplits("j", 0, 0, 1, splits));
        run.finish(new FinishAttempt("j", 0, 0, 1, true, true));
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        AttemptProgress told = run.report().take(1 << 20, 0);
        assertThat(told.getFailure()).isEmpty();
        return new Ran(sink.values(), EveryPipelineTest.excluded(told), told);
    }

    private CacheStore store(CachePoint point) {
        CacheStore store =
                CacheStore.open(folder.resolve("p" + point.number()), false, "w1", 1L << 30, InstantSource.system());
        store.divide(Map.of(new EntryGroup("t", point.prefix()), new StoreRoom.Target(1L << 30, false)));
        return store;
    }

    @ParameterizedTest
    @MethodSource("pipelineAndData")
    void yieldsTheSameElementsFromEntries(String pipeline, String data) throws Exception {
        EveryPipelineTest.Plan plan = EveryPipelineTest.plan(pipeline, data);
        PipelineGraph whole = plan.graph.orElseThrow();
        CachePoints points = CachePoints.of(whole, PipelineAnalysis.of(whole), SEED);
        assertThat(points.points().isEmpty() && points.blocked().isEmpty()).isFalse();
        List<AssignedSplit> all = EveryPipelineTest.assigned(plan.splits, TicketSet.NONE);
        PipelineGraph spelt = new SpellOut().apply(whole);
        for (CachePoint point : points.points()) {
            PipelineGraph prefix = new PipelineGraph(
                    spelt.nodes().values(), spelt.functions().values(), point.node(), spelt.versions());
            KnownPipeline known = new KnownPipeline(prefix, PipelineAnalysis.of(prefix));
            Optional<CachePoint> its = CachePoints.of(prefix, known.analysis(), SEED).points().stream()
                    .filter(each -> each.node().equals(point.node()))
                    .findFirst();
            if (its.isEmpty()) {
                // what froze it stood behind it
                continue;
            }
            Ran computed = run(known, Optional.empty(), Optional.empty(), all);
            try (CacheStore store = store(its.get())) {
                CacheOrder order =
                        new CacheOrder("t", its.get().prefix(), its.get().number(), true);
                Ran kept = run(known, Optional.of(store), Optional.of(order), all);
                assertThat(kept.values()).as("computed at %s", point).isEqualTo(computed.values());
                assertThat(kept.excluded()).isEqualTo(computed.excluded());
                assertThat(kept.told().getStoredSplits()).isEqualTo(all.size());
                assertThat(kept.told().getCachedSplits()).isZero();

                Ran read = run(known, Optional.of(store), Optional.of(order), all);
                assertThat(read.values()).as("read at %s", point).isEqualTo(computed.values());
                assertThat(read.excluded()).isEqualTo(computed.excluded());
                assertThat(read.told().getCachedSplits()).isEqualTo(all.size());
                assertThat(read.told().getStoredSplits()).isZero();
                assertThat(read.told().getCachedElements())
                        .isEqualTo(computed.values().size());

                TicketSet done = half(computed.values());
                Ran rest = run(
                        known, Optional.of(store), Optional.of(order), EveryPipelineTest.assigned(plan.splits, done));
                Map<Long, String> left = new TreeMap<>(computed.values());
                left.keySet().removeIf(ticket -> !done.and(TicketSet.of(new long[] {ticket}))
                        .isEmpty());
                assertThat(rest.values()).as("the rest at %s", point).isEqualTo(left);
            }
        }
    }

    /** Every other element. */
    private static TicketSet half(Map<Long, String> values) {
        return TicketSet.of(values.keySet().stream()
                .mapToLong(Long::longValue)
                .filter(ticket -> ticket % 2 == 0)
                .toArray());
    }
}
