package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.FenceAttempt;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.WorkerHeartbeat;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.delivery.Outboxes;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.StillGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.metrics.WorkerReporter;
import io.praline.worker.storage.stage.Staging;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever looks after attempts whose graph does not come back, with a graph that does not. */
class WatchdogTest {
    private static final AttemptKey KEY = new AttemptKey("j", 0, 0);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final CountDownLatch comesBack = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);

    /** The look for an entry, and the count, which may be the last to show that something goes on. */
    private final CountDownLatch counted = new CountDownLatch(2);

    private final List<String> lost = new ArrayList<>();
    private final KnownPipeline known = pipeline();
    private final Attempts attempts = new Attempts(
            new Outboxes(),
            new Surroundings(
                    "w1",
                    new TaskShare(2, 0),
                    digest -> known,
                    Optional.empty(),
                    task -> {
                        task.run();
                        counted.countDown();
                    },
                    () -> {},
                    (pipeline, settings, cancellation) -> new Sleeping(),
                    System::nanoTime,
                    Staging.none(),
                    Optional.empty()),
            new WorkerReporter("p", WorkerHeartbeat::newBuilder, unsent -> {}),
            new Attempts.Aside(plan -> {}, profile -> {}, variant -> {}, targets -> {}));
    private final Watchdog watchdog = new Watchdog(attempts, PATIENCE, lost::add);

    /** Takes splits, opens none of them, and sleeps; no cancellation wakes it. */
    private final class Sleeping extends StillGraph {
        @Override
        public void enqueue(FeedSplit split) {}

        @Override
        public long queueSize() {
            return 1;
        }

        @Override
        public Optional<EngineBatch> next() {
            asked.countDown();
            boolean back = false;
            while (!back) {
                try {
                    comesBack.await();
                    back = true;
                } catch (InterruptedException ignored) {
                    // as TensorFlow does
                }
            }
            return Optional.empty();
        }
    }

    private static KnownPipeline pipeline() {
        PipelineGraph graph = PipelineGraph.parse(Pipelines.bytesHere("batch"), EngineStart.warm());
        return new KnownPipeline(graph, PipelineAnalysis.of(graph));
    }

    @AfterEach
    void wake() {
        comesBack.countDown();
        await().atMost(Duration.ofSeconds(90))
                .until(() -> attempts.unended().stream().allMatch(AttemptRun::isOver));
    }

    private AttemptRun startedAndAsleep() throws InterruptedException {
        attempts.start(Starts.of(known).build());
        Split split = Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(0)
                .setPaths(Pipelines.files("data/numbers-00000.tfrecord"))
                .setFrom(0)
                .setUntil(0)
                .setStep(1)
                .setBytes(0)
                .build();
        attempts.assign(
                new AssignSplits(KEY.job(), 0, 0, 1, List.of(new AssignedSplit(0L, split, ByteBuffer.allocate(0)))));
        asked.await();
        counted.await();
        return attempts.all().get(0);
    }

    private static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    // ten minutes until it is given up, and one more for TensorFlow to come back
    @Test
    void whereARunDoesNotComeBackTheProcessEndsAndItIsSaidWhy() throws InterruptedException {
        AttemptRun run = startedAndAsleep();
        watchdog.look(in(Duration.ZERO));
        assertThat(run.isStopped()).isFalse();
        watchdog.look(in(PATIENCE));
        assertThat(run.isStopped()).isTrue();
        assertThat(run.report().take(1 << 20, 0).getFailure().orElseThrow().getReason())
                .startsWith("it is stuck: no batch, no split and no element for 10 min, though ");
        watchdog.look(in(Duration.ofSeconds(50)));
        assertThat(lost).isEmpty();

        watchdog.look(in(Watchdog.COMES_BACK_WITHIN));

        assertThat(lost)
                .singleElement()
                .asString()
                .startsWith("TensorFlow has not come back from attempt j/0/0, which was stopped ")
                .contains(" s ago: ", "await", "WatchdogTest$Sleeping.next");
    }

    // the dispatcher wants it no more, which is no reason to leave a process that holds it for ever
    @Test
    void soItDoesWhereAFencedAttemptDoesNotComeBack() throws InterruptedException {
        startedAndAsleep();
        attempts.fence(new FenceAttempt(KEY.job(), 0, 0, "cancelled", false));
        watchdog.look(in(Duration.ofSeconds(50)));
        assertThat(lost).isEmpty();
        watchdog.look(in(Watchdog.COMES_BACK_WITHIN));
        assertThat(lost).hasSize(1);
    }

    @Test
    void whoComesBackInTimeHarmsNobody() throws InterruptedException {
        AttemptRun run = startedAndAsleep();
        attempts.fence(new FenceAttempt(KEY.job(), 0, 0, "cancelled", false));
        comesBack.countDown();
        await().atMost(Duration.ofSeconds(90)).until(run::isOver);
        watchdog.look(in(Watchdog.COMES_BACK_WITHIN.multipliedBy(10)));
        assertThat(lost).isEmpty();
    }
}
