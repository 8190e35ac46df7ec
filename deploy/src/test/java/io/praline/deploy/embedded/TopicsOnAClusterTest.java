package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.schema.JobRequest;
import io.praline.schema.Pause;
import io.praline.schema.QuarantinedRecord;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.Quarantine;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topics against a real broker. */
class TopicsOnAClusterTest {
    @TempDir
    static Path dir;

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir.resolve("cluster")));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    // before: two topics as somebody made them by hand; then all are created; then one input gets more partitions
    @Test
    void missingTopicsAreCreatedAndDifferencesSaid() throws Exception {
        try (Admin admin = Admin.create(cluster.settings().admin());
                TopicAdmin topics = TopicAdmin.connect(cluster.settings())) {
            admin.createTopics(List.of(
                            new NewTopic("jobs", Optional.of(3), Optional.empty())
                                    .configs(Map.of("cleanup.policy", "delete")),
                            new NewTopic("splits", Optional.of(4), Optional.empty())
                                    .configs(
                                            Map.of("retention.ms", "1000", "message.timestamp.type", "LogAppendTime"))))
                    .all()
                    .get();

            assertThat(topics.differences())
                    .contains(
                            "topic job-requests is missing",
                            "topic jobs has 3 partitions, should have 4",
                            "topic jobs has cleanup.policy=delete, should have compact",
                            "topic jobs has message.timestamp.type=CreateTime, should have LogAppendTime",
                            "topic splits has retention.ms=1000, should have 604800000")
                    .hasSize(4 + Topics.all().size() - 2);
            assertThatThrownBy(topics::inputPartitions)
                    .isInstanceOf(ServiceUnreachable.class)
                    .hasMessage("Kafka at " + cluster.settings().bootstrap() + " has no topic job-requests,"
                            + " worker-heartbeats, client-heartbeats, consumption; create it with 'praline topics"
                            + " create'");
            assertThatAWriterSaysTheSame();

            assertThat(topics.createMissing())
                    .hasSize(Topics.all().size() - 2)
                    .contains("worker-heartbeats")
                    .doesNotContain("jobs", "splits");
            assertThat(topics.createMissing()).isEmpty();
            assertThat(topics.inputPartitions()).isEqualTo(4);
            assertThat(topics.differences()).hasSize(4);
            assertThat(topics.partitions())
                    .hasSize(Topics.all().size())
                    .containsEntry("worker-commands", 8)
                    .containsEntry("quarantine", 1);

            admin.createPartitions(Map.of("consumption", NewPartitions.increaseTo(6)))
                    .all()
                    .get();
            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(topics.differences())
                    .contains("the dispatcher's inputs must have equal numbers of partitions, have client-heartbeats 4,"
                            + " consumption 6, job-requests 4, splits 4, worker-heartbeats 4"));
            assertThatThrownBy(topics::inputPartitions)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("consumption 6");
        }
    }

    private static void assertThatAWriterSaysTheSame() {
        JobRequest request = new JobRequest("default", "job", "somebody", new Pause(true));
        WriterWaits waits = WriterWaits.usual(Duration.ofSeconds(1)).withRoom(Duration.ofSeconds(3));
        String words = "Kafka at " + cluster.settings().bootstrap()
                + " has no topic job-requests; create it with 'praline topics create'";
        try (AvroCodec codec = new AvroCodec(cluster.settings());
                TopicWriter writer = TopicWriter.open(cluster.settings(), codec, waits)) {
            assertThatThrownBy(() -> writer.know(Topics.JOB_REQUESTS))
                    .isInstanceOf(ServiceUnreachable.class)
                    .hasMessage(words);
            assertThatThrownBy(() -> writer.write(Topics.JOB_REQUESTS, "default", request))
                    .isInstanceOf(ServiceUnreachable.class)
                    .hasMessage(words);
            assertThatThrownBy(() -> writer.write(Topics.JOB_REQUESTS, "default", request, Duration.ofSeconds(90)))
                    .isInstanceOf(ServiceUnreachable.class)
                    .hasMessage(words);
        }
    }

    @Test
    void everySchemaIsTakenByTheRegistryOnce() throws Exception {
        try (AvroCodec codec = new AvroCodec(cluster.settings())) {
            codec.requireReachable();
            codec.register(Topics.all());
            codec.register(Topics.all());
        }
        for (Topic<?> topic : Topics.all()) {
            assertThat(registry("/subjects/" + topic.name() + "-value/versions"))
                    .as(topic.name())
                    .isEqualTo("[1]");
        }
    }

    private static String registry(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(cluster.settings().registryUrl() + path))
                .timeout(Duration.ofSeconds(90))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void aRecordThatCannotBeTakenIsFoundInQuarantine() throws Exception {
        Topic<QuarantinedRecord> quarantine = Topics.QUARANTINE;
        TopicPartition partition = new TopicPartition(quarantine.name(), 0);
        byte[] huge = new byte[1 << 20];
        try (TopicAdmin topics = TopicAdmin.connect(cluster.settings())) {
            topics.createMissing(List.of(quarantine));
        }
        try (AvroCodec codec = new AvroCodec(cluster.settings());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(cluster.settings().consumer())) {
            try (Quarantine taken = new Quarantine(cluster.settings(), codec, "a test")) {
                taken.take(new ConsumerRecord<>("jobs", 3, 17, null, new byte[] {1}), "it is too short");
                taken.take(new ConsumerRecord<>("jobs", 3, 18, huge, huge), "it is too long");
            }
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<ConsumerRecord<byte[], byte[]>> records =
                    consumer.poll(Duration.ofSeconds(90)).records(partition);

            assertThat(records.get(0).key()).asString().isEqualTo("jobs/3/17");
            QuarantinedRecord first = codec.read(quarantine, records.get(0).value());
            assertThat(List.of(first.getTopic(), first.getReason(), first.getBy()))
                    .containsExactly("jobs", "it is too short", "a test");
            assertThat(first.getValue().array()).containsExactly(1);
        }
    }

    @Test
    @Tag("long")
    void kafkaThatIsNotThereIsSaidWithinTenSeconds() {
        KafkaSettings nobody = KafkaSettings.of(
                "127.0.0.1:" + Ports.free(1).get(0), cluster.settings().registryUrl());
        long from = System.nanoTime();

        assertThatThrownBy(() -> TopicAdmin.connect(nobody).close())
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageStartingWith("Kafka at " + nobody.bootstrap() + " cannot be reached: ")
                .message()
                .hasLineCount(1);
        assertInTime(from);
    }

    // two dots: no name server is asked for such a name, which may take long or answer with a host of its own
    @Test
    void aHostThatDoesNotExistIsSaidWithinTenSeconds() {
        KafkaSettings nowhere = KafkaSettings.of(
                "no-such-host..invalid:9092", cluster.settings().registryUrl());
        long from = System.nanoTime();

        assertThatThrownBy(() -> TopicAdmin.connect(nowhere).close())
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageStartingWith("Kafka at no-such-host..invalid:9092 cannot be reached: ");
        assertInTime(from);
    }

    /** Of ten, on a machine that does other work too; Kafka's own client has a minute. */
    private static void assertInTime(long from) {
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(30));
    }
}
