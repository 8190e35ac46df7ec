package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignedSplit;
import io.praline.schema.CacheOrder;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.NoNumbers;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.patience.PatientThreads;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

class SplitCountingTest {
    @TempDir
    private Path folder;

    private static AssignedSplit object() {
        Split split = Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(0)
                .setPaths(List.of("s3://bucket/a"))
                .setVersions(List.of("etag 100 x"))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(100)
                .build();
        return new AssignedSplit(0L, split, ByteBuffer.allocate(0));
    }

    @Test
    void ofAFileThatBreaksOffAsManyAreCountedAsAPipelineMayLeaveOut() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "no such records");
        Split split = Split.newBuilder(object().getSplit())
                .setPaths(List.of(file.toString()))
                .setVersions(List.of())
                .build();
        DataReader reader = new DataReader("w1", Staging.none().reading());

        assertThat(SplitRecords.count(reader, split, analysis("errors_ignored"), 0, () -> true))
                .hasValue(1);
        assertThatThrownBy(() -> SplitRecords.count(reader, split, analysis("tfrecords"), 0, () -> true))
                .isInstanceOf(AttemptFailed.class);
    }

    private static PipelineAnalysis analysis(String name) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));
    }

    // with an entry nothing of the object is fetched, and there is nothing that could be counted in its place
    @Test
    void anEntryThatGoesWhileItIsLookedAtHasSaidHowManyRecordsThereAre() {
        PipelineGraph graph = EveryPipelineTest.plan("filter.pb", "data/numbers-*.tfrecord")
                .graph
                .orElseThrow();
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        CachePoint point = CachePoints.of(graph, known.analysis(), 7).points().get(0);
        StartAttempt order = Starts.of(known)
                .setCache(new CacheOrder("t", point.prefix(), point.number(), true))
                .build();
        Settlement settlement = new Settlement();
        settlement.assigned(object());
        List<AttemptFailed> broken = new ArrayList<>();
        EntryGroup group = new EntryGroup("t", point.prefix());
        try (CacheStore store = CacheStore.open(folder, true, "w1", 1 << 20, InstantSource.system())) {
            store.divide(Map.of(group, new StoreRoom.Target(1 << 20, false)));
            CacheUse use =
                    CacheUse.of(order, known, Optional.of(store), settlement).orElseThrow();
            EntryKey key = use.keptAs(object()).orElseThrow();
            try (EntryMaking making = store.make(key).orElseThrow()) {
                assertThat(making.publish(RoaringBitmap.bitmapOf(0, 1, 2))).isTrue();
            }
            Surroundings around = new Surroundings("w1", new TaskShare(2, 0), digest -> known, Runnable::run, () -> {});
            AttemptKey attempt = new AttemptKey("j", 0, 0);
            Supplier<Optional<CacheUse>> goesWhenAskedAgain = new Supplier<>() {
                private int asked;

                @Override
                public Optional<CacheUse> get() {
                    if (asked++ > 0) {
                        store.drop(key);
                    }
                    return Optional.of(use);
                }
            };
            new SplitCounting(
                            order,
                            around,
                            new DataReader("w1", Staging.none().reading()),
                            new AttemptLifecycle(attempt),
                            settlement,
                            new AttemptReport(attempt, new NoNumbers(), () -> {}),
                            goesWhenAskedAgain,
                            broken::add)
                    .later(object());
        }
        assertThat(broken).isEmpty();
        assertThat(settlement.records(0)).hasValue(3);
    }

    // what is thrown where splits are counted ends the worker, with all of its attempts
    @Test
    void whereAnEntryCannotBeLookedForTheAttemptFailsAndNothingElse() {
        PipelineGraph graph = EveryPipelineTest.plan("filter.pb", "data/numbers-*.tfrecord")
                .graph
                .orElseThrow();
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        AttemptKey attempt = new AttemptKey("j", 0, 0);
        List<AttemptFailed> broken = new ArrayList<>();
        new SplitCounting(
                        Starts.of(known).build(),
                        new Surroundings("w1", new TaskShare(2, 0), digest -> known, Runnable::run, () -> {}),
                        new DataReader("w1", Staging.none().reading()),
                        new AttemptLifecycle(attempt),
                        new Settlement(),
                        new AttemptReport(attempt, new NoNumbers(), () -> {}),
                        () -> {
                            throw new IllegalStateException("the store is closed");
                        },
                        broken::add)
                .later(new AssignedSplit(
                        0L,
                        Split.newBuilder(object().getSplit())
                                .setPaths(List.of("/data/a"))
                                .setVersions(List.of())
                                .build(),
                        ByteBuffer.allocate(0)));

        assertThat(broken)
                .singleElement()
                .extracting(AttemptFailed::getMessage)
                .isEqualTo("split 0 cannot be counted: java.lang.IllegalStateException: the store is closed");
    }

    @Test
    void whereAFileSystemDoesNotAnswerTheAttemptSaysSoAndFailsAtLast() {
        AttemptKey attempt = new AttemptKey("j", 0, 0);
        List<AttemptFailed> broken = new ArrayList<>();
        List<Runnable> counts = new ArrayList<>();
        PipelineGraph graph = EveryPipelineTest.plan("filter.pb", "data/numbers-*.tfrecord")
                .graph
                .orElseThrow();
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        SplitCounting counting = new SplitCounting(
                Starts.of(known).build(),
                new Surroundings("w1", new TaskShare(2, 0), digest -> known, counts::add, () -> {}),
                new DataReader("w1", Staging.none().reading()),
                new AttemptLifecycle(attempt),
                new Settlement(),
                new AttemptReport(attempt, new NoNumbers(), () -> {}),
                Optional::empty,
                broken::add);
        counting.later(object());
        assertThat(counting.waitsFor()).isEmpty();

        PatientThreads.Patient count = (PatientThreads.Patient) counts.get(0);
        assertThat(count.heldUp("/nfs/a", Duration.ofSeconds(10))).isFalse();
        String why = "worker w1 cannot count the records of split 0: /nfs/a has not answered for ";
        String advice = "; see to the file system that it lies on, there";
        assertThat(counting.waitsFor()).contains(why + "10 s" + advice);
        assertThat(broken).isEmpty();

        assertThat(count.heldUp("/nfs/a", Duration.ofMinutes(3))).isTrue();
        assertThat(broken).singleElement().satisfies(failed -> {
            assertThat(failed).hasMessage(why + "180 s" + advice);
            assertThat(failed.still()).isEqualTo(Duration.ofMinutes(3));
        });
        count.run(); // there was an answer after all
        assertThat(counting.waitsFor()).isEmpty();
    }

    // each look is a request where entries lie in a bucket
    @Test
    void anEntryIsLookedForOnce() {
        EveryPipelineTest.Plan plan = EveryPipelineTest.plan("filter.pb", "data/numbers-*.tfrecord");
        PipelineGraph graph = plan.graph.orElseThrow();
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        CachePoint point = CachePoints.of(graph, known.analysis(), 7).points().get(0);
        StartAttempt order = Starts.of(known)
                .setCache(new CacheOrder("t", point.prefix(), point.number(), true))
                .build();
        AssignedSplit split =
                EveryPipelineTest.assigned(plan.splits, TicketSet.NONE).get(0);
        Settlement settlement = new Settlement();
        settlement.assigned(split);
        EntryGroup group = new EntryGroup("t", point.prefix());
        try (CacheStore store = CacheStore.open(folder, true, "w1", 1 << 20, InstantSource.system())) {
            store.divide(Map.of(group, new StoreRoom.Target(1 << 20, false)));
            CacheUse use =
                    CacheUse.of(order, known, Optional.of(store), settlement).orElseThrow();
            AttemptKey attempt = new AttemptKey("j", 0, 0);
            Supplier<Optional<CacheUse>> comesWhenAskedAgain = new Supplier<>() {
                private int asked;

                @Override
                public Optional<CacheUse> get() {
                    if (asked++ == 1) {
                        try (EntryMaking making =
                                store.make(use.keptAs(split).orElseThrow()).orElseThrow()) {
                            assertThat(making.publish(RoaringBitmap.bitmapOf(0, 1, 2)))
                                    .isTrue();
                        }
                    }
                    return Optional.of(use);
                }
            };
            new SplitCounting(
                            order,
                            new Surroundings("w1", new TaskShare(2, 0), digest -> known, Runnable::run, () -> {}),
                            new DataReader("w1", Staging.none().reading()),
                            new AttemptLifecycle(attempt),
                            settlement,
                            new AttemptReport(attempt, new NoNumbers(), () -> {}),
                            comesWhenAskedAgain,
                            failed -> {})
                    .later(split);
        }
        assertThat(settlement.records(split.getOrdinal())).hasValue(100);
    }
}
