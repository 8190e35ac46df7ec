package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.ScalingTarget;
import io.praline.topics.KafkaSettings;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.avro.AvroSchema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedClusterTest {
    private static final TopicPartition PARTITION = new TopicPartition(Topics.SCALING_COMMANDS.name(), 0);

    @TempDir
    Path dir;

    @Test
    void whatWasWrittenIsThereAfterARestartOnTheSamePorts() throws Exception {
        KafkaSettings before;
        String registered;
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
            before = cluster.settings();
            createTopics(before);
            write(before, 1, 100);
            registered = changeRegistry(before);
            assertThat(EmbeddedCluster.running(dir)).contains(before);
        }
        assertThat(EmbeddedCluster.running(dir)).isEmpty();

        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
            assertThat(cluster.settings()).isEqualTo(before);
            assertThat(read(cluster.settings())).hasSize(100);
            assertThat(registered(cluster.settings())).isEqualTo(registered);
        }
    }

    @Test
    void whatWouldHaveEndedTheProcessIsTheClustersFailure() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
            CompletableFuture<String> failure = cluster.failure().toCompletableFuture();
            assertThat(failure).isNotDone();

            assertThatThrownBy(() -> Exit.halt(1, "all log directories have failed"))
                    .isInstanceOf(Error.class);

            assertThat(failure).isCompletedWithValue("all log directories have failed");
        }
    }

    // as of one that is closed and whose parts wait for each other: its thread ends in the way out minutes later
    @Test
    @Tag("long")
    void whatEndsOneBrokerIsNotTheNextOnesFailure() throws Exception {
        try (EmbeddedCluster broken = EmbeddedCluster.start(EmbeddedClusterConfig.in(kept()))) {
            List<Thread> its = controllers();
            try (EmbeddedCluster next = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
                its.forEach(Thread::interrupt);

                assertThat(broken.failure().toCompletableFuture().get(90, TimeUnit.SECONDS))
                        .isNotEmpty();
                assertThat(next.failure().toCompletableFuture()).isNotDone();
            }
        }
    }

    // as on a disk that fills meanwhile: its parts would wait for each other for ever
    @Test
    @Tag("long")
    void aBrokerThatBreaksWhileItStartsIsRefusedWithTheReason() throws Exception {
        Path folder = kept();
        Thread breaking = new Thread(
                () -> {
                    while (controllers().isEmpty()) {
                        Thread.onSpinWait();
                    }
                    try {
                        Exit.halt(1, "all log directories have failed");
                    } catch (Error told) {
                        // by which it would have ended the process
                    }
                },
                "breaking");
        breaking.start();

        assertThatThrownBy(() ->
                        EmbeddedCluster.start(EmbeddedClusterConfig.in(folder)).close())
                .isInstanceOf(ClusterRefused.class)
                .hasMessage("the broker in " + folder.toRealPath().resolve("kafka")
                        + " did not start: all log directories have failed");
        breaking.join();
    }

    private static List<Thread> controllers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("raft-io-thread"))
                .toList();
    }

    // Three seconds of a session are over just when a broker asks for the sixth time whether it may come: a longer one
    // would
    // have it wait for another 3.2 s
    @Test
    void aBrokerThatWasKilledHasToWaitForNoSeventhTime() {
        long sixth = 100 + 200 + 400 + 800 + 1_600;
        BrokerPlace place =
                new BrokerPlace(1, dir, "AAAAAAAAAAAAAAAAAAAAAA", List.of(2), List.of(3), BrokerPlace.LOOPBACK);

        assertThat(Long.parseLong(EmbeddedBroker.properties(place).getProperty("broker.session.timeout.ms")))
                .isLessThan(sixth);
    }

    // each record was acknowledged before the kill, so each is there. Ready again, and takes records, within the eight
    // seconds that are promised: four of them are a start's. A machine that is slow at the first start may be so at the
    // next, and more
    @Test
    @Tag("long")
    void whatWasAcknowledgedIsThereAfterAKill() throws Exception {
        KafkaSettings settings;
        long began = System.nanoTime();
        Duration start;
        try (ClusterProcess process = ClusterProcess.start(dir)) {
            assertThat(process.firstLine()).startsWith("ready after ");
            start = Duration.ofNanos(System.nanoTime() - began);
            settings = EmbeddedCluster.running(dir).orElseThrow();
            createTopics(settings);
            write(settings, 1, 200);
            process.kill();
        }
        assertThat(EmbeddedCluster.running(dir)).isEmpty();

        long killed = System.nanoTime();
        try (ClusterProcess process = ClusterProcess.start(dir)) {
            assertThat(process.firstLine()).startsWith("ready after ");
            write(settings, 201, 300);
            assertThat(Duration.ofNanos(System.nanoTime() - killed))
                    .isLessThan(start.multipliedBy(3).plusSeconds(4));
            assertThat(read(settings)).hasSize(300);
        }
    }

    @Test
    void aDirectoryBelongsToOneProcess() throws Exception {
        try (ClusterProcess first = ClusterProcess.start(dir);
                ClusterProcess second = ClusterProcess.start(dir)) {
            String held = "data directory " + dir.toRealPath() + " is held by another cluster (pid " + first.pid()
                    + "); end that one, or choose another directory";

            assertThat(second.firstLine()).isEqualTo(held);
            assertRefused(EmbeddedClusterConfig.in(dir), held);
        }
    }

    @Test
    void aDirectoryBelongsToOneClusterOfThisProcess() throws IOException {
        try (DataDirectory held = DataDirectory.hold(dir)) {
            assertRefused(
                    EmbeddedClusterConfig.in(dir),
                    "data directory " + held.path() + " is held by another cluster (pid "
                            + ProcessHandle.current().pid() + "); end that one, or choose another directory");
        }
        try (DataDirectory again = DataDirectory.hold(dir)) {
            assertThat(again.path()).isEqualTo(dir.toRealPath());
        }
    }

    @Test
    void aPortThatIsInUseIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            String inUse = " port " + port + " is in use: stop the program that has it or choose another port";

            assertRefused(EmbeddedClusterConfig.on(dir, OptionalInt.of(port), OptionalInt.empty()), "Kafka" + inUse);
            assertRefused(EmbeddedClusterConfig.on(dir, OptionalInt.empty(), OptionalInt.of(port)), "registry" + inUse);
        }
        // it left nothing behind that would be in the way
        DataDirectory.hold(dir).close();
    }

    @Test
    void aDirectoryOfSomethingElseIsLeftAlone() throws IOException {
        Files.writeString(dir.resolve("thesis.tex"), "\\documentclass{article}");

        assertRefused(
                EmbeddedClusterConfig.in(dir),
                "data directory " + dir.toRealPath()
                        + " is not a cluster's, it holds thesis.tex: choose an empty or a new one");
        assertThat(dir).isDirectoryContaining(path -> path.endsWith("thesis.tex"));
        try (var entries = Files.list(dir)) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void theDataOfAnotherKafkaIsLeftAlone() throws IOException {
        try (DataDirectory held = DataDirectory.hold(dir)) {
            held.keep(new DataDirectory.Identity("AAAAAAAAAAAAAAAAAAAAAA", List.of(1), List.of(2), 3));
        }
        Files.createDirectories(dir.resolve("kafka"));
        Files.writeString(dir.resolve("kafka").resolve("meta.properties"), "cluster.id=BBBBBBBBBBBBBBBBBBBBBB\n");

        assertRefused(
                EmbeddedClusterConfig.in(dir),
                "data directory " + dir.toRealPath()
                        + " holds the data of another Kafka cluster (BBBBBBBBBBBBBBBBBBBBBB,"
                        + " expected AAAAAAAAAAAAAAAAAAAAAA): choose an empty or a new one");
    }

    @Test
    void aDirectoryThatLacksAPartOfWhatItHeldIsRefused() throws IOException {
        Path kafka = dir.resolve("kafka");
        try (DataDirectory held = DataDirectory.hold(dir)) {
            held.keep(new DataDirectory.Identity("AAAAAAAAAAAAAAAAAAAAAA", List.of(1), List.of(2), 3));
        }
        Files.createFile(Files.createDirectories(kafka.resolve("jobs-0")).resolve("00000000000000000000.log"));

        assertRefused(EmbeddedClusterConfig.in(dir), lacks("meta.properties"));

        Files.writeString(kafka.resolve("meta.properties"), "cluster.id=AAAAAAAAAAAAAAAAAAAAAA\n");
        assertRefused(EmbeddedClusterConfig.in(dir), lacks("__cluster_metadata-0"));

        Files.createFile(
                Files.createDirectory(kafka.resolve("__cluster_metadata-0")).resolve("00000000000000000000.log"));
        Files.writeString(kafka.resolve("replication-offset-checkpoint"), "0\n3\njobs 0 4\nsplits 1 0\npools 2 1\n");
        assertRefused(EmbeddedClusterConfig.in(dir), lacks("pools-2"));

        Files.createDirectory(kafka.resolve("pools-2"));
        assertRefused(EmbeddedClusterConfig.in(dir), lacks("pools-2"));
    }

    @Test
    void aDirectoryThatDoesNotSayWhichClusterItIsIsRefused() throws IOException {
        Path meta = Files.createDirectories(dir.toRealPath().resolve("kafka")).resolve("meta.properties");
        Files.writeString(meta, "cluster.id=AAAAAAAAAAAAAAAAAAAAAA\n");
        assertRefused(EmbeddedClusterConfig.in(dir), damaged("cluster.properties is missing"));

        Path identity = Files.createFile(dir.resolve("cluster.properties"));
        assertRefused(
                EmbeddedClusterConfig.in(dir),
                damaged("cluster.properties cannot be read (broker.port must be a port, is '')"));

        Files.delete(identity);
        Files.delete(meta);
        try (DataDirectory held = DataDirectory.hold(dir)) {
            held.keep(new DataDirectory.Identity("AAAAAAAAAAAAAAAAAAAAAA", List.of(1), List.of(2), 3));
        }
        Files.createFile(meta);
        assertRefused(EmbeddedClusterConfig.in(dir), damaged(meta + " names no cluster"));
    }

    private String lacks(String what) throws IOException {
        return damaged(what + " is missing from " + dir.toRealPath().resolve("kafka"));
    }

    private String damaged(String what) throws IOException {
        return "data directory " + dir.toRealPath() + " is damaged: " + what
                + "; put it back from a copy, or choose a new one with --data-dir";
    }

    // as behind a disk that is full: the controller is gone, and the broker would ask it for minutes whether it may end
    @Test
    @Tag("long")
    void aBrokerWhoseControllerIsGoneEndsSoon() throws Exception {
        EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(kept()));
        controllers().forEach(Thread::interrupt);

        assertThat(cluster.failure().toCompletableFuture().get(90, TimeUnit.SECONDS))
                .isNotEmpty();
        closesSoon(cluster);
    }

    @Test
    @Tag("long")
    void aBrokerThatLosesItsDataSaysSoAndEndsSoon() throws Exception {
        Path folder = kept();
        EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(folder));
        Path kafka = folder.toRealPath().resolve("kafka");
        createTopics(cluster.settings());
        // at once: a broker that still runs would put files into folders that are being emptied
        Files.move(kafka, folder.resolve("elsewhere"));
        // as a partition does that is created just then
        Files.createDirectories(kafka);

        assertThat(cluster.failure().toCompletableFuture().get(90, TimeUnit.SECONDS))
                .endsWith(": its data in " + kafka + " was deleted");
        closesSoon(cluster);
    }

    /** For a broker that does not end with its test, and writes into its folder while that would be emptied. */
    private static Path kept() throws IOException {
        return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "broken-");
    }

    /** In three seconds where nothing else is done, and not in the minutes for which its parts wait for each other. */
    private static void closesSoon(EmbeddedCluster cluster) {
        long from = System.nanoTime();
        cluster.close();
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(40));
    }

    // a first start that was killed early, and a broker that lost all of which the others have copies
    @Test
    void aFolderOfABrokerThatHoldsNothingLacksNothing() throws IOException {
        assertThat(new BrokerFolder(dir.resolve("kafka")).missing()).isEmpty();
        Files.createDirectories(dir.resolve("kafka").resolve("__cluster_metadata-0"));
        assertThat(new BrokerFolder(dir.resolve("kafka")).missing()).isEmpty();
    }

    @Test
    void aDirectoryKeepsItsNumberOfBrokers() throws IOException {
        try (DataDirectory held = DataDirectory.hold(dir)) {
            held.keep(new DataDirectory.Identity("AAAAAAAAAAAAAAAAAAAAAA", List.of(1, 2, 3), List.of(4, 5, 6), 7));
            assertThat(DataDirectory.read(dir))
                    .map(DataDirectory.Identity::brokers)
                    .contains(3);
        }

        assertThatThrownBy(() -> EmbeddedCluster.start(new EmbeddedClusterConfig(
                                dir, OptionalInt.of(1), OptionalInt.empty(), OptionalInt.empty()))
                        .close())
                .isInstanceOf(ClusterRefused.class)
                .hasMessage(
                        "data directory " + dir.toRealPath() + " is that of a cluster of 3 brokers, not of 1: start it"
                                + " with as many, or choose an empty or a new one");
    }

    @Test
    void onlyANumberOfBrokersWithALargerHalfIsTaken() {
        for (int brokers : new int[] {-1, 0, 2, 4, 11}) {
            assertThatThrownBy(() -> new EmbeddedClusterConfig(
                            dir, OptionalInt.of(brokers), OptionalInt.empty(), OptionalInt.empty()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("brokers must be 1, 3, 5, 7 or 9, are " + brokers);
        }
        assertThatThrownBy(() ->
                        new EmbeddedClusterConfig(dir, OptionalInt.of(3), OptionalInt.of(9092), OptionalInt.of(9094)))
                .hasMessage("broker port and registry port must differ, are both 9094");
    }

    // Kafka's log.dirs is a list
    @Test
    void aDirectoryWithACommaIsRefused() throws IOException {
        Path comma = Files.createDirectory(dir.resolve("train,eval"));

        assertRefused(
                EmbeddedClusterConfig.in(comma),
                "data directory " + comma.toRealPath()
                        + " cannot be used: Kafka takes what follows a comma for another directory; choose one without");
    }

    @Test
    void aFileWhereTheDirectoryShouldBeIsSaidInALine() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));

        assertThatThrownBy(() -> EmbeddedCluster.start(EmbeddedClusterConfig.in(file)))
                .isInstanceOf(ClusterRefused.class)
                .hasMessageStartingWith("data directory " + file + " cannot be made: ")
                .message()
                .hasLineCount(1);
    }

    /** Two versions, the second soft deleted, under a level of their own; gives what the registry then knows. */
    private static String changeRegistry(KafkaSettings settings) throws Exception {
        SchemaRegistryClient client = new CachedSchemaRegistryClient(settings.registryUrl(), 10, Map.of());
        client.updateCompatibility("s", "NONE");
        client.register("s", new AvroSchema("\"int\""));
        client.register("s", new AvroSchema("\"string\""));
        client.deleteSchemaVersion("s", "2");
        client.register("gone", new AvroSchema("\"long\""));
        client.deleteSubject("gone");
        return registered(settings);
    }

    private static String registered(KafkaSettings settings) throws Exception {
        String known = "";
        for (String path : List.of("/schemas?deleted=true", "/schemas", "/config/s", "/config")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(settings.registryUrl() + path))
                    .build();
            known += HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .body()
                    + "\n";
        }
        assertThat(known).contains("\"subject\":\"gone\"", "\"compatibilityLevel\":\"NONE\"");
        return known;
    }

    private static void assertRefused(EmbeddedClusterConfig config, String message) {
        assertThatThrownBy(() -> EmbeddedCluster.start(config).close())
                .isInstanceOf(ClusterRefused.class)
                .hasMessage(message);
    }

    private static void createTopics(KafkaSettings settings) {
        try (TopicAdmin admin = TopicAdmin.connect(settings)) {
            admin.createMissing(List.of(Topics.SCALING_COMMANDS));
        }
    }

    /** Writes targets of so many workers, and waits until each is acknowledged. */
    private static void write(KafkaSettings settings, int from, int to) throws Exception {
        try (AvroCodec codec = new AvroCodec(settings);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings.producer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (int workers = from; workers <= to; workers++) {
                ScalingTarget target = new ScalingTarget("default", workers, "a test", 0L);
                sent.add(producer.send(new ProducerRecord<>(
                        PARTITION.topic(),
                        PARTITION.partition(),
                        ("pool-" + workers).getBytes(StandardCharsets.UTF_8),
                        codec.write(Topics.SCALING_COMMANDS, target))));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    private static List<ScalingTarget> read(KafkaSettings settings) throws Exception {
        try (AvroCodec codec = new AvroCodec(settings);
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings.consumer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
            List<ScalingTarget> targets = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (consumer.position(PARTITION) < end) {
                assertThat(System.nanoTime())
                        .as("records read until now: " + targets)
                        .isLessThan(deadline);
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    targets.add(codec.read(Topics.SCALING_COMMANDS, record.value()));
                }
            }
            return targets;
        }
    }
}
