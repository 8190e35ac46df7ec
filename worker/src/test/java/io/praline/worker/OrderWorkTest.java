package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.schema.AssignedSplit;
import io.praline.schema.GraphContent;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerEvent;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.TensorFlowInference;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.GraphFile;
import io.praline.worker.planning.Planner;
import io.praline.worker.profile.OrderTrials;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every request has its answer, one after the other, whatever a request does. */
class OrderWorkTest {
    private static final PipelineGraph SMALL = Pipelines.parseHere("ordering/parse_slice_cast");
    private static final PipelineGraph ENDLESS = Pipelines.parse("endless/endless_element");

    private final BlockingQueue<Object> written = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void loadTensorFlow() {
        EngineStart.warm();
    }

    private OrderWork work(Duration longest, Function<String, KnownPipeline> pipelines) {
        OrderTrials trials = new OrderTrials(
                new Planner.Identity("p", "w1", "i1"),
                new TensorFlowOps(),
                new TensorFlowInference(),
                2,
                new OrderTrials.Library() {
                    @Override
                    public KnownPipeline of(String digest) {
                        return pipelines.apply(digest);
                    }

                    @Override
                    public Optional<Path> file(String digest) {
                        return Optional.of(folder.resolve("graph-written.pb"));
                    }
                },
                Staging.none(),
                Optional.empty());
        return new OrderWork(
                "p",
                trials,
                new OrderWork.Output() {
                    @Override
                    public void variant(PipelineEntry entry, PipelineGraph graph) {
                        written.add(entry);
                    }

                    @Override
                    public void event(WorkerEvent event) {
                        assertThat(event.getPool()).isEqualTo("p");
                        written.add(event.getBody());
                    }
                },
                longest);
    }

    private static KnownPipeline known(PipelineGraph graph) {
        return new KnownPipeline(graph, PipelineAnalysis.of(graph));
    }

    private static List<AssignedSplit> sample() {
        return PipelineAnalysis.of(SMALL).sources().get(0).fileNames().stream()
                .map(file -> split(SplitKind.FILE, List.of(file), 0))
                .toList();
    }

    private static AssignedSplit split(SplitKind kind, List<String> paths, long until) {
        Split split = Split.newBuilder()
                .setKind(kind)
                .setSource(0)
                .setPaths(paths)
                .setFrom(0)
                .setUntil(until)
                .setStep(kind == SplitKind.INTEGERS ? 1 : 0)
                .setBytes(0)
                .build();
        return new AssignedSplit(0L, split, ByteBuffer.allocate(0));
    }

    private Object next() throws InterruptedException {
        return written.poll(90, TimeUnit.SECONDS);
    }

    @Test
    void aVariantIsThereForOthersBeforeItIsTold() throws InterruptedException {
        try (OrderWork work = work(Duration.ofMinutes(1), digest -> known(SMALL))) {
            work.take(new VerifyVariant(
                    "j",
                    2,
                    "d",
                    List.of(List.of("batch_4", "map_1", "map_2", "map_3")),
                    sample(),
                    300L,
                    30_000_000L,
                    0L));

            PipelineEntry entry = (PipelineEntry) next();
            VariantVerified told = (VariantVerified) next();

            assertThat(told.getFailure()).isEmpty();
            assertThat(told.getVariantDigest()).isEqualTo(entry.getDigest());
            GraphContent content = (GraphContent) entry.getBody();
            assertThat(content.getAddress()).isEmpty();
            byte[] bytes = new byte[content.getGraph().remaining()];
            content.getGraph().duplicate().get(bytes);
            assertThat(PipelineGraph.parse(bytes, new TensorFlowOps()).digest()).isEqualTo(entry.getDigest());
        }
    }

