package io.praline.worker;

import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.registry.AvroCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** Writes records of topics in the order given. Safe for several threads. */
final class TopicWriter implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AvroCodec codec;

    TopicWriter(KafkaSettings kafka, AvroCodec codec, String clientId) {
        Properties properties = kafka.producer();
        // a beat is worth little when it is late: better to make a new one
        properties.putIfAbsent("max.block.ms", "3000");
        properties.putIfAbsent("request.timeout.ms", "3000");
        properties.putIfAbsent("delivery.timeout.ms", "6000");
        properties.put("client.id", clientId);
        this.producer = new KafkaProducer<>(properties);
        this.codec = codec;
    }

    /** Puts a record on its way. */
    <V extends SpecificRecord> Future<RecordMetadata> send(Topic<V> topic, String key, V value) {
        return producer.send(
                new ProducerRecord<>(topic.name(), key.getBytes(StandardCharsets.UTF_8), codec.write(topic, value)));
    }

    /** Waits until it is in the log. */
    <V extends SpecificRecord> void write(Topic<V> topic, String key, V value) throws InterruptedException {
        try {
            send(topic, key, value).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
    }
}
