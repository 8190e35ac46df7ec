package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.ScalingTarget;
import io.praline.tests.rig.EmptyKafka;
import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Python;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our records in the hands of another language: Python, with Confluent's own client. */
class OtherVendorsClientTest {
    @TempDir
    Path dir;

    @BeforeAll
    static void requirePython() throws InterruptedException {
        Python.require("confluent_kafka.schema_registry.avro", "confluent-kafka[avro,schemaregistry]");
    }

    @Test
    @Tag("long")
    void readsWhatWeWriteAndWritesWhatWeRead() throws Exception {
        Topic<ScalingTarget> topic = Topics.SCALING_COMMANDS;
        TopicPartition partition = new TopicPartition(topic.name(), 0);
        ScalingTarget eight = new ScalingTarget("default", 8, "größer", 17L);
        try (EmptyKafka cluster = EmptyKafka.in(dir.resolve("cluster"));
                AvroCodec codec = new AvroCodec(cluster.settings())) {
            KafkaSettings settings = cluster.settings();
            try (TopicAdmin topics = TopicAdmin.connect(settings)) {
                topics.createMissing(List.of(topic));
            }
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings.producer())) {
                producer.send(new ProducerRecord<>(
                                topic.name(), 0, "default".getBytes(StandardCharsets.UTF_8), codec.write(topic, eight)))
                        .get();
            }

            Ended python =
                    Python.run("-W", "ignore", script(), settings.bootstrap(), settings.registryUrl(), topic.name());

            assertThat(python.code()).as(python.out() + python.err()).isZero();
            assertThat(python.out()).contains("\"workers\": 8", "\"decidedAtMillis\": 17");
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings.consumer())) {
                consumer.assign(List.of(partition));
                consumer.seek(partition, 1);
                byte[] written = consumer.poll(Duration.ofSeconds(90))
                        .records(partition)
                        .get(0)
                        .value();
                assertThat(codec.read(topic, written)).isEqualTo(new ScalingTarget("default", 9, "größer", 17L));
            }
        }
    }

    private static String script() throws Exception {
        return Path.of(OtherVendorsClientTest.class
                        .getResource("other_vendor.py")
                        .toURI())
                .toString();
    }
}
