package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheOrder;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Split;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Batches that are put together from entries: those that computing makes, without a session of TensorFlow's as long as no split
 * must be computed.
 */
class BatchesFromEntriesTest {
    private static final String NUMBERS = "data/numbers-*.tfrecord";
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    /** What an attempt delivered, in batches of these sizes, what it told, and how many sessions it had. */
    private record Ran(Map<Long, String> values, List<Integer> sizes, AttemptProgress told, int sessions) {
        TicketSet delivered() {
            return TicketSet.of(
                    values.keySet().stream().mapToLong(Long::longValue).toArray());
        }

        TicketSet remainder() {
            return TicketSet.of(TicketRuns.decode(told.getEnd().orElseThrow().getRemainder()));
        }
    }

    private final class World implements AutoCloseable {
        private final KnownPipeline known;
        private final List<AssignedSplit> all;
        private final CacheOrder order;
        private final CacheStore store;

        /** Of a pipeline, its last point, and a store. */
        World(String pipeline) {
            EveryPipelineTest.Plan plan = EveryPipelineTest.plan(pipeline, NUMBERS);
            PipelineGraph graph = plan.graph.orElseThrow();
            known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
            all = EveryPipelineTest.assigned(plan.splits, TicketSet.NONE);
            List<CachePoint> points = CachePoints.of(graph, known.analysis(), 7).points();
            CachePoint last = points.get(points.size() - 1);
            order = new CacheOrder("t", last.prefix(), last.number(), true);
            store = CacheStore.open(folder, false, "w1", 1L << 30, InstantSource.system());
            store.divide(Map.of(new EntryGroup("t", last.prefix()), new StoreRoom.Target(1L << 30, false)));
        }

        List<AssignedSplit> without(TicketSet done) {
            List<Split> splits = all.stream().map(AssignedSplit::getSplit).toList();
            return EveryPipelineTest.assigned(splits, done);
        }

        private AttemptRun started(boolean cached, BatchSink sink, AtomicInteger sessions) {
            Surroundings around = new Surroundings(
                    "w1",
                    new TaskShare(2, 0),
                    digest -> known,
                    Optional.of(store),
                    counting,
                    () -> {},
                    (pipeline, settings, cancellation) -> {
                        sessions.incrementAndGet();
                        return Surroundings.Graphs.TENSORFLOW.make(pipeline, settings, cancellation);
                    },
                    System::nanoTime,
                    Staging.none(),
                    Optional.empty());
            AttemptRun run = new AttemptRun(
                    Starts.of(known).setCache(cached ? order : null).build(), around, sink);
            run.start();
            return run;
        }

        /**
         * Runs an attempt.
         *
         * @param later assigned when two batches came
         */
        Ran run(boolean cached, boolean deliverTail, List<AssignedSplit> first, List<AssignedSplit> later)
                throws InterruptedException {
            ValuesByTicket sink = new ValuesByTicket();
            AtomicInteger sessions = new AtomicInteger();
            AttemptRun run = started(cached, sink, sessions);
            run.assign(new AssignSplits("j", 0, 0, 1, first));
            if (!later.isEmpty()) {
                sink.await(2);
                run.assign(new AssignSplits("j", 0, 0, 2, later));
            }
            run.finish(new FinishAttempt("j", 0, 0, later.isEmpty() ? 1 : 2, deliverTail, deliverTail));
            assertThat(run.awaitOver(SOON.toMillis())).as("the attempt ends").isTrue();
            AttemptProgress told = run.report().take(1 << 20, 0);
            assertThat(told.getFailure()).isEmpty();
            return new Ran(sink.values(), sink.sizes(), told, sessions.get());
        }

        Ran run(boolean cached, List<AssignedSplit> assigned) throws InterruptedException {
            return run(cached, true, assigned, List.of());
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private static void assertWholeButTheLast(Ran ran) {
        int full = Collections.max(ran.sizes());
        assertThat(ran.sizes().subList(0, ran.sizes().size() - 1)).allMatch(size -> size == full);
    }

    /** Every other element. */
    private static TicketSet half(Map<Long, String> values) {
        return TicketSet.of(values.keySet().stream()
                .mapToLong(Long::longValue)
                .filter(ticket -> ticket % 2 == 0)
                .toArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"map_and_batch.pb", "filter.pb", "prefetch.pb", "kept/batches_of_all_types.pb"})
    void areWhatComputingMakes(String pipeline) throws Exception {
        try (World world = new World(pipeline)) {
            Ran computed = world.run(false, world.all);
            Ran kept = world.run(true, world.all);
            assertThat(kept.sessions()).isEqualTo(1);
            assertThat(kept.values()).isEqualTo(computed.values());
            assertThat(kept.told().getStoredSplits()).isEqualTo(world.all.size());

            Ran read = world.run(true, world.all);
            assertThat(read.sessions()).isZero();
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.sizes()).isEqualTo(computed.sizes());
            assertThat(EveryPipelineTest.excluded(read.told())).isEqualTo(EveryPipelineTest.excluded(computed.told()));
            assertThat(read.remainder().isEmpty()).isTrue();
            assertThat(read.told().getCachedSplits()).isEqualTo(world.all.size());

            TicketSet done = half(computed.values());
            Ran rest = world.run(true, world.without(done));
            assertThat(rest.sessions()).isZero();
            assertWholeButTheLast(rest);
            assertThat(accounted(rest)).isEqualTo(accounted(computed).minus(done));
            assertThat(common(rest, computed)).isEqualTo(common(computed, rest)).isNotEmpty();
        }
    }

