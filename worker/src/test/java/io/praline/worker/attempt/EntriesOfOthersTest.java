package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignedSplit;
import io.praline.schema.CacheOrder;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.StillGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.metrics.BusyTime;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

/** What a job reads of splits whose entries another job makes at the same time. */
class EntriesOfOthersTest {
    private static final long SEED = 7;

    @TempDir
    private Path folder;

    private final SplitQueue splits = new SplitQueue();
    private final Settlement settlement = new Settlement();
    private final Holding graph = new Holding();
    private List<AssignedSplit> all;
    private CacheStore store;
    private Staging staging;
    private CacheUse entries;
    private SplitFeeder feeder;
    private long nanos;

    /** Holds as many splits as it is told, for one look each, and does at a look what it is told; at last it holds none. */
    private static final class Holding extends StillGraph {
        private record Look(long holds, Runnable before) {}

        private final Deque<Look> looks = new ArrayDeque<>();
        private final List<String> fed = new ArrayList<>();

        void holds(long splits, Runnable before) {
            looks.add(new Look(splits, before));
        }

        @Override
        public long queueSize() {
            if (looks.isEmpty()) {
                return 0;
            }
            Look look = looks.remove();
            look.before().run();
            return look.holds();
        }

        @Override
        public void enqueue(FeedSplit split) {
            fed.add("split " + split.ordinal());
        }

        @Override
        public void enqueueEntry(FeedSplit entry, long[] dropped) {
            fed.add("entry of " + entry.ordinal());
        }

        @Override
        public boolean reads() {
            return true;
        }
    }

    @BeforeEach
    void begin() throws IOException {
        EveryPipelineTest.Plan plan = EveryPipelineTest.plan("filter.pb", "data/numbers-*.tfrecord");
        PipelineGraph pipeline = plan.graph.orElseThrow();
        KnownPipeline known = new KnownPipeline(pipeline, PipelineAnalysis.of(pipeline));
        CachePoint point =
                CachePoints.of(pipeline, known.analysis(), SEED).points().get(0);
        all = EveryPipelineTest.assigned(plan.splits, TicketSet.NONE);
        store = CacheStore.open(folder.resolve("store"), false, "w1", 1L << 30, InstantSource.system());
        store.divide(Map.of(new EntryGroup("t", point.prefix()), new StoreRoom.Target(1L << 30, false)));
        staging = Staging.open(
                new FileStores(S3Settings.USUAL), new StageSettings(folder.resolve("staged"), OptionalLong.of(1)));
        entries = CacheUse.of(
                        Starts.of(known)
                                .setCache(new CacheOrder("t", point.prefix(), point.number(), true))
                                .build(),
                        known,
                        Optional.of(store),
                        settlement)
                .orElseThrow();
        AttemptKey key = new AttemptKey("j", 0, 0);
        feeder = new SplitFeeder(
                key,
                splits,
                new AttemptLifecycle(key),
                new BusyTime(),
                split -> OptionalLong.empty(),
                new StagedInput(new DataReader("w1", staging.reading()), settlement),
                () -> nanos,
                failed -> {
                    throw new IllegalStateException(failed.toString());
                });
        feeder.use(graph, Optional.of(entries));
    }

    @AfterEach
    void end() throws IOException {
        entries.close();
        staging.close();
        store.close();
    }

    private void waiting(int count) {
        all.subList(0, count).forEach(settlement::assigned);
        splits.offer(1, all.subList(0, count));
    }

    private void secondsPass(double seconds) {
        nanos += (long) (seconds * 1e9);
    }

    private EntryMaking madeByAnother(int split) {
        return store.make(entries.keptAs(all.get(split)).orElseThrow()).orElseThrow();
    }

    @Test
    void whatAnotherBeganUntilThereWasRoomComesBehindTheRest() throws Exception {
        waiting(2);
        graph.holds(2, () -> {});
        graph.holds(2, () -> madeByAnother(0));

        feeder.feedNext(graph);

        assertThat(graph.fed).containsExactly("split 1");
    }

    // looks for room, and for room again
    @Test
    void whatAnotherBeganSinceItWasTakenComesBehindTheRest() throws Exception {
        waiting(2);
        graph.holds(1, () -> {});
        graph.holds(1, () -> madeByAnother(0));

        feeder.feedNext(graph);
        assertThat(graph.fed).isEmpty();
        assertThat(splits.size()).isEqualTo(2);
        feeder.feedNext(graph);

        assertThat(graph.fed).containsExactly("split 1");
    }

    @Test
    void whatAnotherMakesIsReadFromItsEntryOnceThatIsThereIfTheGraphHadSomethingToDoUntilThen() throws Exception {
        waiting(1);
        EntryMaking made = madeByAnother(0);
        graph.holds(1, () -> {});
        graph.holds(1, () -> secondsPass(60));
        graph.holds(1, () -> assertThat(made.publish(RoaringBitmap.bitmapOf(0))).isTrue());

        feeder.feedNext(graph);

        assertThat(graph.fed).containsExactly("entry of 0");
    }

    // until a split was measured for 2 s
    @Test
    void whatAnotherMakesIsWaitedForALittleAlsoWhereTheGraphHasNothingToDo() throws Exception {
        waiting(1);
        EntryMaking made = madeByAnother(0);
        graph.holds(1, () -> {});
        for (int look = 0; look < 10; look++) {
            graph.holds(0, () -> secondsPass(0.19));
        }
        graph.holds(0, () -> assertThat(made.publish(RoaringBitmap.bitmapOf(0))).isTrue());

        feeder.feedNext(graph);

        assertThat(graph.fed).containsExactly("entry of 0");
    }

    // who makes them comes to the last one last
    @Test
    void ofWhatAnotherMakesTheLastIsComputedIfTheGraphHadNothingToDoForTooLong() throws Exception {
        waiting(2);
        try (EntryMaking first = madeByAnother(0);
                EntryMaking second = madeByAnother(1)) {
            graph.holds(1, () -> {});
            graph.holds(0, () -> {});
            graph.holds(0, () -> secondsPass(2.1));

            feeder.feedNext(graph);
            assertThat(graph.fed).containsExactly("split 1");
            assertThat(second.publish(RoaringBitmap.bitmapOf(0))).isTrue();
            assertThat(first.publish(RoaringBitmap.bitmapOf(0))).isTrue();
        }
    }
}
