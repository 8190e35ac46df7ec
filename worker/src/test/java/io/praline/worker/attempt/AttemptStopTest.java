package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptFailure;
import io.praline.schema.FailureKind;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.WorkerHeartbeat;
import io.praline.worker.EngineStart;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.delivery.LastSequence;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.NoNumbers;
import io.praline.worker.metrics.WorkerReporter;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an attempt does when it is fenced or fails, its threads end, and what it held is given back. */
class AttemptStopTest {
    /** It takes some milliseconds; the machine may be busy. */
    private static final Duration SOON = Duration.ofSeconds(90);

    /** Each test has a job of its own: what one leaves behind is not taken for another's. */
    private static final AtomicInteger JOBS = new AtomicInteger();

    private static TensorFlowOps ops;

    private final AttemptKey key = new AttemptKey("j" + JOBS.incrementAndGet(), 0, 0);
    private final ExecutorService counting = Executors.newSingleThreadExecutor();
    private final TakenBatches sink = new TakenBatches();
    private final DeliveryServer delivery = DeliveryServer.start(
            new DeliveryConfig(
                    "127.0.0.1", 0, Optional.empty(), "secret".repeat(8).getBytes(StandardCharsets.UTF_8), 8),
            "i");

    @BeforeAll
    static void loadTensorFlow() {
        ops = EngineStart.warm();
    }

    @AfterEach
    void close() {
        counting.shutdownNow();
        delivery.close();
    }

    private static KnownPipeline pipeline(String name) {
        PipelineGraph graph = PipelineGraph.parse(Pipelines.bytesHere(name), ops);
        return new KnownPipeline(graph, PipelineAnalysis.of(graph));
    }

    private AttemptRun started(KnownPipeline known, Function<String, KnownPipeline> pipelines, BatchSink into) {
        AttemptRun run = new AttemptRun(Starts.of(known).setJob(key.job()).build(), around(pipelines), into);
        run.start();
        return run;
    }

    private AttemptRun started(String pipeline, BatchSink into) {
        KnownPipeline known = pipeline(pipeline);
        return started(known, digest -> known, into);
    }

    private Surroundings around(Function<String, KnownPipeline> pipelines) {
        return new Surroundings("w1", new TaskShare(2, 0), pipelines, counting, () -> {});
    }

    private static Split split(SplitKind kind, List<String> paths) {
        Split.Builder split = Split.newBuilder()
                .setKind(kind)
                .setSource(0)
                .setPaths(paths)
                .setFrom(0)
                .setUntil(0)
                .setStep(1)
                .setBytes(0);
        return (kind == SplitKind.INTEGERS ? split.setUntil(1L << 30).setRecords(1L << 30) : split).build();
    }

    private AssignSplits assigned(Split split) {
        return new AssignSplits(key.job(), 0, 0, 1, List.of(new AssignedSplit(0L, split, ByteBuffer.allocate(0))));
    }

    /** More than there is time for. */
    private AssignSplits endless(String pipeline) {
        return assigned(
                split(pipeline.equals("endless/sample_endless") ? SplitKind.WHOLE : SplitKind.INTEGERS, List.of()));
    }

