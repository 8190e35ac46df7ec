package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.Ticket;
import io.praline.worker.engine.Running.Batch;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphSessionTest {
    private static final List<String> NUMBERS = Pipelines.files("data/numbers-*.tfrecord");

    @TempDir
    Path folder;

    // 100 records in batches of 8: 12 full ones, and 4 records that wait for the end
    @Test
    void aQueueHeldOpenWithOneSplitGivesEveryFullBatchOfIt() {
        try (GraphSession session = new GraphSession(task("interleave_parallel", settings()))) {
            session.enqueue(FeedSplit.file(0, 0, NUMBERS.get(0)));
            for (int i = 0; i < 12; i++) {
                assertThat(Running.read(session.next().orElseThrow()).tickets()).hasSize(8);
            }
            session.closeQueue();
            assertThat(Running.read(session.next().orElseThrow()).tickets()).hasSize(4);
            assertThat(session.next()).isEmpty();
        }
    }

    // each idle task waits in next(); were that a thread of TensorFlow's shared pool, two would do to block the process
    @Test
    void eightIdleTasksLeaveRoomForANinth() throws ExecutionException, InterruptedException {
        ExecutorService pullers = Executors.newFixedThreadPool(8);
        List<GraphSession> idle = new ArrayList<>();
        List<Future<Optional<EngineBatch>>> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                GraphSession session = new GraphSession(task("jpeg_training", settings()));
                idle.add(session);
                waiting.add(pullers.submit(session::next));
            }
            PipelineGraph pipeline = Pipelines.parseHere("jpeg_training");
            List<Batch> batches =
                    Running.all(task("jpeg_training", settings()), Running.splits(PipelineAnalysis.of(pipeline)));

            assertThat(batches.stream()
                            .mapToInt(batch -> batch.tickets().size())
                            .sum())
                    .isEqualTo(48);
            idle.forEach(GraphSession::closeQueue);
            for (Future<Optional<EngineBatch>> end : waiting) {
                assertThat(end.get()).isEmpty();
            }
        } finally {
            idle.forEach(GraphSession::closeQueue);
            pullers.shutdown();
            assertThat(pullers.awaitTermination(90, TimeUnit.SECONDS)).isTrue();
            idle.forEach(GraphSession::close);
        }
    }

    @Test
    void closingLeavesWhatIsNotReadYet() {
        GraphSession session = new GraphSession(task("jpeg_training", settings()));
        List<String> files = Pipelines.files("data/jpegs-*.tfrecord");
        for (int i = 0; i < 500; i++) {
            session.enqueue(FeedSplit.file(i, 0, files.get(i % files.size())));
        }
        session.next().orElseThrow().close();
        assertThat(session.queueSize()).isPositive();

        long before = System.nanoTime();
        session.close();

        // 500 files of 24 pictures would take a minute, and more on a machine that does other work too
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(30);
    }

    // a prefetch has a thread that waits for the next split, parallel reading several; one such end in thirty used to
    // crash
    // the process
    @ParameterizedTest
    @CsvSource({"prefetch, false", "prefetch, true", "interleave_parallel, false", "interleave_parallel, true"})
    void endsWhileItsOwnThreadsWaitForASplit(String name, boolean cancelled) {
        TaskGraph task = task(name, settings());
        for (int i = 0; i < 60; i++) {
            Cancellation cancellation = new Cancellation();
            GraphSession session = new GraphSession(task, cancellation);
            session.enqueue(FeedSplit.file(0, 0, NUMBERS.get(0)));
            session.next().orElseThrow().close();
            if (cancelled) {
                cancellation.request();
            }
            session.close();
        }
    }

    @Test
    void aBatchOutlivesItsSession() {
        GraphSession session = new GraphSession(task("type_int64", settings()));
        session.enqueue(FeedSplit.file(0, 0, NUMBERS.get(0)));
        session.closeQueue();
        EngineBatch batch = session.next().orElseThrow();
        session.close();

        assertThat(batch.tensors().get(0).body().getLongLE(3 * Long.BYTES)).isEqualTo(3);
        batch.close();
        batch.close();
    }

    // the program reads two files at a time; what was pulled and lies in buffers is less than one file of 100 records
    @Test
    void readsAsManySplitsAtATimeAsTheUsersProgramReadsFiles() throws InterruptedException {
        try (GraphSession session = new GraphSession(task("parallel_reads", settings()))) {
            assertThat(session.readers()).isEqualTo(2);
            for (int i = 0; i < 3; i++) {
                session.enqueue(FeedSplit.file(i, 0, NUMBERS.get(0)));
            }
            session.next().orElseThrow().close();
            while (session.queueSize() > 1) {
                Thread.sleep(1);
            }
            assertThat(session.queueSize()).isEqualTo(1);
        }
    }

    // records lie 32 bytes apart, the data of each 12 bytes behind its beginning: what comes behind the damage cannot
    // be read
    @Test
    void aDamagedFileTakesNothingOfTheOthersAlong() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(NUMBERS.get(1)));
        bytes[10 * 32 + 12]++;
        Path damaged = Files.write(folder.resolve("damaged.tfrecord"), bytes);
        try (GraphSession session =
                new GraphSession(task("parallel_reads", Running.settings(true).withSkipBad(true)))) {
            session.enqueue(FeedSplit.file(0, 0, NUMBERS.get(0)));
            session.enqueue(FeedSplit.file(1, 0, damaged.toString()));
            session.enqueue(FeedSplit.file(2, 0, NUMBERS.get(2)));
            session.closeQueue();

            List<Long> tickets = Running.rest(session).stream()
                    .flatMap(batch -> batch.tickets().stream())
                    .sorted()
                    .toList();

            assertThat(tickets)
                    .isEqualTo(Stream.of(tickets(0, 100), tickets(1, 10), tickets(2, 75))
                            .flatMap(LongStream::boxed)
                            .toList());
        }
    }

    private static LongStream tickets(long split, long count) {
        return LongStream.range(0, count).map(record -> Ticket.of(split, record));
    }

    @Test
    void countsWhatIsNotOpenedYet() {
        try (GraphSession session = new GraphSession(task("concatenate", settings()))) {
            session.enqueue(FeedSplit.file(0, 0, NUMBERS.get(0)));
            assertThat(session.queueSize()).isZero();
            assertThatThrownBy(() -> session.enqueue(FeedSplit.file(0, 2, NUMBERS.get(0))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("source must be below 2, is 2");
        }
    }

    @Test
    void packsSmallElementsOfOneShape() {
        TaskSettings packing = Running.settings(true).withPack(true);
        TaskGraph task = task("unbatched", packing);
        assertThat(task.packed()).isTrue();
        try (GraphSession session = new GraphSession(task)) {
            for (int i = 0; i < NUMBERS.size(); i++) {
                session.enqueue(FeedSplit.file(i, 0, NUMBERS.get(i)));
            }
            session.closeQueue();
            List<Integer> packed = new ArrayList<>();
            for (Optional<EngineBatch> next = session.next(); next.isPresent(); next = session.next()) {
                packed.add(next.get().packed());
                assertThat(next.get().tickets()).hasSize(next.get().packed());
                assertThat(next.get().tensors().get(1).shape())
                        .isEqualTo(List.of((long) next.get().packed(), 2L));
                next.get().close();
            }
            assertThat(packed).isEqualTo(List.of(256, 44));
        }
    }

    @Test
    void doesNotPackWhatTheUserBatchesOrWhatVaries() {
        TaskSettings packing = Running.settings(true).withPack(true);
        assertThat(task("parallel_map", packing).packed()).isFalse();
        // the second component's length is not known
        assertThat(task("map", packing).packed()).isFalse();
    }

    @Test
    void measuresEachTransformationByTheUsersNames() {
        TaskSettings profiling = Running.settings(true).withProfile(true);
        try (GraphSession session = new GraphSession(task("jpeg_training", profiling))) {
            List<String> files = Pipelines.files("data/jpegs-*.tfrecord");
            for (int i = 0; i < files.size(); i++) {
                session.enqueue(FeedSplit.file(i, 0, files.get(i)));
            }
            // the queue stays open: TensorFlow's model forgets what has come to its end, which a prefetch may soon see
            session.next().orElseThrow().close();
            List<NodeMetrics> metrics = session.metrics();

            assertThat(metrics.stream().map(NodeMetrics::name))
                    .containsExactly(
                            "read_0", "decode", "crop", "resize", "flip", "normalise", "batch_6", "prefetch_7");
            assertThat(metrics).allSatisfy(node -> {
                assertThat(node.elements()).isPositive();
                assertThat(node.bytes()).isPositive();
            });
            NodeMetrics decode = metrics.get(1);
            assertThat(decode.nanos() / decode.elements()).isBetween(1_000L, 50_000_000L);
        }
    }

    @Test
    void measuresFusedTransformationsToo() {
        try (GraphSession session = new GraphSession(task("jpeg_training", settings()))) {
            List<String> files = Pipelines.files("data/jpegs-*.tfrecord");
            for (int i = 0; i < files.size(); i++) {
                session.enqueue(FeedSplit.file(i, 0, files.get(i)));
            }
            session.next().orElseThrow().close();

            // the last map has gone into the batch
            assertThat(session.metrics().stream().map(NodeMetrics::name))
                    .containsExactly("read_0", "decode", "crop", "resize", "flip", "batch_6", "prefetch_7");
        }
    }

    @Test
    void saysWhichFileIsGone() {
        Path gone = folder.resolve("gone.tfrecord");

        assertThat(failure("parallel_map", gone)).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo(EngineFailure.Code.NOT_FOUND);
            assertThat(failure.dataAtFault()).isTrue();
            assertThat(failure).hasMessageContaining(gone.toString());
        });
    }

    @Test
    void saysThatAFileIsDamaged() throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(NUMBERS.get(0)));
        Path cut = Files.write(folder.resolve("cut.tfrecord"), Arrays.copyOf(whole, whole.length / 2 + 17));
        byte[] flipped = whole.clone();
        flipped[5 * 32 + 13] ^= 1;
        Path damaged = Files.write(folder.resolve("damaged.tfrecord"), flipped);

        assertThat(failure("parallel_map", cut).code()).isEqualTo(EngineFailure.Code.DATA_LOSS);
        assertThat(failure("parallel_map", damaged).code()).isEqualTo(EngineFailure.Code.DATA_LOSS);
    }

    @Test
    void anEmptyFileHasNoRecords() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty.tfrecord"));

        assertThat(Running.all(
                        task("parallel_map", settings()),
                        List.of(FeedSplit.file(0, 0, empty.toString()), FeedSplit.file(1, 0, NUMBERS.get(3)))))
                .hasSize(4);
    }

    @Test
    void saysThatAnElementCannotBeMade() {
        EngineFailure failure = failure("jpeg_training", Path.of(NUMBERS.get(0)));

        assertThat(failure.code()).isEqualTo(EngineFailure.Code.INVALID_ARGUMENT);
        assertThat(failure.dataAtFault()).isTrue();
        assertThat(failure.getMessage()).doesNotContain("\n").doesNotContain("{{");
    }

    // 24 pictures, 100 records that are none, 24 pictures
    @Test
    void leavesOutBadElementsWhereToldTo() {
        TaskSettings skipping = Running.settings(true).withSkipBad(true);
        List<String> files = Pipelines.files("data/jpegs-*.tfrecord");

        List<Batch> batches = Running.all(
                task("jpeg_training", skipping),
                List.of(
                        FeedSplit.file(0, 0, files.get(0)),
                        FeedSplit.file(1, 0, NUMBERS.get(0)),
                        FeedSplit.file(2, 0, files.get(1))));

        assertThat(batches.stream().mapToInt(batch -> batch.tickets().size()).sum())
                .isEqualTo(48);
    }

    private static EngineFailure failure(String pipeline, Path file) {
        try (GraphSession session = new GraphSession(task(pipeline, settings()))) {
            session.enqueue(FeedSplit.file(0, 0, file.toString()));
            session.closeQueue();
            try {
                Running.rest(session);
            } catch (EngineFailure failure) {
                return failure;
            }
            throw new AssertionError("all of " + file + " was read");
        }
    }

    private static TaskSettings settings() {
        return Running.settings(true);
    }

    private static TaskGraph task(String name, TaskSettings settings) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        return TaskGraphs.build(pipeline, PipelineAnalysis.of(pipeline), settings);
    }
}
