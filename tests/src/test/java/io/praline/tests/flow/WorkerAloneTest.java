package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.praline.client.channel.AttemptChannel;
import io.praline.client.channel.ChannelListener;
import io.praline.client.channel.ChannelPool;
import io.praline.client.channel.ChannelRequest;
import io.praline.client.channel.ReceivedBatch;
import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Split;
import io.praline.schema.SplitPage;
import io.praline.schema.StartAttempt;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Dashboard;
import io.praline.tests.rig.EmptyKafka;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import io.praline.worker.Worker;
import io.praline.worker.WorkerConfig;
import io.praline.worker.WorkerMain;
import io.praline.worker.storage.StorageSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** A worker against a real broker and a real channel; the test is the dispatcher and the client. */
class WorkerAloneTest {
    private static final Path PIPELINES = Path.of("..", "worker", "src", "test", "resources", "pipelines")
            .toAbsolutePath()
            .normalize();
    private static final String NUMBERS = PIPELINES + "/data/numbers-*.tfrecord";
    private static final String POOL = "default";
    private static final byte[] SECRET = "a secret of the tests".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private static Path directory;

    private static EmptyKafka cluster;
    private static AvroCodec codec;
    private static KafkaProducer<byte[], byte[]> producer;
    private static Worker worker;

    @BeforeAll
    static void startWorker() throws IOException {
        cluster = EmptyKafka.in(directory.resolve("cluster"));
        try (TopicAdmin admin = TopicAdmin.connect(cluster.settings())) {
            admin.createMissing();
        }
        codec = new AvroCodec(cluster.settings());
        producer = new KafkaProducer<>(cluster.settings().producer());
        Files.write(directory.resolve("secret"), SECRET);
        worker = Worker.start(config(cluster.settings(), "w1"));
    }

    private static WorkerConfig config(KafkaSettings kafka, String id) {
        return new WorkerConfig(
                kafka,
                id,
                POOL,
                1,
                2,
                1L << 30,
                "127.0.0.1",
                0,
                Optional.empty(),
                directory.resolve("secret"),
                "127.0.0.1",
                0,
                Optional.empty(),
                Duration.ofMinutes(10),
                StorageSettings.usual(),
                Optional.empty());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        worker.drain();
        producer.close();
        codec.close();
        cluster.close();
    }

    /** Reads a partition of a topic from where it ends now. */
    private static final class Tail<V extends SpecificRecord> implements AutoCloseable {
        private final Topic<V> topic;
        private final KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(cluster.settings().consumer());
        private final List<V> seen = new ArrayList<>();

        Tail(Topic<V> topic, String key) {
            this.topic = topic;
            TopicPartition partition = new TopicPartition(topic.name(), Topics.partitionOf(key, topic.partitions()));
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition);
        }

