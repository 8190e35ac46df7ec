package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.identity.Ticket;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.ObjectServer;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** Objects that are larger than a range, which are cut where it is known where their records begin. */
@Tag("long")
class LargeObjectsTest {
    private static final String POOL = "large-objects";
    private static final String BUCKET = "large";

    /** More than 64 MiB. */
    private static final int RECORDS = 70;

    private static final int RECORD_BYTES = 1 << 20;

    private static Cluster cluster;
    private static ObjectServer store;
    private static Worker worker;
    private static Path staged;

    @BeforeAll
    static void start() throws IOException {
        System.setProperty("aws.accessKeyId", ObjectServer.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", "secret");
        cluster = Cluster.shared();
        store = new ObjectServer();
        staged = cluster.folder().resolve("staged-large");
        worker = Worker.start(new WorkerConfig(
                cluster.kafka(),
                "large-1",
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
                        new StageSettings(staged, OptionalLong.of(1L << 30))),
                Optional.empty()));
    }

    @AfterAll
    static void stop() {
        worker.close();
        store.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    /** A number of eight digits, then as many bytes as there is room for. */
    private static byte[] record(int number) {
        byte[] record = new byte[RECORD_BYTES];
        byte[] digits = "%08d".formatted(number).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, record, 0, digits.length);
        return record;
    }

    /** What a job took, and the ordinals of the splits that it came from. */
    private record Taken(List<Long> numbers, Set<Long> splits) {}

    private static Taken taken(Pipeline source, String key) {
        List<Long> numbers = new ArrayList<>();
        Set<Long> splits = new TreeSet<>();
        Pipeline pipeline = source.map(
                        "number",
                        (tf, x) -> tf.strings.toNumber(
                                tf.strings.substr(x.as(TString.class), tf.constant(0), tf.constant(8)), TInt64.class))
                .batch(3)
                .names("number");
        try (PralineClient client = PralineClient.connect(
                        ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(POOL));
                BatchStream stream = client.submit(JobSpec.of(pipeline)
                        .data("s3://" + BUCKET + "/" + key)
                        .seed(3)
                        .order(JobSpec.Order.OFF))) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    LongBuffer values = batch.component("number").longs();
                    while (values.hasRemaining()) {
                        numbers.add(values.get());
                    }
                    Arrays.stream(batch.tickets()).map(Ticket::ordinal).forEach(splits::add);
                }
            }
            assertThat(stream.result().missing()).hasValue(0);
            assertThat(stream.result().duplicates()).hasValue(0);
        }
        return new Taken(numbers, splits);
    }

    private static void isWhole(Taken taken) {
        assertThat(taken.numbers())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, RECORDS).boxed().toList());
    }

    private static void forget(String below) throws IOException {
        try (Stream<Path> all = Files.walk(staged)) {
            for (Path file : all.filter(Files::isRegularFile)
                    .filter(each -> each.getParent().endsWith(below))
                    .toList()) {
                Files.delete(file);
            }
        }
    }

    // while it is read the first time; what is known and not true is as if nobody knew
    @Test
    void anObjectOfTfRecordsIsCutByLaterJobs() throws IOException {
        Path file = Files.createTempFile("large", ".tfrecord");
        try (TfRecordWriter writer = new TfRecordWriter(file)) {
            for (int i = 0; i < RECORDS; i++) {
                writer.write(record(i));
            }
        }
        store.put(BUCKET, "a.tfrecord", Files.readAllBytes(file));
        Files.delete(file);

        Taken first = taken(Pipeline.tfRecords(), "a.tfrecord");
        isWhole(first);
        assertThat(first.splits()).containsExactly(0L);

        Taken second = taken(Pipeline.tfRecords(), "a.tfrecord");
        isWhole(second);
        assertThat(second.splits()).containsExactly(0L, 1L);

        forget("indexes");
        Taken third = taken(Pipeline.tfRecords(), "a.tfrecord");
        isWhole(third);
        assertThat(third.splits()).containsExactly(0L);
    }

    // with bytes around them that are no records, and read from ranges alone: the whole was never there
    @Test
    void anObjectOfRecordsOfOneLengthIsCutAtOnce() {
        byte[] all = new byte[5 + RECORDS * RECORD_BYTES + 3];
        for (int i = 0; i < RECORDS; i++) {
            System.arraycopy(record(i), 0, all, 5 + i * RECORD_BYTES, RECORD_BYTES);
        }
        store.put(BUCKET, "a.bin", all);

        Taken taken = taken(Pipeline.fixedLength(5, RECORD_BYTES, 3), "a.bin");
        isWhole(taken);
        assertThat(taken.splits()).containsExactly(0L, 1L);
    }
}
