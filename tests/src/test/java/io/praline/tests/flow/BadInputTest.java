package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobFailed;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.schema.FailureKind;
import io.praline.schema.JobStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.wire.ConsumerToken;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a user gets who gives the running system what it cannot take: one line and an exit code. After each of these
 * tests the same workers run a good job.
 */
@Tag("long")
class BadInputTest {

    private static final int REFUSED = 3;
    private static final int WRONG_USE = 2;
    private static final int UNREACHABLE = 5;
    private static final Path FROM_PYTHON = Path.of("..", "worker", "src", "test", "resources", "pipelines");

    /** A record of "0" to "9" or so: length, its checksum, one byte, its checksum. */
    private static final int RECORD_BYTES = 12 + 1 + 4;

    private static final String NO_IMAGE =
            "decode_jpeg: Unknown image file format. One of JPEG, PNG, GIF, BMP required";

    private static Cluster cluster;
    private static Path folder;
    private static Path pipeline;
    private static List<Long> pids;

    private record Ended(int code, String out, List<String> err) {

        /** The error: the one line that is not of the progress bar. */
        String line() {
            List<String> lines =
                    err.stream().filter(line -> line.startsWith("praline: ")).toList();
            assertThat(lines).as(String.join("\n", err)).hasSize(1);
            assertThat(err).noneMatch(line -> line.startsWith("\tat "));
            assertThat(out).isEmpty();
            return lines.get(0);
        }

