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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that become others while a job reads them, and what is kept of them. */
class ChangedFilesTest {
    private static final long SECONDS_90 = 90_000;

    @TempDir
    private Path folder;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    private interface Meanwhile {
        void happens() throws Exception;
    }

    private record Ran(Map<Long, String> values, AttemptProgress told) {}

    /** @param change between the counting of the splits and their reading */
    private Ran run(
            KnownPipeline known,
            CacheStore store,
            Optional<CacheOrder> cache,
            List<AssignedSplit> splits,
            Meanwhile change)
            throws Exception {
        Surroundings around = new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {});
        ValuesByTicket sink = new ValuesByTicket();
        AttemptRun run =
                new AttemptRun(Starts.of(known).setCache(cache.orElse(null)).build(), around.with(store), sink);
        run.assign(new AssignSplits("j", 0, 0, 1, splits));
        run.finish(new FinishAttempt("j", 0, 0, 1, true, true));
        for (int step = 0; step < 2; step++) { // whether it is at hand, then how many there are
            counting.submit(() -> {}).get();
        }
        change.happens();
        run.start();
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        return new Ran(sink.values(), run.report().take(1 << 20, 0));
    }

    // its first records are all that it had when it was counted: an entry of those alone would stand in for the whole
    // file
    @Test
    void anEntryHasAllThatAFileHasThatGrewBehindItsCounting() throws Exception {
        Path from = EveryPipelineTest.pipelines().resolve("data");
        Path file = Files.copy(from.resolve("numbers-00000.tfrecord"), folder.resolve("a.tfrecord"));
        EveryPipelineTest.Plan plan = EveryPipelineTest.plan("filter.pb", file.toString());
        PipelineGraph graph = plan.graph.orElseThrow();
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        List<AssignedSplit> all = EveryPipelineTest.assigned(plan.splits, TicketSet.NONE);
        CachePoint point = CachePoints.of(graph, known.analysis(), 7).points().get(0);
        CacheOrder order = new CacheOrder("t", point.prefix(), point.number(), true);
        byte[] more = Files.readAllBytes(from.resolve("numbers-00001.tfrecord"));
        // what changed a moment ago is not kept at all
        InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(5));
        try (CacheStore store = CacheStore.open(folder.resolve("cache"), false, "w1", 1L << 30, later)) {
            store.divide(Map.of(new EntryGroup("t", point.prefix()), new StoreRoom.Target(1L << 30, false)));
            run(known, store, Optional.of(order), all, () -> Files.write(file, more, StandardOpenOption.APPEND));
            Ran computed = run(known, store, Optional.empty(), all, () -> {});
            assertThat(computed.told().getFailure()).isEmpty();
            Ran read = run(known, store, Optional.of(order), all, () -> {});
            assertThat(read.told().getFailure()).isEmpty();
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.told().getStoredSplits()).isEqualTo(1);
            Ran again = run(known, store, Optional.of(order), all, () -> {});
            assertThat(again.values()).isEqualTo(computed.values());
            assertThat(again.told().getCachedSplits()).isEqualTo(1);
        }
    }
}
