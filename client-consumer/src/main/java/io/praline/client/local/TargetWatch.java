package io.praline.client.local;

import io.praline.schema.ScalingTarget;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * The newest target of one pool, or of one job on one host: no group, one partition, read from its beginning. A broker
 * that is away changes nothing: the last target stays. Belongs to one thread.
 */
public final class TargetWatch implements AutoCloseable {
    private static final String FETCH_WAIT_MS = "50";
    private static final String API_TIMEOUT_MS = "8000";
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final String subject;
    private final byte[] key;
    private final AvroCodec codec;
    private final BiConsumer<ConsumerRecord<byte[], byte[]>, String> unreadable;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Optional<ConsumerRecord<byte[], byte[]>> unread = Optional.empty();

    /**
     * Opens it.
     *
     * @param subject the pool, or {@code JOB@HOST}
     * @param codec stays the caller's
     * @param unreadable gets a record of this subject that cannot be read, and why
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds
     */
    public TargetWatch(
            KafkaSettings kafka,
            AvroCodec codec,
            String subject,
            BiConsumer<ConsumerRecord<byte[], byte[]>, String> unreadable) {
        this.subject = subject;
        this.key = subject.getBytes(StandardCharsets.UTF_8);
        this.codec = codec;
        this.unreadable = unreadable;
        Properties properties = kafka.consumer();
        properties.putIfAbsent("fetch.max.wait.ms", FETCH_WAIT_MS);
        properties.putIfAbsent("default.api.timeout.ms", API_TIMEOUT_MS);
        this.consumer = new KafkaConsumer<>(properties);
        try {
            String topic = Topics.SCALING_COMMANDS.name();
            List<PartitionInfo> known = consumer.partitionsFor(topic);
            if (known == null || known.isEmpty()) {
                throw ServiceUnreachable.noTopic(kafka, List.of(topic));
            }
            List<TopicPartition> mine = List.of(new TopicPartition(topic, Topics.partitionOf(key, known.size())));
            consumer.assign(mine);
            consumer.seekToBeginning(mine);
        } catch (KafkaException failed) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw ServiceUnreachable.kafka(kafka, failed);
        } catch (RuntimeException failed) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw failed;
        }
    }

    public String subject() {
        return subject;
    }

    /** The newest target that came; waits so long for one. What a registry that is away does not let be read comes later. */
    public Optional<ScalingTarget> poll(Duration wait) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            if (record.value() != null && Arrays.equals(record.key(), key)) {
                unread = Optional.of(record);
            }
        }
        try {
            Optional<ScalingTarget> newest = unread.flatMap(this::read);
            unread = Optional.empty();
            return newest;
        } catch (ServiceUnreachable away) {
            return Optional.empty();
        }
    }

    private Optional<ScalingTarget> read(ConsumerRecord<byte[], byte[]> record) {
        try {
            ScalingTarget target = codec.read(Topics.SCALING_COMMANDS, record.value());
            if (target.getWorkers() < 0) {
                unreadable.accept(record, "workers must not be negative, is " + target.getWorkers());
                return Optional.empty();
            }
            return Optional.of(target);
        } catch (UnreadableRecord bad) {
            unreadable.accept(record, bad.reason());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(GOODBYE));
    }
}