        /** Why the job was refused, without its id and the name of the worker that says so. */
        String refusal() {
            String from = "praline: job \\S+ was refused: ";
            assertThat(line()).matches(from + ".*");
            return line().replaceFirst(from, "").replaceFirst("worker flow-\\d", "worker flow-N");
        }
    }

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        folder = Files.createDirectories(cluster.folder().resolve("bad"));
        pipeline =
                Files.write(folder.resolve("numbers.pb"), Numbers.inBatchesOf(4).graph());
        pids = pids();
    }

    private static List<Long> pids() {
        return cluster.workers().stream()
                .filter(ChildProcess::alive)
                .map(ChildProcess::pid)
                .sorted()
                .toList();
    }

    @AfterEach
    void theSameWorkersRunAGoodJob() {
        assertThat(pids()).isEqualTo(pids);
        try (PralineClient client = cluster.client();
                BatchStream stream =
                        client.submit(JobSpec.of(Pipeline.range(0, 20).batch(5).names("number")))) {
            long elements = 0;
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    elements += batch.tickets().length;
                }
            }
            assertThat(elements).isEqualTo(20);
            assertThat(stream.result().missing()).hasValue(0);
        }
    }

    /** The command, in this process. */
    private static Ended praline(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Ended(code, out.toString(), err.toString().lines().toList());
    }

    private static Ended run(Path pipeline, Path data, String... more) {
        return run(cluster.secretFile(), pipeline, data, more);
    }

    private static Ended run(Path secret, Path pipeline, Path data, String... more) {
        KafkaSettings kafka = cluster.kafka();
        List<String> args = new ArrayList<>(List.of(
                "run",
                "--bootstrap",
                kafka.bootstrap(),
                "--registry",
                kafka.registryUrl(),
                "--secret-file",
                secret.toString(),
                "--pipeline",
                pipeline.toString(),
                "--data",
                data.toString()));
        args.addAll(Arrays.asList(more));
        return praline(args.toArray(String[]::new));
    }

    /** Ten records, "0" to "9", with a few bytes changed. */
    private static Path damaged(String name, int length, int... flipped) throws IOException {
        Path file = folder.resolve(name);
        try (TfRecordWriter out = new TfRecordWriter(file)) {
            for (int number = 0; number < 10; number++) {
                out.write(Integer.toString(number).getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] bytes = Arrays.copyOf(Files.readAllBytes(file), length);
        for (int at : flipped) {
            bytes[at] ^= 1;
        }
        return Files.write(file, bytes);
    }

    private static Path good() throws IOException {
        return damaged("good.tfrecord", 10 * RECORD_BYTES);
    }

    // ---- files

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the sixth record lacks its last 5 bytes
                "cut.tfrecord | 97 | -1 | record 5 at byte 85 is cut off: it has 1 bytes, the file ends at 97",
                // the third record's content, and its length's checksum
                "content.tfrecord | 170 | 46 | record 2 at byte 34 has a wrong checksum of its 1 bytes",
                "length.tfrecord | 170 | 42 | record 2 at byte 34 has a wrong checksum of its length"
            })
    void aDamagedTfRecordIsNamedWithItsRecord(String name, int length, int flipped, String told) throws IOException {
        Path file = flipped < 0 ? damaged(name, length) : damaged(name, length, flipped);
        Ended run = run(pipeline, file);
        assertThat(run.code()).isEqualTo(REFUSED);
        assertThat(run.refusal())
                .isEqualTo(file + ": " + told + "; repair the file, or tolerate such records with --skip-bad N");
    }

    @Test
    void aFileOfLengthZeroIsAnEmptyEpochAndIsNamed() throws IOException {
        Path file = damaged("zero.tfrecord", 0);
        Ended run = run(pipeline, file);
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("note: there is nothing to read: worker flow-")
                .contains("sees one file, and it has a length of zero: " + file + "; check what wrote it");
    }

    @Test
    void dataThatIsNotThereIsNamed() {
        Ended none = run(pipeline, folder.resolve("none-*.tfrecord"));
        assertThat(none.code()).isEqualTo(REFUSED);
        assertThat(none.refusal())
                .isEqualTo("worker flow-N sees no file that matches " + folder.resolve("none-*.tfrecord")
                        + "; check that the path is right and mounted there");
        Ended directory = run(pipeline, folder);
        assertThat(directory.code()).isEqualTo(REFUSED);
        assertThat(directory.refusal())
                .isEqualTo("worker flow-N sees a directory at " + folder + "; name the files in it, such as " + folder
                        + "/*");
        Ended broken = run(pipeline, folder.resolve("[ab"));
        assertThat(broken.code()).isEqualTo(REFUSED);
        assertThat(broken.refusal()).isEqualTo("'[ab' is no glob: Missing ']; a \\ before a bracket takes it as it is");
    }

    @Test
    void anEmptyFileAmongOthersIsNoFault() throws IOException {
        Path files = Files.createDirectories(folder.resolve("some-empty"));
        Files.copy(good(), files.resolve("a.tfrecord"));
        Files.createFile(files.resolve("b.tfrecord"));
        Ended run = run(pipeline, files.resolve("*.tfrecord"));
        assertThat(run.code()).as(String.join("\n", run.err())).isZero();
        assertThat(run.out()).contains("COMPLETED: 10 elements");
    }

    // a worker is given a few splits ahead of what it has measured: of 40 files, and 50 epochs, most are opened later
    @Test
    void aFileThatVanishesBeforeItIsReadIsNamed() throws IOException {
        Path files = folder.resolve("vanishing");
        Numbers numbers = Numbers.write(files, 40, 50);
        JobFailed failure = null;
        List<Path> gone = new ArrayList<>();
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(
                        JobSpec.of(Numbers.inBatchesOf(1)).data(numbers.glob()).epochs(50))) {
            stream.next().close();
            for (int file = 20; file < 40; file++) {
                Path one = files.resolve("numbers-" + file + ".tfrecord");
                Files.delete(one);
                gone.add(one);
            }
            while (stream.hasNext()) {
                stream.next().close();
            }
        } catch (JobFailed told) {
            failure = told;
        }
        assertThat(failure).isNotNull();
        String line = failure.getMessage();
        assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
        assertThat(gone).as(line).anyMatch(file -> line.contains(file.toString()));
        assertThat(line)
                .matches(
                        "job \\S+ was refused: worker flow-\\d sees no file " + Pattern.quote(files + "/numbers-")
                                + "\\d+\\.tfrecord any more, which was there when the job was planned; put it back and submit again");
    }

    // ---- records

    /** 24 JPEGs of which some are none. */
    private static Path jpegs(String name, int... bad) throws IOException {
        Path file = folder.resolve(name);
        List<Path> flowers;
        try (Stream<Path> all = Files.walk(FROM_PYTHON.resolve("data").resolve("flowers"))) {
            flowers = all.filter(Files::isRegularFile).sorted().toList();
        }
        try (TfRecordWriter out = new TfRecordWriter(file)) {
            for (int record = 0; record < flowers.size(); record++) {
                int number = record;
                boolean isBad = Arrays.stream(bad).anyMatch(one -> one == number);
                out.write(
                        isBad
                                ? "no jpeg at all".getBytes(StandardCharsets.UTF_8)
                                : Files.readAllBytes(flowers.get(record)));
            }
        }
        return file;
    }

    private static Path decoding() throws IOException {
        return Files.writeString(folder.resolve("decode.yaml"), """
                source: tfrecord
                steps:
                  - decode_jpeg: {channels: 3}
                  - resize: {height: 32, width: 32}
                  - batch: {size: 4}
                names: [image]
                """);
    }

    @Test
    void aJpegThatDoesNotDecodeFailsTheJobAndIsNamed() throws IOException {
        Path file = jpegs("one-bad.tfrecord", 5);
        Ended run = run(decoding(), file);
        assertThat(run.code()).isEqualTo(REFUSED);
        assertThat(run.refusal())
                .isEqualTo(file + ": record 5 cannot be processed: " + NO_IMAGE
                        + "; tolerate such records with --skip-bad N");
    }

    // 24 records, 3 of them bad: 21 come
    @Test
    void asManyBadRecordsAsAreToleratedAreReportedEach() throws IOException {
        Path file = jpegs("three-bad.tfrecord", 5, 9, 11);
        Ended run = run(decoding(), file, "--skip-bad", "3");
        assertThat(run.code()).as(String.join("\n", run.err())).isZero();
        assertThat(run.out())
                .contains("COMPLETED: 21 elements", "3 excluded (bad)", "missing 0, duplicates 0")
                .contains(
                        "bad record: " + file + ": record 5 cannot be processed: " + NO_IMAGE + "\n",
                        "bad record: " + file + ": record 9 cannot be processed: " + NO_IMAGE + "\n",
                        "bad record: " + file + ": record 11 cannot be processed: " + NO_IMAGE + "\n");
    }

    @Test
    void oneBadRecordMoreThanIsToleratedFailsTheJob() throws IOException {
        Path file = jpegs("too-many-bad.tfrecord", 5, 9, 11);
        Ended run = run(decoding(), file, "--skip-bad", "2");
        assertThat(run.code()).isEqualTo(REFUSED);
        assertThat(run.refusal())
                .isEqualTo(
                        "3 records are bad, more than the 2 that may be skipped: repair them or raise --skip-bad; the"
                                + " first of them: " + file + ": record 5 cannot be processed: " + NO_IMAGE);
    }

    // 24 records, and TensorFlow's reader stops at the sixth: 5 come, 19 are lost
    @Test
    void aWrongChecksumIsToldWithHowManyRecordsItCosts() throws IOException {
        Path file = jpegs("checksum.tfrecord");
        byte[] bytes = Files.readAllBytes(file);
        int sixth = 0;
        for (int record = 0; record < 5; record++) {
            sixth += 16
                    + (int) ByteBuffer.wrap(bytes)
                            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                            .getLong(sixth);
        }
        bytes[sixth + 20] ^= 1;
        Files.write(file, bytes);
        String told = file + ": record 5 at byte " + sixth + " has a wrong checksum of its ";
        String cost = "TensorFlow reads no further in this file, so the 19 records from there on count as bad";

        Ended tolerated = run(decoding(), file, "--skip-bad", "19");
        assertThat(tolerated.code()).as(String.join("\n", tolerated.err())).isZero();
        assertThat(tolerated.out())
                .contains("COMPLETED: 5 elements", "19 excluded (bad)", "missing 0, duplicates 0")
                .contains("bad record: " + told, cost);

        Ended refused = run(decoding(), file, "--skip-bad", "18");
        assertThat(refused.code()).isEqualTo(REFUSED);
        assertThat(refused.refusal())
                .startsWith(
                        "19 records are bad, more than the 18 that may be skipped: repair them or raise --skip-bad; the"
                                + " first of them: " + told)
                .endsWith(cost);
    }

    // 4 images of 32 x 32 x 3 float32: 4 x 12,288 = 49,152 bytes
    @Test
    void aBatchAboveTheLimitIsToldWithBothNumbers() throws IOException {
        Ended run = run(decoding(), jpegs("good-jpegs.tfrecord"), "--max-batch-bytes", "49151");
        assertThat(run.code()).isEqualTo(REFUSED);
        assertThat(run.refusal())
                .isEqualTo(
                        "a batch of 49152 bytes is larger than the limit of 49151 bytes; make batches smaller or raise"
                                + " --max-batch-bytes");
    }

    // ---- pipelines

    @ParameterizedTest
    @CsvFileSource(files = "../worker/src/test/resources/pipelines/refused/reasons.txt", delimiter = '|')
    void aPipelineThatCannotRunIsRefused(String name, String told) throws IOException {
        Path file = FROM_PYTHON.resolve("refused").resolve(name + ".pb");
        Ended run = run(file, good());
        assertThat(run.code()).isEqualTo(REFUSED);
        assertThat(run.line()).isEqualTo("praline: the pipeline file " + file + " is refused: " + told);
    }

    /** Clients in Java are not the command, which looks at the file itself: the planning worker refuses too. */
    @Test
    void aWorkerRefusesItToo() throws IOException {
        byte[] graph = Files.readAllBytes(FROM_PYTHON.resolve("refused").resolve("py_function.pb"));
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(JobSpec.of(graph).data(good().toString()))) {
            stream.next().close();
            throw new AssertionError("it was not refused");
        } catch (JobFailed failure) {
            assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
            assertThat(failure).hasMessageContaining("calls Python code");
        }
    }

    // ---- services

    // all at once: each waits for some seconds and costs nothing
    @Test
    void kafkaOrRegistryThatIsNotThereIsToldInOneLine() throws Exception {
        KafkaSettings kafka = cluster.kafka();
        String noKafka =
                "Kafka at 127.0.0.1:1 cannot be reached: T[^;]*; check that it runs, and that its address and the"
                        + " file of --kafka-config are right";
        String noRegistry =
                "registry at http://127.0.0.1:1 cannot be reached: Connection refused; check that it runs and"
                        + " the address is right";
        String secret = cluster.secretFile().toString();
        String export = folder.resolve("j.avro").toString();
        List<List<String>> patient = List.of(
                List.of("run", "--secret-file", secret, "--pipeline", pipeline.toString()),
                List.of("actuator", "--local"),
                List.of("actuator", "--kubernetes", "praline/praline-worker"),
                List.of("worker", "--secret-file", secret),
                List.of("dispatcher"));
        List<List<String>> readers = List.of(
                List.of("jobs"),
                List.of("job", "j"),
                List.of("job", "pause", "j"),
                List.of("job", "resume", "j"),
                List.of("job", "cancel", "j"),
                List.of("job", "pin", "j", "--remote", "1", "--local", "0"),
                List.of("job", "unpin", "j"),
                List.of("workers"),
                List.of("explain", "j"),
                List.of("journal", "export", "j", "--to", export));
        List<Callable<Void>> all = new ArrayList<>();
        all.add(() -> assertUnreachable("127.0.0.1:1", kafka.registryUrl(), noKafka, List.of("topics", "list")));
        for (List<String> command : readers) {
            all.add(() -> assertUnreachable("127.0.0.1:1", kafka.registryUrl(), noKafka, command));
            all.add(() -> assertUnreachable(kafka.bootstrap(), "http://127.0.0.1:1", noRegistry, command));
        }
        for (List<String> command : patient) {
            all.add(() -> assertPatient("127.0.0.1:1", kafka.registryUrl(), noKafka, command));
            all.add(() -> assertPatient(kafka.bootstrap(), "http://127.0.0.1:1", noRegistry, command));
        }
        ExecutorService commands = Executors.newFixedThreadPool(8);
        try {
            for (Future<Void> asserted : commands.invokeAll(all)) {
                asserted.get();
            }
        } finally {
            commands.shutdownNow();
        }
    }

    /** Attempts take some six seconds each, or none. */
    private static Void assertPatient(String bootstrap, String registry, String told, List<String> command) {
        List<String> args = new ArrayList<>(command);
        args.addAll(List.of("--patience", "8"));
        long from = System.nanoTime();
        assertUnreachable(bootstrap, registry, told, args);
        assertThat(Duration.ofNanos(System.nanoTime() - from))
                .as(command.toString())
                .isGreaterThan(Duration.ofSeconds(8));
        return null;
    }

    private static Void assertUnreachable(String bootstrap, String registry, String told, List<String> command) {
        List<String> args = new ArrayList<>(command);
        args.addAll(List.of("--bootstrap", bootstrap, "--registry", registry));
        long from = System.nanoTime();
        Ended ended = praline(args.toArray(String[]::new));
        assertThat(ended.code())
                .as(command + "\n" + String.join("\n", ended.err()))
                .isEqualTo(UNREACHABLE);
        assertThat(ended.line()).as(command.toString()).matches("praline: " + told);
        // of ten, on a machine that does other work too; Kafka's own client has a minute
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(30));
        return null;
    }

    @Test
    void aPortInUseIsNamedByTheWorkerThatWantsIt() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaSettings kafka = cluster.kafka();
            for (String option : List.of("--port", "--http-port")) {
                Ended ended = praline(
                        "worker",
                        "--host",
                        "127.0.0.1",
                        option,
                        Integer.toString(taken.getLocalPort()),
                        "--bootstrap",
                        kafka.bootstrap(),
                        "--registry",
                        kafka.registryUrl(),
                        "--secret-file",
                        cluster.secretFile().toString());
                assertThat(ended.code()).isEqualTo(WRONG_USE);
                assertThat(ended.line())
                        .isEqualTo(
                                option.equals("--port")
                                        ? "praline: cannot listen on tcp://127.0.0.1:" + taken.getLocalPort()
                                                + ": Address already in use; stop the program that has it or choose"
                                                + " another"
                                        : "praline: cannot listen on 127.0.0.1:" + taken.getLocalPort()
                                                + " for /metrics: the port is in use; choose another http port");
            }
        }
    }

    @Test
    void aHostThatNobodyKnowsIsNamedByTheWorker() {
        KafkaSettings kafka = cluster.kafka();
        Ended ended = praline(
                "worker",
                "--host",
                "nosuch..invalid",
                "--bootstrap",
                kafka.bootstrap(),
                "--registry",
                kafka.registryUrl(),
                "--secret-file",
                cluster.secretFile().toString());
        assertThat(ended.code()).isEqualTo(WRONG_USE);
        assertThat(ended.line()).isEqualTo("praline: cannot listen on tcp://nosuch..invalid:0: no such host");
    }

    @Test
    void aClientWithAnotherSecretIsToldSo() throws IOException {
        Path other = folder.resolve("secret-of-others");
        ConsumerToken.createSecret(other);
        Ended run = run(other, pipeline, good());
        assertThat(run.code()).isEqualTo(REFUSED);
        assertThat(run.line())
                .matches(
                        "praline: job (\\S+) was refused: worker flow-\\d: the token is not good for consumer 0 of job \\1:"
                                + " give the client the secret that the workers have");
    }

    // ---- the channel of a worker that works

    /** Random bytes, a frame without end, one that is promised and does not come, and nothing at all. */
    @Test
    void aWorkerGoesOnWhateverStrangersSendIt() throws Exception {
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(
                        JobSpec.of(Pipeline.range(0, 4_000).batch(1).names("number")))) {
            stream.next().close();
            JobStatus status = stream.status().orElseThrow();
            URI channel = URI.create(status.getAttempts().get(0).getAddresses().stream()
                    .filter(address -> address.startsWith("tcp:"))
                    .findFirst()
                    .orElseThrow());
            List<Socket> halfOpen = new ArrayList<>();
            Random random = new Random(7);
            for (int stranger = 0; stranger < 20; stranger++) {
                byte[] noise = new byte[4_096];
                random.nextBytes(noise);
                sendQuietly(channel, noise);
                byte[] endless = new byte[64 << 10];
                Arrays.fill(endless, 0, 4, (byte) 0x7f);
                sendQuietly(channel, endless);
                Socket open = new Socket(channel.getHost(), channel.getPort());
                open.getOutputStream().write(new byte[] {100, 0});
                halfOpen.add(open);
            }
            List<Long> numbers = new ArrayList<>();
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    LongBuffer values = batch.component("number").longs();
                    values.rewind();
                    numbers.add(values.get());
                }
            }
            assertThat(numbers).hasSize(3_999);
            assertThat(stream.result().missing()).hasValue(0);
            // the worker closes those who do not go on
            for (Socket open : halfOpen) {
                open.setSoTimeout(90_000);
                assertThat(endOf(open)).isEqualTo(-1);
                open.close();
            }
        }
    }

    private static int endOf(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    private static void sendQuietly(URI channel, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(channel.getHost(), channel.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
        } catch (SocketException closedWhileWritten) {
            // as it should be
        }
    }

    // ---- topics

    /** A beat whose schema has a body that we do not know, one that is no Avro, and one that is not ours. */
    @Test
    void aBeatThatCannotBeReadIsQuarantinedAndTheStreamGoesOn() throws Exception {
        KafkaSettings kafka = cluster.kafka();
        byte[] key = "default".getBytes(StandardCharsets.UTF_8);
        byte[] newer = newerBeat(kafka);
        Map<String, byte[]> beats = new HashMap<>();
        beats.put("newer", newer);
        beats.put("unreadable", "{\"worker\": \"w-1\"}".getBytes(StandardCharsets.UTF_8));
        beats.put("cut short", Arrays.copyOf(newer, 6));
        Map<String, Long> offsets = new HashMap<>();
        int partition = Topics.partitionOf("default", Topics.WORKER_HEARTBEATS.partitions());
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer())) {
            for (Map.Entry<String, byte[]> beat : beats.entrySet()) {
                offsets.put(
                        beat.getKey(),
                        producer.send(new ProducerRecord<>(
                                        Topics.WORKER_HEARTBEATS.name(), partition, key, beat.getValue()))
                                .get()
                                .offset());
            }
        }
        Map<Long, String> reasons = new HashMap<>();
        Topic<QuarantinedRecord> quarantine = Topics.QUARANTINE;
        Properties reading = kafka.consumer();
        try (AvroCodec codec = new AvroCodec(kafka);
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(reading)) {
            TopicPartition only = new TopicPartition(quarantine.name(), 0);
            consumer.assign(List.of(only));
            consumer.seekToBeginning(List.of(only));
            await().atMost(Duration.ofSeconds(90)).until(() -> {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    QuarantinedRecord put = codec.read(quarantine, record.value());
                    if (put.getTopic().equals(Topics.WORKER_HEARTBEATS.name())) {
                        reasons.put(put.getOffset(), put.getReason());
                    }
                }
                return reasons.keySet().containsAll(offsets.values());
            });
        }
        assertThat(reasons.get(offsets.get("newer"))).contains("does not read as WorkerEvent");
        assertThat(reasons.get(offsets.get("unreadable"))).contains("magic byte");
        assertThat(reasons.values())
                .allSatisfy(reason -> assertThat(reason.lines()).hasSize(1));
    }

    /** Registers a version with one body more, as a later release would, and writes a beat with that body. */
    private static byte[] newerBeat(KafkaSettings kafka) throws Exception {
        String schema = Topics.WORKER_HEARTBEATS
                .schema()
                .toString()
                .replace(",\"avro.java.string\":\"String\"", "")
                .replace(
                        "\"name\":\"body\",\"type\":[",
                        "\"name\":\"body\",\"type\":[{\"type\":\"record\",\"name\":\"Hibernation\",\"fields\":["
                                + "{\"name\":\"minutes\",\"type\":\"int\"}]},");
        String body =
                "{\"schema\": " + new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(schema) + "}";
        HttpResponse<String> registered = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(kafka.registryUrl() + "/subjects/"
                                        + Topics.WORKER_HEARTBEATS.subject() + "-later/versions"))
                                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(registered.statusCode()).as(registered.body()).isEqualTo(200);
        int id = new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(registered.body())
                .path("id")
                .asInt();
        byte[] pool = "default".getBytes(StandardCharsets.UTF_8);
        // magic byte, schema id; pool as length (zigzag) and bytes; branch 0 of the union; minutes = 5
        ByteBuffer value = ByteBuffer.allocate(5 + 1 + pool.length + 2);
        value.put((byte) 0)
                .putInt(id)
                .put((byte) (2 * pool.length))
                .put(pool)
                .put((byte) 0)
                .put((byte) 10);
        return value.array();
    }
}
