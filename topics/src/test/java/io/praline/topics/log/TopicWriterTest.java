package io.praline.topics.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By Kafka's own producer in memory. */
class TopicWriterTest {
    private static final Topic<ScalingTarget> TOPIC = Topics.SCALING_COMMANDS;
    private static final ScalingTarget EIGHT = new ScalingTarget("größe", 8, "40 / 5 = 8", 17L);
    private static final String REFUSAL = "Kafka at localhost:1 does not allow this user enough: Not authorized:"
            + " [scaling-commands]; grant what deploy/ACLS.md lists for this program";

    private final TopicAuthorizationException refused =
            new TopicAuthorizationException("Not authorized: [scaling-commands]");
    private final List<Exception> failures = new ArrayList<>();
    private FakeRegistry registry;
    private AvroCodec codec;
    private KafkaSettings kafka;

    @BeforeEach
    void open() throws IOException {
        registry = new FakeRegistry();
        kafka = registry.settings();
        codec = new AvroCodec(kafka);
    }

    @AfterEach
    void close() {
        codec.close();
        registry.close();
    }

    /** Answers at once, or when it is told to. */
    private static MockProducer<byte[], byte[]> producer(boolean answers) {
        return new MockProducer<>(Cluster.empty(), answers, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private TopicWriter writer(MockProducer<byte[], byte[]> producer) {
        return TopicWriter.by(producer, kafka, codec, WriterWaits.usual(Duration.ZERO));
    }

    @Test
    void aRecordIsWrittenUnderItsKeyAndReadsBack() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(true);
        try (TopicWriter writer = writer(producer)) {
            writer.write(TOPIC, "größe", EIGHT);
            writer.write(TOPIC, "größe", EIGHT, Duration.ofSeconds(1));
            writer.send(TOPIC, "größe", EIGHT, failures::add);
        }

        assertThat(producer.closed()).isTrue();
        assertThat(failures).isEmpty();
        assertThat(producer.history()).hasSize(3);
        for (ProducerRecord<byte[], byte[]> record : producer.history()) {
            assertThat(record.topic()).isEqualTo("scaling-commands");
            assertThat(record.key()).asString().isEqualTo("größe");
            assertThat(codec.read(TOPIC, record.value())).isEqualTo(EIGHT);
        }
    }

    @Test
    void whatKafkaDoesNotTakeIsToldOnceToWhoSentIt() {
        MockProducer<byte[], byte[]> producer = producer(false);
        TopicWriter writer = writer(producer);
        writer.send(TOPIC, "a", EIGHT, failures::add);
        writer.send(TOPIC, "a", EIGHT, failures::add);

        assertThat(producer.errorNext(refused)).isTrue();
        assertThat(producer.completeNext()).isTrue();
        assertThat(failures).containsExactly(refused);
    }

    @Test
    void whatCannotEvenBeSentIsToldTheSameWay() {
        MockProducer<byte[], byte[]> producer = producer(true);
        producer.sendException = new TimeoutException("no room");
        TopicWriter writer = writer(producer);
        writer.send(TOPIC, "a", EIGHT, failures::add);
        assertThat(failures).containsExactly(producer.sendException);

        registry.failWith(503);
        writer.send(Topics.QUARANTINE, "a", quarantined(), failures::add);
        assertThat(failures).hasSize(2);
        assertThat(failures.get(1)).isInstanceOf(ServiceUnreachable.class);
    }

    private static QuarantinedRecord quarantined() {
        return Quarantine.quarantined("jobs", 0, 0, null, null, "it is too short", "a test", 0);
    }

    @Test
    void aLostRightIsToldToWhoWaits() {
        MockProducer<byte[], byte[]> producer = producer(true);
        producer.sendException = refused;
        TopicWriter writer = writer(producer);

        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(REFUSAL);
        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT, Duration.ofSeconds(1)))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(REFUSAL);
    }

    @Test
    void aMissingTopicIsNamedWithWhereAndWhatToDo() {
        MockProducer<byte[], byte[]> producer = producer(true);
        producer.sendException = new TimeoutException(
                "Topic scaling-commands not present in metadata after 60000 ms.",
                new UnknownTopicOrPartitionException("This server does not host this topic-partition."));
        producer.partitionsForException = producer.sendException;
        TopicWriter writer = writer(producer);
        String words = "Kafka at localhost:1 has no topic scaling-commands; create it with 'praline topics create'";

        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(words);
        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT, Duration.ofSeconds(1)))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(words);
        assertThatThrownBy(() -> writer.know(TOPIC))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(words);
    }

    @Test
    void whoDoesNotWantToWaitAnyLongerIsToldThatKafkaCannotBeReached() {
        TopicWriter writer = writer(producer(false));

        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT, Duration.ofMillis(1)))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageStartingWith("Kafka at localhost:1 cannot be reached: ");
    }

    @Test
    void anInterruptIsOne() {
        TopicWriter writer = writer(producer(false));

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> writer.write(TOPIC, "a", EIGHT, Duration.ofSeconds(10)))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whereATopicLiesIsAskedFor() {
        MockProducer<byte[], byte[]> producer = producer(true);
        TopicWriter writer = writer(producer);
        writer.know(TOPIC);

        producer.partitionsForException = new KafkaException("nobody knows");
        assertThatThrownBy(() -> writer.know(TOPIC))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageStartingWith("Kafka at localhost:1 cannot be reached: nobody knows; ");
    }

    @Test
    void waitsAreKafkasWhereNothingIsSaid() {
        WriterWaits usual = WriterWaits.usual(Duration.ofSeconds(2));

        assertThat(usual)
                .isEqualTo(new WriterWaits(
                        Duration.ofMinutes(1), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofSeconds(2)));
        assertThat(usual.withRoom(Duration.ofSeconds(8)))
                .isEqualTo(new WriterWaits(
                        Duration.ofSeconds(8), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofSeconds(2)));
    }
}
