package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobFailed;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.schema.FailureKind;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import io.praline.tests.rig.ObjectServer;
import io.praline.tests.rig.ObjectServer.Behaviour;
import io.praline.tests.rig.ObjectServer.Etags;
import io.praline.worker.Worker;
import io.praline.worker.WorkerConfig;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.StorageSettings;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** Jobs over objects of a store, through a real broker and a worker that stages them. */
class ObjectsTest {
    private static final String POOL = "objects";
    private static final String BUCKET = "numbers";

    private static final int FILES = 12;
    private static final int PER_FILE = 100;

    private static Cluster cluster;
    private static Numbers numbers;
    private static ObjectServer store;
    private static Worker worker;
    private static Path staged;

    @BeforeAll
    static void start() throws IOException {
        System.setProperty("aws.accessKeyId", ObjectServer.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", "secret");
        cluster = Cluster.shared();
        numbers = Numbers.write(cluster.folder().resolve("objects"), FILES, PER_FILE);
        store = new ObjectServer();
        staged = cluster.folder().resolve("staged-objects");
        worker = Worker.start(new WorkerConfig(
                cluster.kafka(),
                "objects-1",
                POOL,
                2,
                2,
                1L << 30,
                "127.0.0.1",
                0,
                Optional.empty(),
                cluster.secretFile(),
                "127.0.0.1",
                -1,
                Optional.empty(),
                Duration.ofMinutes(10),
                new StorageSettings(
                        S3Settings.of(Optional.of(store.url()), Optional.of(ObjectServer.REGION), true),
                        new StageSettings(staged, OptionalLong.empty())),
                Optional.empty()));
    }

    @AfterAll
    static void stop() {
        worker.close();
        store.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    /** Each test has contents of its own: what an earlier one staged is of no use. */
    @BeforeEach
    void fill() throws IOException {
        store.behave(Behaviour.GOOD);
        fill(Long.toString(System.nanoTime()));
    }

    @AfterEach
    void forget() {
        store.afterList(() -> {});
    }

    private static void fill(String folder) throws IOException {
        at = folder;
        try (Stream<Path> files = Files.list(numbers.folder())) {
            for (Path file : files.toList()) {
                store.put(BUCKET, folder + "/" + file.getFileName(), Files.readAllBytes(file));
                store.put(ObjectServer.OPEN, folder + "/" + file.getFileName(), Files.readAllBytes(file));
            }
        }
    }

    private static String at;

    private static String glob() {
        return "s3://" + BUCKET + "/" + at + "/numbers-*.tfrecord";
    }

    private static PralineClient client() {
        return PralineClient.connect(
                ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(POOL));
    }

    private static JobSpec job(String data) {
        return JobSpec.of(Numbers.inBatchesOf(7)).data(data).seed(3);
    }

    private static Map<Integer, List<Long>> taken(JobSpec job) {
        try (PralineClient client = client();
                BatchStream stream = client.submit(job)) {
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
    }

    private static void requireAll(Map<Integer, List<Long>> taken, int epochs) {
        assertThat(taken).hasSize(epochs);
        taken.values().forEach(epoch -> assertThat(epoch).containsExactlyInAnyOrderElementsOf(numbers.all()));
    }

    // each is fetched once, and serves two epochs and another job
    @Test
    void objectsYieldWhatTheSameFilesYield() {
        Map<Integer, List<Long>> local = taken(job(numbers.glob()).epochs(2));
        requireAll(local, 2);
        long before = store.gets();

        requireAll(taken(job(glob()).epochs(2)), 2);
        assertThat(store.gets() - before).isEqualTo(FILES);

        requireAll(taken(job(glob())), 1);
        assertThat(store.gets() - before).isEqualTo(FILES);
    }

    // each is closed as soon as it is counted, which may be before a graph opens it
    @Test
    void objectsOfLengthZeroAmongOthersHoldNothing() throws IOException {
        for (int empty = 0; empty < 30; empty++) {
            store.put(BUCKET, at + "/numbers-0-" + empty + ".tfrecord", new byte[0]);
        }
        requireAll(taken(job(glob()).epochs(2)), 2);
    }

    @Test
    void throttlingAndAnswersThatBreakOffAreWaitedOut() {
        store.behave(Behaviour.GOOD.busy(0.3).breaking(0.4));
        long before = store.faults();

        requireAll(taken(job(glob())), 1);
        assertThat(store.faults() - before).isGreaterThan(3);
    }

    @Test
    void aStoreWithoutRangesGivesObjectsWhole() {
        store.behave(Behaviour.GOOD.withoutRanges().breaking(0.3));

        requireAll(taken(job(glob())), 1);
    }

    // by the condition, and by what the answer says where the store does not heed it, or has no ETags
    @ParameterizedTest
    @ValueSource(strings = {"conditions", "none", "weak"})
    void anObjectThatIsChangedBetweenPlanAndReadingIsRefusedByName(String how) {
        store.behave(
                switch (how) {
                    case "none" -> Behaviour.GOOD.withoutConditions();
                    case "weak" -> Behaviour.GOOD.withoutConditions().telling(Etags.WEAK);
                    default -> Behaviour.GOOD;
                });
        String key = at + "/numbers-5.tfrecord";
        byte[] other = new byte[3_000];
        store.afterList(() -> store.put(BUCKET, key, other, Instant.parse("2026-11-22T11:00:00Z")));

        assertThatThrownBy(() -> taken(job(glob()))).isInstanceOfSatisfying(JobFailed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(FailureKind.REFUSED);
            assertThat(failed.reason())
                    .startsWith("s3://numbers/" + key + " was changed since the job was planned (")
                    .contains("3000 bytes")
                    .endsWith("); submit the job again, and let its data be while it runs");
        });
    }

    /** The number in each file, and a million times the length of its name. */
    private static Pipeline ofNames() {
        return Pipeline.files()
                .map(
                        "read",
                        (tf, x) -> tf.math.add(
                                tf.strings.toNumber(tf.io.readFile(x.as(TString.class)), TInt64.class),
                                tf.math.mul(
                                        tf.dtypes.cast(tf.strings.stringLength(x.as(TString.class)), TInt64.class),
                                        tf.constant(1_000_000L))))
                .batch(4)
                .names("number");
    }

    @Test
    void namesStayAddressesForWhateverIsDoneWithThem() {
        String folder = "s3://" + BUCKET + "/" + at + "/one/";
        List<Long> expected = new ArrayList<>();
        for (int file = 0; file < 70; file++) {
            store.put(BUCKET, at + "/one/" + file, Integer.toString(file).getBytes(StandardCharsets.UTF_8));
            expected.add(file + 1_000_000L * (folder + file).length());
        }

        Map<Integer, List<Long>> taken = taken(JobSpec.of(ofNames()).data(folder + "*"));
        assertThat(taken.get(0)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aListOfAddressesIsReadAsItSays() {
        store.put(
                ObjectServer.OPEN,
                at + "/all.txt",
                ("# all but two\nnumbers-0.tfrecord\n" + store.url() + "/open/" + at + "/numbers-7.tfrecord\n\n")
                        .getBytes(StandardCharsets.UTF_8));

        Map<Integer, List<Long>> taken = taken(job(store.url() + "/open/" + at + "/all.txt?list"));
        assertThat(taken.get(0))
                .containsExactlyInAnyOrderElementsOf(numbers.all().stream()
                        .filter(number -> number / 1_000 == 0 || number / 1_000 == 7)
                        .toList());
    }

    @Test
    void aDamagedObjectIsCalledByItsAddress() {
        String key = at + "/numbers-3.tfrecord";
        byte[] damaged = new byte[500];
        store.put(BUCKET, key, damaged);

        assertThatThrownBy(() -> taken(job(glob())))
                .isInstanceOfSatisfying(JobFailed.class, failed -> assertThat(failed.reason())
                        .startsWith("s3://numbers/" + key + ": record 0 at byte 0 has a wrong checksum of its length"));
    }

    @Test
    void aBucketThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> taken(job("s3://nombers/*"))).isInstanceOfSatisfying(JobFailed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(FailureKind.REFUSED);
            assertThat(failed.reason())
                    .isEqualTo("worker objects-1 cannot plan: the store at " + store.url()
                            + " has no bucket 'nombers' (s3://nombers/*); check its name, or say which store it is in with"
                            + " --s3-endpoint");
        });
    }
}