        V await(Predicate<V> wanted) throws UnreadableRecord {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            while (System.nanoTime() < until) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    seen.add(codec.read(topic, record.value()));
                }
                for (V value : seen) {
                    if (wanted.test(value)) {
                        return value;
                    }
                }
            }
            throw new AssertionError("it did not come; there was " + seen);
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    private static void command(Object body) throws Exception {
        command("w1", worker.incarnation(), body);
    }

    private static void command(String id, String incarnation, Object body) throws Exception {
        producer.send(new ProducerRecord<>(
                        Topics.WORKER_COMMANDS.name(),
                        id.getBytes(StandardCharsets.UTF_8),
                        codec.write(Topics.WORKER_COMMANDS, new WorkerCommand(id, incarnation, body))))
                .get();
    }

    private static PlanSplits plan(String job, Path graph, String glob) throws IOException {
        return plan(job, Files.readAllBytes(graph), Optional.empty(), glob);
    }

    private static PlanSplits plan(String job, byte[] graph, Optional<Path> address, String glob) {
        return PlanSplits.newBuilder()
                .setJob(job)
                .setPlan(1)
                .setPipelineName("a pipeline")
                .setGraph(ByteBuffer.wrap(graph))
                .setGraphAddress(address.map(Path::toString).orElse(null))
                .setComponentNames(List.of())
                .setDataGlobs(List.of(glob))
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .build();
    }

    private static StartAttempt start(String job, String digest) {
        return StartAttempt.newBuilder()
                .setJob(job)
                .setEpoch(0)
                .setAttempt(0)
                .setPlan(1)
                .setPipelineDigest(digest)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setSeed(1)
                .setConsumers(1)
                .setComponentNames(List.of())
                .setOrder(List.of())
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .setThreads(0)
                .setRamBytes(0)
                .build();
    }

    private static Optional<AttemptProgress> progress(WorkerEvent event, String incarnation, String job) {
        return event.getBody() instanceof WorkerHeartbeat beat
                        && beat.getIncarnation().equals(incarnation)
                ? beat.getAttempts().stream()
                        .filter(attempt -> attempt.getJob().equals(job))
                        .findFirst()
                : Optional.empty();
    }

    /** Closes every batch at once, and remembers its tickets. */
    private static final class Client implements ChannelListener {
        private final BlockingQueue<Long> tickets = new LinkedBlockingQueue<>();
        private final CompletableFuture<String> over = new CompletableFuture<>();

        @Override
        public void batch(ReceivedBatch batch) {
            TicketRuns.forEach(batch.tickets(), tickets::add);
            batch.close();
        }

        @Override
        public void end(AttemptKey attempt, long lastSequence, EndOf of) {
            over.complete("end " + lastSequence + " of " + of);
        }

        @Override
        public void down(AttemptKey attempt, String reason) {
            over.complete("down " + reason);
        }

        @Override
        public void refused(AttemptKey attempt, RefusalCode code, String reason) {
            over.complete("refused " + code + " " + reason);
        }
    }

    /** What a plan gave: the pipeline, and its splits by their ordinals. */
    private record Planned(String digest, List<AssignedSplit> splits) {}

    private static Planned planned(Tail<PlanMessage> plans, String job) throws UnreadableRecord {
        PlanCompleted completed = (PlanCompleted)
                plans.await(message -> message.getJob().equals(job) && !(message.getBody() instanceof SplitPage))
                        .getBody();
        SplitPage page = (SplitPage)
                plans.await(message -> message.getJob().equals(job) && message.getBody() instanceof SplitPage)
                        .getBody();
        List<AssignedSplit> assigned = new ArrayList<>();
        for (Split split : page.getSplits()) {
            assigned.add(new AssignedSplit((long) assigned.size(), split, ByteBuffer.allocate(0)));
        }
        assertThat(completed.getSplits()).isEqualTo(assigned.size());
        return new Planned(completed.getPipelineDigest(), assigned);
    }

    private static AttemptChannel connect(
            ChannelPool channels, String job, String incarnation, List<String> addresses, Client client) {
        Supplier<byte[]> token =
                () -> ConsumerToken.mint(SECRET, job, 0, 0, Instant.now().plusSeconds(3_600));
        return channels.connect(
                new ChannelRequest(
                        new AttemptKey(job, 0, 0),
                        new ChannelRequest.Worker(incarnation, addresses, true),
                        new ChannelRequest.Consumer(0, 0, "client", token),
                        1 << 20),
                client);
    }

    private static AttemptProgress ended(Tail<WorkerEvent> beats, String incarnation, String job)
            throws UnreadableRecord {
        WorkerEvent last = beats.await(event -> progress(event, incarnation, job)
                .filter(told -> told.getPhase() == AttemptPhase.ENDED)
                .isPresent());
        return progress(last, incarnation, job).orElseThrow();
    }

    @Test
    void plansAndDeliversWhatItIsTold() throws Exception {
        try (Tail<PlanMessage> plans = new Tail<>(Topics.SPLITS, POOL);
                Tail<WorkerEvent> beats = new Tail<>(Topics.WORKER_HEARTBEATS, POOL);
                ChannelPool channels = new ChannelPool()) {
            command(plan("j1", PIPELINES.resolve("batch.pb"), NUMBERS));
            Planned planned = planned(plans, "j1");
            List<AssignedSplit> assigned = planned.splits();
            assertThat(assigned).hasSize(4);
            command(start("j1", planned.digest()));
            command(new AssignSplits("j1", 0, 0, 1, assigned));
            command(new AssignSplits("j1", 0, 0, 1, assigned));
            command(new FinishAttempt("j1", 0, 0, 1, true, true));
            Client client = new Client();
            AttemptChannel channel = connect(channels, "j1", worker.incarnation(), worker.addresses(), client);
            assertThat(client.over.get(90, TimeUnit.SECONDS)).startsWith("end ").endsWith(" of JOB");
            assertThat(client.tickets).hasSize(300).doesNotHaveDuplicates();
            AttemptProgress end = ended(beats, worker.incarnation(), "j1");
            assertThat(end.getAssignedThrough()).isEqualTo(1);
            assertThat(end.getElements()).isEqualTo(300);
            assertThat(end.getEnd().orElseThrow().getRemainder().remaining()).isZero();
            channel.close();
            command(new FenceAttempt("j1", 0, 0, "done", false));
        }
    }

    @Test
    void saysWhichPathItDoesNotSee() throws Exception {
        try (Tail<PlanMessage> plans = new Tail<>(Topics.SPLITS, POOL)) {
            command(plan("j2", PIPELINES.resolve("batch.pb"), "/none/*.tfrecord"));
            PlanFailed failed = (PlanFailed)
                    plans.await(message -> message.getJob().equals("j2")).getBody();
            assertThat(failed)
                    .isEqualTo(new PlanFailed(
                            FailureKind.REFUSED,
                            "worker w1 sees no file that matches /none/*.tfrecord; check that the path is right and"
                                    + " mounted there"));
        }
    }

    @Test
    void refusesWhatIsNoPipeline() throws Exception {
        try (Tail<PlanMessage> plans = new Tail<>(Topics.SPLITS, POOL)) {
            command(plan("j3", PIPELINES.resolve("README.md"), "/none/*.tfrecord"));
            PlanFailed failed = (PlanFailed)
                    plans.await(message -> message.getJob().equals("j3")).getBody();
            assertThat(failed.getKind()).isEqualTo(FailureKind.REFUSED);
        }
    }

    @Test
    void isReadyAndMeasured() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        String root = "http://localhost:" + worker.httpPort().orElseThrow();
        assertThat(http.send(
                                HttpRequest.newBuilder(URI.create(root + "/ready"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        assertThat(http.send(
                                HttpRequest.newBuilder(URI.create(root + "/metrics"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body())
                .satisfies(told -> assertThat(Dashboard.exposed(told)).containsAll(Dashboard.named("praline_worker_")));
    }

    @Test
    @Tag("long")
    void kafkaThatIsNotThereIsToldWithinTenSeconds() {
        long from = System.nanoTime();
        KafkaSettings nowhere =
                KafkaSettings.of("127.0.0.1:1", cluster.settings().registryUrl());
        assertThatThrownBy(() -> Worker.start(config(nowhere, "w2"))).isInstanceOf(ServiceUnreachable.class);
        // of ten, on a machine that does other work too; Kafka's own client has a minute
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(30));
    }

    /** A graph that is larger by a constant which nothing reads. */
    private static byte[] larger(Path graph, int bytes) throws IOException {
        TensorProto ballast = TensorProto.newBuilder()
                .setDtype(DataType.DT_STRING)
                .setTensorShape(TensorShapeProto.getDefaultInstance())
                .addStringVal(ByteString.copyFrom(new byte[bytes]))
                .build();
        return GraphDef.parseFrom(Files.readAllBytes(graph)).toBuilder()
                .addNode(NodeDef.newBuilder()
                        .setName("ballast")
                        .setOp("Const")
                        .putAttr(
                                "dtype",
                                AttrValue.newBuilder()
                                        .setType(DataType.DT_STRING)
                                        .build())
                        .putAttr(
                                "value",
                                AttrValue.newBuilder().setTensor(ballast).build()))
                .build()
                .toByteArray();
    }

    // larger than 512 KiB: the log has only its address, and who did not plan it reads it there
    @Test
    void runsALargeGraphThatAnotherWorkerPlanned() throws Exception {
        Path graph = Files.write(directory.resolve("large.pb"), larger(PIPELINES.resolve("batch.pb"), 600 << 10));
        try (Tail<PlanMessage> plans = new Tail<>(Topics.SPLITS, POOL);
                ChannelPool channels = new ChannelPool();
                Worker other = Worker.start(config(cluster.settings(), "w4"))) {
            command(plan("j4", new byte[0], Optional.of(graph), NUMBERS));
            Planned planned = planned(plans, "j4");
            command("w4", other.incarnation(), start("j4", planned.digest()));
            command("w4", other.incarnation(), new AssignSplits("j4", 0, 0, 1, planned.splits()));
            command("w4", other.incarnation(), new FinishAttempt("j4", 0, 0, 1, true, true));
            Client client = new Client();
            AttemptChannel channel = connect(channels, "j4", other.incarnation(), other.addresses(), client);

            assertThat(client.over.get(90, TimeUnit.SECONDS)).endsWith(" of JOB");
            assertThat(client.tickets).hasSize(300).doesNotHaveDuplicates();
            channel.close();
        }
    }

    private static <B> B answer(Tail<WorkerEvent> events, Class<B> kind) throws UnreadableRecord {
        return kind.cast(events.await(event -> kind.isInstance(event.getBody())).getBody());
    }

    // 300 records in batches of 16: decoded by the batch they are the same, under the same tickets
    @Test
    void aVariantThatOneWorkerVerifiedIsRunByAnother() throws Exception {
        try (Tail<PlanMessage> plans = new Tail<>(Topics.SPLITS, POOL);
                Tail<WorkerEvent> events = new Tail<>(Topics.WORKER_HEARTBEATS, POOL);
                ChannelPool channels = new ChannelPool();
                Worker other = Worker.start(config(cluster.settings(), "w6"))) {
            command(plan("j6", PIPELINES.resolve("ordering/decode_raw.pb"), NUMBERS));
            Planned planned = planned(plans, "j6");
            command(new ProfilePipeline("j6", 1, planned.digest(), planned.splits(), 0L));
            PipelineProfiled profiled = answer(events, PipelineProfiled.class);
            assertThat(profiled.getFailure()).isEmpty();
            assertThat(profiled.getSteps().stream().map(step -> step.getName() + " " + step.getKind()))
                    .containsExactly("map_1 DECODE", "batch_2 BATCH");

            command(new VerifyVariant(
                    "j6",
                    2,
                    planned.digest(),
                    List.of(List.of("batch_2", "map_1")),
                    planned.splits(),
                    profiled.getRecords(),
                    profiled.getNanos(),
                    0L));
            VariantVerified verified = answer(events, VariantVerified.class);
            assertThat(verified.getFailure()).isEmpty();
            // how much of the sample is compared is bounded in time
            assertThat(verified.getElements()).isBetween(16L, 300L);
            assertThat(List.of(verified.getMissing(), verified.getUnequal())).containsExactly(0L, 0L);

            command("w6", other.incarnation(), start("j6", verified.getVariantDigest()));
            command("w6", other.incarnation(), new AssignSplits("j6", 0, 0, 1, planned.splits()));
            command("w6", other.incarnation(), new FinishAttempt("j6", 0, 0, 1, true, true));
            Client client = new Client();
            AttemptChannel channel = connect(channels, "j6", other.incarnation(), other.addresses(), client);
            assertThat(client.over.get(90, TimeUnit.SECONDS)).endsWith(" of JOB");
            assertThat(client.tickets).hasSize(300).doesNotHaveDuplicates();
            channel.close();
        }
    }

    private static Process process(String id) throws IOException {
        return Command.java(
                        WorkerMain.class,
                        "--id",
                        id,
                        "--bootstrap",
                        cluster.settings().bootstrap(),
                        "--registry",
                        cluster.settings().registryUrl(),
                        "--secret-file",
                        directory.resolve("secret").toString())
                .builder()
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(id + ".log").toFile())
                .start();
    }

    @Test
    void leavesInOrderWhenItIsTerminated() throws Exception {
        try (Tail<WorkerEvent> beats = new Tail<>(Topics.WORKER_HEARTBEATS, POOL)) {
            Process process = process("w3");
            try {
                beats.await(event -> beat(event, "w3").isPresent());
                process.destroy();
                assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
                beats.await(event ->
                        beat(event, "w3").filter(WorkerHeartbeat::getLeaving).isPresent());
            } finally {
                process.destroyForcibly();
            }
        }
    }

    // 300 elements in batches of the graph's own size: what is no full batch is left to another attempt. No client has
    // taken a batch when the process is told to end
    @Test
    @Tag("long")
    void deliversOrGivesBackAllThatItWasAssignedWhenItIsTerminated() throws Exception {
        try (Tail<PlanMessage> plans = new Tail<>(Topics.SPLITS, POOL);
                Tail<WorkerEvent> beats = new Tail<>(Topics.WORKER_HEARTBEATS, POOL);
                ChannelPool channels = new ChannelPool()) {
            Process process = process("w5");
            try {
                command(plan("j5", PIPELINES.resolve("batch.pb"), NUMBERS));
                Planned planned = planned(plans, "j5");
                WorkerHeartbeat first = beat(
                                beats.await(event -> beat(event, "w5").isPresent()), "w5")
                        .orElseThrow();
                String incarnation = first.getIncarnation();
                command("w5", incarnation, start("j5", planned.digest()));
                command("w5", incarnation, new AssignSplits("j5", 0, 0, 1, planned.splits()));
                beats.await(event -> progress(event, incarnation, "j5")
                        .filter(told -> told.getElements() > 0)
                        .isPresent());

                process.destroy();
                beats.await(event ->
                        beat(event, "w5").filter(WorkerHeartbeat::getDraining).isPresent());
                command("w5", incarnation, new FinishAttempt("j5", 0, 0, 1, false, false));
                Client client = new Client();
                AttemptChannel channel = connect(channels, "j5", incarnation, first.getAddresses(), client);

                assertThat(client.over.get(90, TimeUnit.SECONDS))
                        .startsWith("end ")
                        .endsWith(" of ATTEMPT");
                List<Long> all = new ArrayList<>(client.tickets);
                assertThat(all).isNotEmpty();
                AttemptProgress end = ended(beats, incarnation, "j5");
                TicketRuns.forEach(end.getEnd().orElseThrow().getRemainder(), all::add);
                assertThat(all)
                        .hasSizeGreaterThan(client.tickets.size())
                        .hasSize(300)
                        .doesNotHaveDuplicates();
                assertThat(end.getFailure()).isEmpty();

                assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
                beats.await(event ->
                        beat(event, "w5").filter(WorkerHeartbeat::getLeaving).isPresent());
                channel.close();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Optional<WorkerHeartbeat> beat(WorkerEvent event, String id) {
        return event.getBody() instanceof WorkerHeartbeat beat
                        && beat.getWorker().equals(id)
                ? Optional.of(beat)
                : Optional.empty();
    }
}
