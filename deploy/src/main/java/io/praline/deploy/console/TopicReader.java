package io.praline.deploy.console;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads all partitions of a topic: first what is there, then what comes. Records that cannot be read are passed over: the
 * dispatcher quarantines them. Belongs to one thread.
 */
public final class TopicReader<V extends SpecificRecord> implements AutoCloseable {

    /** One record; the value is empty where the key was deleted. */
    public record Entry<V>(String key, Optional<V> value, long timestampMillis) {}

    private static final Duration CONNECT = Duration.ofSeconds(6);

    private final KafkaSettings kafka;
    private final Topic<V> topic;
    private final AvroCodec codec;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> ends;

    private TopicReader(
            KafkaSettings kafka,
            Topic<V> topic,
            AvroCodec codec,
            KafkaConsumer<byte[], byte[]> consumer,
            List<TopicPartition> partitions,
            Map<TopicPartition, Long> ends) {
        this.kafka = kafka;
        this.topic = topic;
        this.codec = codec;
        this.consumer = consumer;
        this.partitions = partitions;
        this.ends = ends;
    }

    /** From the first record that is kept. */
    public static <V extends SpecificRecord> TopicReader<V> fromBeginning(
            KafkaSettings kafka, AvroCodec codec, Topic<V> topic) {
        TopicReader<V> reader = open(kafka, codec, topic);
        reader.consumer.seekToBeginning(reader.partitions);
        return reader;
    }

    /** The records that are kept of one key, in order: only the partition in which they lie is read. */
    public static <V extends SpecificRecord> List<V> ofKey(
            KafkaSettings kafka, AvroCodec codec, Topic<V> topic, String key) {
        try (TopicReader<V> reader = open(kafka, codec, topic)) {
            TopicPartition only = new TopicPartition(topic.name(), Topics.partitionOf(key, reader.partitions.size()));
            reader.consumer.assign(List.of(only));
            reader.consumer.seekToBeginning(List.of(only));
            List<V> found = new ArrayList<>();
            long end = reader.ends.get(only);
            while (reader.consumer.position(only) < end) {
                for (Entry<V> entry : reader.poll(Duration.ofMillis(100))) {
                    if (entry.key().equals(key)) {
                        entry.value().ifPresent(found::add);
                    }
                }
            }
            return found;
        }
    }

    /** From the records of this time on. */
    public static <V extends SpecificRecord> TopicReader<V> since(
            KafkaSettings kafka, AvroCodec codec, Topic<V> topic, long millis) {
        TopicReader<V> reader = open(kafka, codec, topic);
        Map<TopicPartition, Long> wanted = reader.partitions.stream().collect(Collectors.toMap(p -> p, p -> millis));
        Map<TopicPartition, OffsetAndTimestamp> found = reader.consumer.offsetsForTimes(wanted, CONNECT);
        for (TopicPartition partition : reader.partitions) {
            OffsetAndTimestamp first = found.get(partition);
            reader.consumer.seek(partition, first == null ? reader.ends.get(partition) : first.offset());
        }
        return reader;
    }

    private static <V extends SpecificRecord> TopicReader<V> open(
            KafkaSettings kafka, AvroCodec codec, Topic<V> topic) {
        codec.requireReachable();
        KafkaConsumer<byte[], byte[]> consumer;
        try {
            consumer = new KafkaConsumer<>(kafka.consumer());
        } catch (KafkaException failed) {
            throw kafka.unusable(failed);
        }
        try {
            List<TopicPartition> partitions = consumer.partitionsFor(topic.name(), CONNECT).stream()
                    .map(info -> new TopicPartition(topic.name(), info.partition()))
                    .toList();
            if (partitions.isEmpty()) {
                throw ServiceUnreachable.noTopic(kafka, List.of(topic.name()));
            }
            consumer.assign(partitions);
            return new TopicReader<>(
                    kafka, topic, codec, consumer, partitions, consumer.endOffsets(partitions, CONNECT));
        } catch (InterruptException interrupted) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw interrupted;
        } catch (KafkaException failed) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw ServiceUnreachable.kafka(kafka, failed);
        } catch (RuntimeException failed) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw failed;
        }
    }

    /** Whether all is read that was there when the reader was opened. */
    boolean caughtUp() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** What came since; waits so long for the first record. */
    public List<Entry<V>> poll(Duration wait) {
        List<Entry<V>> entries = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> found : records(wait)) {
            String key = found.key() == null ? "" : new String(found.key(), StandardCharsets.UTF_8);
            if (found.value() == null) {
                entries.add(new Entry<>(key, Optional.empty(), found.timestamp()));
                continue;
            }
            read(found).ifPresent(value -> entries.add(new Entry<>(key, Optional.of(value), found.timestamp())));
        }
        return entries;
    }

    private ConsumerRecords<byte[], byte[]> records(Duration wait) {
        try {
            return consumer.poll(wait);
        } catch (AuthenticationException | AuthorizationException refused) {
            throw ServiceUnreachable.kafka(kafka, refused);
        }
    }

    private Optional<V> read(ConsumerRecord<byte[], byte[]> found) {
        try {
            return Optional.of(codec.read(topic, found.value()));
        } catch (UnreadableRecord unreadable) {
            return Optional.empty();
        }
    }

    /** All that was there when the reader was opened, in the order of each partition. */
    public List<Entry<V>> drain() {
        List<Entry<V>> all = new ArrayList<>();
        while (!caughtUp()) {
            all.addAll(poll(Duration.ofMillis(100)));
        }
        return all;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
