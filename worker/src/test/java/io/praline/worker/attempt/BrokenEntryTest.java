package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheOrder;
import io.praline.schema.FailureKind;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that break where nobody sees it: behind the look that was taken at them before they are read. */
class BrokenEntryTest {
    private static final long SECONDS_90 = 90_000;

    @TempDir
    private Path folder;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    private record Ran(Map<Long, String> values, AttemptProgress told) {}

    private Ran run(KnownPipeline known, CacheStore store, CachePoint point, int skipBad, List<AssignedSplit> splits)
            throws InterruptedException {
        Surroundings around = new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {});
        ValuesByTicket sink = new ValuesByTicket();
        AttemptRun run = new AttemptRun(
                Starts.of(known)
                        .setSkipBad(skipBad)
                        .setCache(new CacheOrder("t", point.prefix(), point.number(), true))
                        .build(),
                around.with(store),
                sink);
        run.start();
        run.assign(new AssignSplits("j", 0, 0, 1, splits));
        run.finish(new FinishAttempt("j", 0, 0, 1, true, true));
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        return new Ran(sink.values(), run.report().take(1 << 20, 0));
    }

    /** Another byte in the middle, and nothing that says so. */
    private static void breakSilently(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve("entries"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                FileTime time = Files.getLastModifiedTime(file);
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 3] ^= 0x20;
                Files.write(file, bytes);
                Files.setLastModifiedTime(file, time);
            }
        }
    }

    private void costsTheEntryAndNoElement(String pipeline, int skipBad) throws Exception {
        EveryPipelineTest.Plan plan = EveryPipelineTest.plan(pipeline, "data/numbers-*.tfrecord");
        PipelineGraph graph = plan.graph.orElseThrow();
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        List<CachePoint> points = CachePoints.of(graph, known.analysis(), 7).points();
        CachePoint point = points.get(points.size() - 1);
        List<AssignedSplit> all = EveryPipelineTest.assigned(plan.splits, TicketSet.NONE);
        try (CacheStore store = CacheStore.open(folder, false, "w1", 1L << 30, InstantSource.system())) {
            store.divide(Map.of(new EntryGroup("t", point.prefix()), new StoreRoom.Target(1L << 30, false)));
            Ran computed = run(known, store, point, skipBad, all);
            assertThat(computed.told().getFailure()).isEmpty();
            assertThat(computed.told().getStoredSplits()).isEqualTo(all.size());
            Ran read = run(known, store, point, skipBad, all);
            assertThat(read.values()).isEqualTo(computed.values());

            breakSilently(folder);
            Ran broken = run(known, store, point, skipBad, all);
            assertThat(broken.told().getFailure().map(AttemptFailure::getKind)).contains(FailureKind.CACHE);
            broken.values().forEach((ticket, value) -> assertThat(value)
                    .isEqualTo(computed.values().get(ticket)));

            Ran again = run(known, store, point, skipBad, all);
            for (int tries = 0; tries < all.size() && again.told().getFailure().isPresent(); tries++) {
                assertThat(again.told().getFailure().map(AttemptFailure::getKind))
                        .contains(FailureKind.CACHE);
                again = run(known, store, point, skipBad, all);
            }
            assertThat(again.told().getFailure()).isEmpty();
            assertThat(again.values()).isEqualTo(computed.values());
        }
    }

    // with a session of TensorFlow's, and without one, since behind the filter are batches only
    @ParameterizedTest
    @ValueSource(strings = {"kept/of_all_types.pb", "filter.pb"})
    void anEntryThatBreaksUnseenCostsTheEntryAndNoElement(String pipeline) throws Exception {
        costsTheEntryAndNoElement(pipeline, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kept/of_all_types.pb", "filter.pb"})
    void whereBadRecordsAreToleratedItIsNoneOfThem(String pipeline) throws Exception {
        costsTheEntryAndNoElement(pipeline, 100);
    }
}