    // the log has the address only of what is too large for it
    @Test
    void ofALargeVariantOthersAreToldWhereItLies() throws InterruptedException, IOException {
        PipelineGraph large = Pipelines.withArrays(SMALL, 600 << 10);
        try (OrderWork work = work(Duration.ofMinutes(1), digest -> known(large))) {
            work.take(new VerifyVariant(
                    "j",
                    2,
                    "d",
                    List.of(List.of("batch_4", "map_1", "map_2", "map_3")),
                    sample(),
                    300L,
                    30_000_000L,
                    0L));

            PipelineEntry entry = (PipelineEntry) next();
            assertThat(((VariantVerified) next()).getFailure()).isEmpty();
            GraphContent content = (GraphContent) entry.getBody();
            assertThat(content.getGraph().remaining()).isZero();
            Path file = Path.of(content.getAddress().orElseThrow());
            assertThat(file).hasParent(folder);
            assertThat(PipelineGraph.parse(GraphFile.read(file), new TensorFlowOps())
                            .digest())
                    .isEqualTo(entry.getDigest());
        }
    }

    // the third is the first once more
    @Test
    void requestsAreAnsweredOnceAndInTheirOrder() throws InterruptedException {
        try (OrderWork work = work(Duration.ofMinutes(1), digest -> known(SMALL))) {
            work.take(new ProfilePipeline("j", 1, "d", List.of(), 0L));
            work.take(new VerifyVariant("j", 2, "d", List.of(List.of("nowhere")), sample(), 1L, 1L, 0L));
            work.take(new ProfilePipeline("j", 1, "d", List.of(), 0L));
            work.take(new ProfilePipeline("k", 1, "d", List.of(), 0L));

            assertThat(((PipelineProfiled) next()).getTrial()).isEqualTo(1);
            assertThat(((VariantVerified) next()).getFailure()).isEqualTo("the pipeline has no step nowhere");
            assertThat(((PipelineProfiled) next()).getJob()).isEqualTo("k");
        }
    }

    @Test
    void whatBreaksIsAnAnswerToo() throws InterruptedException {
        try (OrderWork work = work(Duration.ofMinutes(1), digest -> {
            if (digest.equals("deep")) {
                throw new StackOverflowError();
            }
            throw new IllegalStateException("odd");
        })) {
            work.take(new ProfilePipeline("j", 1, "odd", List.of(), 0L));
            work.take(new VerifyVariant("j", 2, "deep", List.of(), List.of(), 1L, 1L, 0L));

            assertThat(((PipelineProfiled) next()).getFailure())
                    .isEqualTo("it broke: java.lang.IllegalStateException: odd");
            assertThat(((VariantVerified) next()).getFailure()).isEqualTo("it broke: java.lang.StackOverflowError");
        }
    }

    // the map of the first element never ends
    @Test
    void whatDoesNotComeToAnEndIsAnsweredAndTheNextHasItsTurn() throws InterruptedException {
        try (OrderWork work = work(Duration.ofMillis(200), digest -> known(ENDLESS))) {
            work.take(new ProfilePipeline(
                    "j", 1, "endless", List.of(split(SplitKind.INTEGERS, List.of(), 1L << 40)), 0L));
            assertThat(((PipelineProfiled) next()).getFailure()).isEqualTo("it was not done after 0 s");

            work.take(new ProfilePipeline("j", 2, "none", List.of(), 0L));
            assertThat(((PipelineProfiled) next()).getTrial()).isEqualTo(2);
        }
    }

    /** What the native library does: it hears of no interruption. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException goesOn) {
                // as it would
            }
        }
    }

    @Test
    void whatDoesNotComeBackDoesNotHoldUpTheEnd() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        OrderWork work = work(Duration.ofMinutes(1), digest -> {
            begun.countDown();
            awaitUninterruptibly(never);
            return known(SMALL);
        });
        work.take(new ProfilePipeline("j", 1, "never", List.of(), 0L));
        await().atMost(Duration.ofSeconds(90)).until(() -> begun.getCount() == 0);
        long before = System.nanoTime();

        work.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
        assertThat(threads("trial j/1")).hasSize(1).allMatch(Thread::isDaemon);
        assertThat(threads("ordering")).allMatch(Thread::isDaemon);
        never.countDown();
        assertThat(written).isEmpty();
    }

    private static List<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .toList();
    }
}
