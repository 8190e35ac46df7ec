package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.schema.AttemptPlace;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import io.praline.wire.ConsumerToken;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs from submission to end, through a real broker and real workers. */
class JobsTest {

    private static final Path PYTHON = Path.of("..", "worker", "src", "test", "resources", "pipelines");

    private static final Set<String> WORKERS = Set.of(Cluster.FIRST_WORKER, Cluster.SECOND_WORKER);

    private static Cluster cluster;
    private static Numbers numbers;

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        numbers = Numbers.write(cluster.folder().resolve("numbers"), 8, 100);
    }

    private static JobSpec job(long batch) {
        return JobSpec.of(Numbers.inBatchesOf(batch)).data(numbers.glob()).seed(7);
    }

    /** What came, by epoch. */
    private static Map<Integer, List<Long>> take(BatchStream stream) {
        Map<Integer, List<Long>> taken = new TreeMap<>();
        while (stream.hasNext()) {
            try (Batch batch = stream.next()) {
                LongBuffer values = batch.component("number").longs();
                List<Long> epoch = taken.computeIfAbsent(batch.epoch(), number -> new ArrayList<>());
                while (values.hasRemaining()) {
                    epoch.add(values.get());
                }
            }
        }
        return taken;
    }

    // 800 numbers in batches of 7: 114 full ones and one of 2 an epoch, when one attempt reads them all
    @Test
    void eachOfTwoEpochsDeliversEachElementOnce() {
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(job(7).epochs(2))) {
            Map<Integer, List<Long>> taken = take(stream);
            JobResult result = stream.result();

            assertThat(taken).containsOnlyKeys(0, 1);
            assertThat(taken.get(0)).containsExactlyInAnyOrderElementsOf(numbers.all());
            assertThat(taken.get(1)).containsExactlyInAnyOrderElementsOf(numbers.all());
            assertThat(result.state()).isEqualTo(JobState.COMPLETED);
            assertThat(result.guarantee()).isEqualTo(Guarantee.EXACTLY_ONCE);
            assertThat(result.missing()).hasValue(0);
            assertThat(result.duplicates()).hasValue(0);
            assertThat(result.taken().elements()).isEqualTo(1_600);
            assertThat(result.epochs()).allSatisfy(epoch -> {
                assertThat(epoch.getElements()).isEqualTo(800);
                assertThat(epoch.getConsumed()).isEqualTo(800);
                assertThat(epoch.getComplete()).isTrue();
            });
        }
    }

    // no job is over before its loop has taken its first epoch, and no loop takes anything before all are served
    @Test
    void severalJobsShareTheWorkers() {
        try (PralineClient client = cluster.client();
                BatchStream first = client.submit(job(10).epochs(2));
                BatchStream second = client.submit(job(20).epochs(2));
                BatchStream third = client.submit(job(30).epochs(2))) {
            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                assertThat(servedBy(first)).isSubsetOf(WORKERS).isNotEmpty();
                assertThat(servedBy(second)).isSubsetOf(WORKERS).isNotEmpty();
                assertThat(servedBy(third)).isSubsetOf(WORKERS).isNotEmpty();
            });
            for (BatchStream stream : List.of(third, first, second)) {
                Map<Integer, List<Long>> taken = take(stream);
                assertThat(taken).containsOnlyKeys(0, 1);
                assertThat(taken.get(0)).containsExactlyInAnyOrderElementsOf(numbers.all());
                assertThat(taken.get(1)).containsExactlyInAnyOrderElementsOf(numbers.all());
            }
        }
    }

    private static Set<String> servedBy(BatchStream stream) {
        return stream.status().map(JobStatus::getAttempts).orElse(List.of()).stream()
                .map(AttemptPlace::getWorker)
                .collect(Collectors.toSet());
    }

    // 48 JPEGs in the sample data, batches of 32: 32 + 16
    @Test
    void aPipelineFromPythonRunsFromItsFile() throws IOException {
        byte[] graph = Files.readAllBytes(PYTHON.resolve("jpeg_training.pb"));
        String data = PYTHON.resolve("data")
                .resolve("jpegs-*.tfrecord")
                .toAbsolutePath()
                .normalize()
                .toString();
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(
                        JobSpec.of(graph).components(List.of("image")).data(data))) {
            long images = 0;
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    long[] shape = batch.component("image").shape();
                    assertThat(Arrays.copyOfRange(shape, 1, 4)).containsExactly(224, 224, 3);
                    assertThat(batch.tickets()).hasSize((int) shape[0]);
                    images += shape[0];
                }
            }
            assertThat(images).isEqualTo(48);
            assertThat(stream.result().missing()).hasValue(0);
        }
    }

    // 80 batches; an attempt deals its own out in turns to those that are connected and have room, and both have. Up to
    // four attempts, each with a batch more for the first: far from 300. They make 40 batches a second, so that a
    // quarter
    // of a second is left for whoever connects later
    @Test
    void twoConsumersShareAJob() throws Exception {
        try (PralineClient client = cluster.client();
                BatchStream first =
                        client.submit(JobSpec.of(Numbers.inBatchesOf(10).sleep(100_000))
                                .data(numbers.glob())
                                .seed(7)
                                .consumers(2));
                BatchStream second = client.attach(first.job(), 1)) {
            CompletableFuture<Map<Integer, List<Long>>> other = CompletableFuture.supplyAsync(() -> take(second));
            List<Long> taken = new ArrayList<>(take(first).get(0));
            List<Long> takenByOther = other.get().get(0);
            assertThat(taken).hasSizeBetween(300, 500);
            taken.addAll(takenByOther);
            assertThat(taken).containsExactlyInAnyOrderElementsOf(numbers.all());
        }
    }

    // the one that is there may have been told of already, or not
    @Test
    void anIdOfAJobWithAnotherSpecIsRefusedAndThatJobGoesOn() {
        try (PralineClient client = cluster.client();
                PralineClient another = cluster.client();
                BatchStream stream = client.submit(job(50).id("used-once"))) {
            assertThatThrownBy(() -> {
                        try (BatchStream again =
                                another.submit(job(50).id("used-once").epochs(2))) {
                            take(again);
                        }
                    })
                    .isInstanceOf(JobFailed.class)
                    .hasMessage("job used-once was refused: job id used-once is that of a job with another spec; choose"
                            + " another id, or submit what that one was submitted with to go on with it");
            assertThat(take(stream).get(0)).containsExactlyInAnyOrderElementsOf(numbers.all());
        }
    }

    // 16 batches, the first of which is acknowledged by the question for the second, which comes again
    @Test
    void aProgramThatSubmitsTheSameAgainGoesOnWithItsJob() {
        JobSpec spec = job(50).id("goes-on");
        List<Long> taken = new ArrayList<>();
        try (PralineClient before = cluster.client();
                PralineClient again = cluster.client();
                BatchStream first = before.submit(spec)) {
            try (Batch batch = first.next()) {
                LongBuffer values = batch.component("number").longs();
                while (values.hasRemaining()) {
                    taken.add(values.get());
                }
            }
            first.next().close();
            try (BatchStream second = again.submit(spec)) {
                taken.addAll(take(second).get(0));
                assertThat(taken).containsExactlyInAnyOrderElementsOf(numbers.all());
                assertThat(second.result().state()).isEqualTo(JobState.COMPLETED);
            }
            assertThatThrownBy(first::hasNext)
                    .isInstanceOf(JobFailed.class)
                    .hasMessageContaining("another process took its place as consumer 0");
        }
    }

    @Test
    void aGlobThatMatchesNothingIsRefusedAndNamed() {
        String nothing = cluster.folder().resolve("nothing-*.tfrecord").toString();
        JobFailed failure = failureOf(job(10).data(nothing));
        assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
        assertThat(failure).hasMessageContaining(nothing);
    }

    @Test
    void aFileThatIsNoGraphIsRefused() {
        JobFailed failure = failureOf(JobSpec.of(new byte[] {1, 2, 3}).data(numbers.glob()));
        assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
        assertThat(failure.getMessage().lines()).hasSize(1);
    }

    @Test
    void aTruncatedFileFailsTheJobAndIsNamed() throws IOException {
        Path folder = cluster.folder().resolve("truncated");
        Numbers.write(folder, 1, 100);
        Path file = folder.resolve("numbers-0.tfrecord");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 5));

        JobFailed failure = failureOf(job(10).data(file.toString()));
        assertThat(failure).hasMessageContaining(file.toString());
    }

    @Test
    void aClientWithAnotherSecretGetsNothing() throws IOException {
        Path other = cluster.folder().resolve("other-secret");
        ConsumerToken.createSecret(other);
        try (PralineClient client = PralineClient.connect(ClientConfig.of(cluster.kafka(), other));
                BatchStream stream = client.submit(job(10))) {
            assertThatThrownBy(stream::hasNext).hasMessageContaining("token");
        }
    }

    @Test
    void cancellingEndsTheLoopAndTheJob() {
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(job(1).epochs(1_000))) {
            assertThat(stream.hasNext()).isTrue();
            stream.next().close();
            client.cancel(stream.job(), "enough");
            assertThatThrownBy(() -> take(stream))
                    .isInstanceOfSatisfying(JobFailed.class, failure -> assertThat(failure.kind())
                            .isEqualTo(FailureKind.NONE))
                    .hasMessageContaining("cancelled");
            assertThat(client.status(stream.job()).orElseThrow().getState()).isEqualTo(JobState.CANCELLED);
        }
    }

    private static JobFailed failureOf(JobSpec spec) {
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(spec)) {
            take(stream);
            throw new AssertionError("the job did not fail, it is " + stream.result());
        } catch (JobFailed failure) {
            return failure;
        }
    }
}