    private List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> List.of("attempt " + key, "feed " + key).contains(thread.getName()))
                .toList();
    }

    /** Waits until the thread that pulls is where it is to be stopped. */
    private void awaitWithin(Class<?> type, String method) {
        await().atMost(SOON).until(() -> threads().stream().anyMatch(thread -> isWithin(thread, type, method)));
    }

    private static boolean isWithin(Thread thread, Class<?> type, String method) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(type.getName())
                        && frame.getMethodName().equals(method));
    }

    private void assertOver(AttemptRun run) throws InterruptedException {
        assertThat(run.awaitOver(SOON.toMillis())).as("the attempt is over").isTrue();
        await().atMost(SOON).until(() -> threads().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endless/sample_endless",
                "endless/filter_nothing",
                "endless/endless_element",
                "endless/large_batches"
            })
    void aFencedAttemptStopsInAnEndlessPipeline(String pipeline) throws InterruptedException {
        AttemptRun run = started(pipeline, sink);
        run.assign(endless(pipeline));
        awaitWithin(GraphSession.class, "next");
        run.fence();
        assertOver(run);
        assertThat(sink.ends()).isEmpty();
        assertThat(run.report().take(1 << 20, 0).getFailure()).isEmpty();
    }

    @Test
    void aFencedAttemptStopsWhileItWaitsForSplits() throws InterruptedException {
        AttemptRun run = started("batch", sink);
        awaitWithin(GraphSession.class, "next");
        run.fence();
        assertOver(run);
    }

    @Test
    void aFencedAttemptStopsWhileItsOutboxIsFull() throws InterruptedException {
        Outbox outbox = delivery.open(key, 1, 0);
        AttemptRun run = started("endless/sample_endless", BatchSink.of(outbox, () -> delivery.close(key)));
        run.assign(endless("endless/sample_endless"));
        awaitWithin(Outbox.class, "put");
        run.fence();
        assertOver(run);
        assertThat(outbox.bytes()).isZero();
    }

    @Test
    void aFencedAttemptStopsWhileNoConsumerIsThere() throws InterruptedException {
        Outbox outbox = delivery.open(key, new Membership(1, List.of(new Membership.Place(0, 0, false))), 1 << 20);
        AttemptRun run = started("endless/sample_endless", BatchSink.of(outbox, () -> delivery.close(key)));
        run.assign(endless("endless/sample_endless"));
        awaitWithin(Outbox.class, "put");
        assertThat(run.report().take(1 << 20, 0).getFailure()).isEmpty();
        run.fence();
        assertOver(run);
        assertThat(outbox.bytes()).isZero();
    }

    // whoever expects the number of records would wait for ever
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class, NoClassDefFoundError.class})
    void whereASplitCannotBeCountedForWhateverReasonItFails(Class<? extends Throwable> thrown) throws Exception {
        KnownPipeline known = pipeline("endless/sample_endless");
        Throwable unexpected = thrown.getDeclaredConstructor(String.class).newInstance("unexpected");
        AttemptRun run = started(
                known,
                digest -> {
                    if (Thread.currentThread().getName().startsWith("attempt")) {
                        return known;
                    }
                    if (unexpected instanceof RuntimeException exception) {
                        throw exception;
                    }
                    throw (Error) unexpected;
                },
                sink);
        run.assign(endless("endless/sample_endless"));

        assertOver(run);
        assertThat(run.report().take(1 << 20, 0).getFailure().orElseThrow())
                .isEqualTo(new AttemptFailure(
                        FailureKind.FAILED, "split 0 cannot be counted: " + thrown.getName() + ": unexpected", 0L));
    }

    // an element that never comes to an end, in an attempt that is to come to its own; the client has room
    @Test
    void whereNothingComesOfItForItsPatienceItFailsAndIsGivenBack() throws InterruptedException {
        AttemptRun run = started("endless/endless_element", sink);
        run.assign(endless("endless/endless_element"));
        awaitWithin(GraphSession.class, "next");
        // once the split is open, more of them may be what it waits for
        await().atMost(SOON).until(() -> !run.sight().due());
        run.finish(new FinishAttempt(key.job(), 0, 0, 1, true, true));
        await().atMost(SOON).until(() -> run.sight().due());
        ProgressWatch watch = new ProgressWatch(Duration.ofMinutes(10));
        long now = System.nanoTime();
        assertThat(watch.look(run.sight(), now)).isEmpty();
        assertThat(run.stoppedFor(now)).isEmpty();

        run.stuck(Duration.ofMinutes(10));

        assertOver(run);
        assertThat(run.stoppedFor(System.nanoTime())).isPresent();
        assertThat(run.report().take(1 << 20, 0).getFailure().orElseThrow().getReason())
                .startsWith("it is stuck: no batch, no split and no element for 10 min, though ")
                .endsWith(" and nobody holds it back");
    }

    // of 100 elements 98 are in whole batches, which wait for a consumer: however long that takes, nothing is stuck
    @Test
    void whereItsEndWaitsForAConsumerItIsHeldBack() throws InterruptedException {
        Outbox outbox = delivery.open(key, new Membership(1, List.of(new Membership.Place(0, 0, true))), 1 << 20);
        AttemptRun run = started("batch", BatchSink.of(outbox, () -> delivery.close(key)));
        run.assign(assigned(split(SplitKind.FILE, Pipelines.files("data/numbers-00000.tfrecord"))));
        await().atMost(SOON).until(() -> run.report().totals().elements(), Long.valueOf(98)::equals);
        run.serve(new Membership(2, List.of(new Membership.Place(0, 0, false))));
        run.finish(new FinishAttempt(key.job(), 0, 0, 1, false, false));
        awaitWithin(Outbox.class, "end");

        assertThat(run.sight().due()).isFalse();

        run.serve(new Membership(3, List.of(new Membership.Place(0, 1, true))));
        assertOver(run);
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 1, 98 / 7 - 1));
    }

    // what was delivered before stays owed to the clients until the fence comes
    @Test
    void whereOneThreadFailsTheOthersStopAndWhatWasMadeIsStillDelivered() throws InterruptedException {
        KnownPipeline known = pipeline("endless/sample_endless");
        AttemptFailed lost = new AttemptFailed(FailureKind.FAILED, "the topic is gone");
        CompletableFuture<Void> blocked = new CompletableFuture<>();
        Outbox outbox = delivery.open(key, 1, 0);
        AttemptRun run = started(
                known,
                digest -> {
                    if (Thread.currentThread().getName().startsWith("attempt")) {
                        return known;
                    }
                    blocked.join();
                    throw lost;
                },
                BatchSink.of(outbox, () -> delivery.close(key)));
        run.assign(endless("endless/sample_endless"));
        awaitWithin(Outbox.class, "put");
        await().atMost(SOON).until(() -> outbox.lastSequences().equals(List.of(new LastSequence(0, 0, 1))));
        long made = outbox.bytes();

        blocked.complete(null);

        assertOver(run);
        assertThat(run.report().take(1 << 20, 0).getFailure().orElseThrow().getReason())
                .isEqualTo("the topic is gone");
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 0, 1));
        assertThat(outbox.bytes()).isEqualTo(made).isPositive();
        assertThat(outbox.delivered()).isFalse();
    }

    @Test
    void aFencedAttemptDoesNotWaitForItsSplitsToBeCounted() throws InterruptedException {
        KnownPipeline known = pipeline("filter");
        AttemptRun run = new AttemptRun(
                Starts.of(known).setJob(key.job()).build(),
                new Surroundings("w1", new TaskShare(2, 0), digest -> known, never -> {}, () -> {}),
                sink);
        run.start();
        run.assign(assigned(split(SplitKind.FILE, Pipelines.files("data/numbers-00000.tfrecord"))));
        run.finish(new FinishAttempt(key.job(), 0, 0, 1, true, true));
        awaitWithin(Settlement.class, "awaitCounted");
        run.fence();
        assertOver(run);
        assertThat(sink.ends()).isEmpty();
    }

    // to count the lines of a tebibyte takes minutes, of which the disk holds one byte
    @Test
    void nobodyCountsOnForAnAttemptThatIsFenced(@TempDir Path folder) throws Exception {
        Path large = folder.resolve("large.txt");
        try (SeekableByteChannel file =
                Files.newByteChannel(large, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.position(1L << 40).write(ByteBuffer.allocate(1));
        }
        KnownPipeline known = pipeline("text_lines");
        AttemptLifecycle lifecycle = new AttemptLifecycle(key);
        SplitCounting counts = new SplitCounting(
                Starts.of(known).setJob(key.job()).build(),
                around(digest -> known),
                new DataReader("w1", Staging.none().reading()),
                lifecycle,
                new Settlement(),
                new AttemptReport(key, new NoNumbers(), () -> {}),
                Optional::empty,
                failed -> {});
        CompletableFuture<Thread> counter = new CompletableFuture<>();
        counting.execute(() -> counter.complete(Thread.currentThread()));
        counts.later(new AssignedSplit(0L, split(SplitKind.FILE, List.of(large.toString())), ByteBuffer.allocate(0)));
        Thread reading = counter.get(SOON.toSeconds(), TimeUnit.SECONDS);
        await().atMost(SOON).until(() -> isWithin(reading, SplitRecords.class, "count"));

        lifecycle.fence();

        await().atMost(SOON).until(() -> !isWithin(reading, SplitRecords.class, "count"));
    }

    // the probe passes on 2^60 integers, or would
    @Test
    void nobodySearchesOnForAnAttemptThatIsFenced() {
        KnownPipeline known = pipeline("endless/sample_endless");
        Cancellation cancellation = new Cancellation();
        BadRecordSearch search = new BadRecordSearch(
                new DataReader("w1", Staging.none().reading()),
                known,
                TaskSettings.of(2).withTracked(true),
                Surroundings.Graphs.TENSORFLOW,
                cancellation,
                OptionalLong.empty());
        EngineFailure failure = failure();
        AssignedSplit all = endless("endless/sample_endless").getSplits().get(0);
        CompletableFuture<Thread> searcher = new CompletableFuture<>();
        Future<AttemptFailed> found = counting.submit(() -> {
            searcher.complete(Thread.currentThread());
            return search.of(failure, List.of(all));
        });
        await().atMost(SOON).until(() -> isWithin(searcher.join(), GraphSession.class, "next"));

        cancellation.request();

        assertThatThrownBy(() -> found.get(SOON.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(CancellationException.class);
    }

    // it would take days, in which nothing that its attempt is watched by moves
    @Test
    void aSearchShowsThatItGoesOnAndIsGivenUpInTime() {
        DataReader reader = new DataReader("w1", Staging.none().reading());
        BadRecordSearch search = new BadRecordSearch(
                reader,
                pipeline("endless/sample_endless"),
                TaskSettings.of(2).withTracked(true),
                Surroundings.Graphs.TENSORFLOW,
                new Cancellation(),
                OptionalLong.empty());

        AttemptFailed found =
                search.of(failure(), endless("endless/sample_endless").getSplits(), Duration.ofMillis(500));

        assertThat(found.kind()).isEqualTo(FailureKind.REFUSED);
        assertThat(found.getMessage())
                .startsWith("the pipeline failed on its data, on a record that was not found in time: ");
        assertThat(reader.progress()).isPositive();
    }

    /** What TensorFlow says of numbers that are no pictures. */
    private static EngineFailure failure() {
        KnownPipeline pictures = pipeline("jpeg_training");
        try (GraphSession session = new GraphSession(TaskGraphs.build(
                pictures.graph(), pictures.analysis(), TaskSettings.of(1).withTracked(true)))) {
            session.enqueue(FeedSplit.file(
                    0, 0, Pipelines.files("data/numbers-00000.tfrecord").get(0)));
            session.closeQueue();
            session.next().ifPresent(EngineBatch::close);
        } catch (EngineFailure failure) {
            return failure;
        }
        throw new AssertionError("numbers are pictures");
    }

    // each of them holds some 5 batches of 40 MiB, and six threads of TensorFlow's
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatFencedAttemptsHeldIsGivenBack() throws Exception {
        fenceLargeBatches(2);
        long threads = ofProcess("Threads");
        long kibibytes = ofProcess("VmRSS");

        // 12 of them would keep 2.4 GiB; what malloc keeps for itself differs by some hundred MiB from time to time
        fenceLargeBatches(12);

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(ofProcess("Threads")).isLessThan(threads + 12);
            assertThat(ofProcess("VmRSS")).isLessThan(kibibytes + 1_200 * 1024);
        });
    }

    private void fenceLargeBatches(int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            TakenBatches taken = new TakenBatches();
            AttemptRun run = started("endless/large_batches", taken);
            run.assign(endless("endless/large_batches"));
            await().atMost(SOON).until(() -> taken.sizes().size() > 2);
            run.fence();
            assertOver(run);
        }
    }

    private static long ofProcess(String number) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(number + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aWorkerThatLeavesWaitsForThoseThatWereFencedJustBefore() throws Exception {
        KnownPipeline known = pipeline("batch");
        CompletableFuture<KnownPipeline> slow = new CompletableFuture<>();
        WorkerReporter reporter = new WorkerReporter("p", WorkerHeartbeat::newBuilder, unsent -> {});
        Attempts attempts = new Attempts(
                delivery.attempts(),
                around(digest -> slow.join()),
                reporter,
                new Attempts.Aside(plan -> {}, profile -> {}, variant -> {}, targets -> {}));
        attempts.start(Starts.of(known).setJob(key.job()).build());
        awaitWithin(CompletableFuture.class, "join");
        attempts.fence(new FenceAttempt(key.job(), 0, 0, "cancelled", false));
        Thread leaving = new Thread(attempts::stop);

        leaving.start();

        await().atMost(SOON).until(() -> isWithin(leaving, AttemptRun.class, "awaitOver"));
        slow.complete(known);
        leaving.join(SOON.toMillis());
        assertThat(leaving.isAlive()).isFalse();
        assertThat(attempts.unended()).isEmpty();
        await().atMost(SOON).until(() -> threads().isEmpty()); // it is over before its thread has ended
    }
}
