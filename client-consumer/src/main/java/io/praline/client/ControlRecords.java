package io.praline.client;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.registry.AvroCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** What a client writes to topics, each record at once and once. Any thread. */
final class ControlRecords implements AutoCloseable {
    private static final String MAX_BLOCK_MS = "8000";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final AvroCodec codec;
    private final Producer<byte[], byte[]> producer;

    /** @param codec stays the caller's */
    ControlRecords(KafkaSettings settings, AvroCodec codec) {
        this.settings = settings;
        this.codec = codec;
        Properties properties = settings.producer();
        properties.putIfAbsent("max.block.ms", MAX_BLOCK_MS);
        this.producer = new KafkaProducer<>(properties);
    }

    /** Learns where a topic lies, so that the first record of it does not wait for that. */
    void know(Topic<?> topic) {
        try {
            producer.partitionsFor(topic.name());
        } catch (KafkaException failed) {
            throw ServiceUnreachable.kafka(settings, failed);
        }
    }

    /** Sends it in the background; {@code failed} hears of it where Kafka does not take it. */
    <V extends SpecificRecord> void send(Topic<V> topic, String key, V value, Consumer<Exception> failed) {
        try {
            // what becomes of it is in the callback
            Future<RecordMetadata> unused = producer.send(record(topic, key, value), (metadata, exception) -> {
                if (exception != null) {
                    failed.accept(exception);
                }
            });
        } catch (KafkaException | ServiceUnreachable exception) {
            failed.accept(exception);
        }
    }

    /**
     * Sends it and waits until Kafka has it.
     *
     * @throws ServiceUnreachable if that takes longer than ten seconds
     */
    <V extends SpecificRecord> void sendNow(Topic<V> topic, String key, V value) {
        try {
            producer.send(record(topic, key, value)).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw ServiceUnreachable.kafka(settings, failed.getCause());
        } catch (KafkaException | TimeoutException failed) {
            throw ServiceUnreachable.kafka(settings, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for Kafka", interrupted);
        }
    }

    private <V extends SpecificRecord> ProducerRecord<byte[], byte[]> record(Topic<V> topic, String key, V value) {
        return new ProducerRecord<>(topic.name(), key.getBytes(StandardCharsets.UTF_8), codec.write(topic, value));
    }

    /** Waits up to five seconds for what is on its way. */
    @Override
    public void close() {
        producer.close(GOODBYE);
    }
}