    /** What was delivered, and what was told to be left out. */
    private static TicketSet accounted(Ran ran) {
        return ran.delivered().plus(EveryPipelineTest.excluded(ran.told()));
    }

    /** Values of what both have. */
    private static Map<Long, String> common(Ran of, Ran other) {
        Map<Long, String> common = new TreeMap<>(of.values());
        common.keySet().retainAll(other.values().keySet());
        return common;
    }

    @ParameterizedTest
    @ValueSource(strings = {"map_and_batch.pb", "prefetch.pb", "kept/batches_of_all_types.pb"})
    void aShortLastOneIsLeftToAnotherAttempt(String pipeline) throws Exception {
        try (World world = new World(pipeline)) {
            Ran computed = world.run(true, false, world.all, List.of());
            Ran read = world.run(true, false, world.all, List.of());
            assertThat(read.sessions()).isZero();
            assertThat(read.values()).isEqualTo(computed.values());
            assertThat(read.sizes()).containsOnly(computed.sizes().get(0));
            assertThat(read.remainder()).isEqualTo(computed.remainder());
            assertThat(read.remainder().isEmpty()).isFalse();
        }
    }

    private static void takeAnEntryAway(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve("entries"))) {
            Files.delete(all.filter(Files::isRegularFile).findFirst().orElseThrow());
        }
    }

    // the elements of the batch that was not whole by then, of an entry that was read and of one that was being read,
    // go on
    @ParameterizedTest
    @ValueSource(strings = {"map_and_batch.pb", "filter.pb", "kept/batches_of_all_types.pb"})
    void aSplitWithoutEntryHasTheRestMadeByTensorFlow(String pipeline) throws Exception {
        try (World world = new World(pipeline)) {
            Ran computed = world.run(true, world.all);
            takeAnEntryAway(folder);
            Set<Long> lost = new HashSet<>(
                    world.all.stream().map(AssignedSplit::getOrdinal).toList());
            lost.removeIf(ordinal -> hasEntry(world, ordinal));
            assertThat(lost).hasSize(1);
            Map<Boolean, List<AssignedSplit>> byEntry =
                    world.all.stream().collect(Collectors.partitioningBy(split -> !lost.contains(split.getOrdinal())));

            Ran mixed = world.run(true, true, byEntry.get(true), byEntry.get(false));
            assertThat(mixed.sessions()).isEqualTo(1);
            assertWholeButTheLast(mixed);
            assertThat(accounted(mixed)).isEqualTo(accounted(computed));
            assertThat(mixed.sizes()).hasSameSizeAs(computed.sizes());
            assertThat(common(mixed, computed)).isEqualTo(common(computed, mixed));
            assertThat(mixed.told().getCachedSplits()).isEqualTo(world.all.size() - 1L);
            assertThat(mixed.told().getStoredSplits()).isEqualTo(1);
        }
    }

    private static boolean hasEntry(World world, long ordinal) {
        AssignedSplit split = world.all.get(Math.toIntExact(ordinal));
        return CacheUse.of(
                        Starts.of(world.known).setCache(world.order).build(),
                        world.known,
                        Optional.of(world.store),
                        new Settlement())
                .orElseThrow()
                .road()
                .counted(split)
                .isPresent();
    }

    @Test
    void whereNoSplitComesItWaitsUntilNobodyWantsIt() throws Exception {
        try (World world = new World("filter.pb")) {
            world.run(true, world.all);
            ValuesByTicket sink = new ValuesByTicket();
            AtomicInteger sessions = new AtomicInteger();
            AttemptRun run = world.started(true, sink, sessions);
            run.assign(new AssignSplits("j", 0, 0, 1, world.all));
            sink.await(2);
            assertThat(run.isOver()).isFalse();
            run.fence();
            await().atMost(SOON).until(run::isOver);
            assertThat(sessions).hasValue(0);
        }
    }
}
