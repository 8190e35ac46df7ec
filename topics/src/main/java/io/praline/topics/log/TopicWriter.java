package io.praline.topics.log;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.registry.AvroCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
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
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Writes records of topics, each at once and once, in the order given. Any thread. */
public final class TopicWriter implements AutoCloseable {
    /** How often whoever waits looks whether there will be an answer at all. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final KafkaSettings kafka;
    private final AvroCodec codec;
    private final Producer<byte[], byte[]> producer;
    private final Duration goodbye;
    private final CompletableFuture<RuntimeException> died = new CompletableFuture<>();

    private TopicWriter(KafkaSettings kafka, AvroCodec codec, Producer<byte[], byte[]> producer, Duration goodbye) {
        this.kafka = kafka;
        this.codec = codec;
        this.producer = producer;
        this.goodbye = goodbye;
    }

    /**
     * Opens it; asks nothing of Kafka yet.
     *
     * @param codec stays the caller's
     * @throws ServiceUnreachable if Kafka's address does not resolve
     * @throws IllegalArgumentException if the settings are none of Kafka's
     */
    public static TopicWriter open(KafkaSettings kafka, AvroCodec codec, WriterWaits waits) {
        Properties properties = kafka.producer();
        properties.putIfAbsent("max.block.ms", Long.toString(waits.room().toMillis()));
        properties.putIfAbsent(
                "request.timeout.ms", Long.toString(waits.answer().toMillis()));
        properties.putIfAbsent(
                "delivery.timeout.ms", Long.toString(waits.delivery().toMillis()));
        try {
            Producer<byte[], byte[]> producer = new KafkaProducer<>(properties);
            TopicWriter writer = by(producer, kafka, codec, waits);
            SenderThread.watch(producer, writer::died);
            return writer;
        } catch (KafkaException failed) {
            throw kafka.unusable(failed);
        }
    }

    private void died(Throwable why) {
        died.complete(new IllegalStateException(
                "nothing can be written to Kafka any more: its client's thread died: " + why, why));
    }

    /** Completed when nothing can be written by it any more, whatever Kafka does. */
    public CompletableFuture<RuntimeException> died() {
        return died.copy();
    }

    /** As {@link #open}, by this producer, which is taken over. */
    static TopicWriter by(Producer<byte[], byte[]> producer, KafkaSettings kafka, AvroCodec codec, WriterWaits waits) {
        return new TopicWriter(kafka, codec, producer, waits.goodbye());
    }

    /**
     * Learns where a topic lies, so that the first record of it does not wait for that.
     *
     * @throws ServiceUnreachable if Kafka does not say, or has no such topic
     */
    public void know(Topic<?> topic) {
        try {
            producer.partitionsFor(topic.name());
        } catch (InterruptException interrupted) {
            throw interrupted;
        } catch (KafkaException failed) {
            throw told(topic, failed);
        }
    }

    /**
     * Sends it in the background.
     *
     * @param failed hears, once, that it is given up; on the producer's thread or this one
     */
    public <V extends SpecificRecord> void send(Topic<V> topic, String key, V value, Consumer<Exception> failed) {
        send(topic, key, value, () -> {}, failed);
    }

    /**
     * Sends it in the background. Either is called, once; on the producer's thread or this one.
     *
     * @param written hears that Kafka has it
     * @param failed hears that it is given up
     */
    public <V extends SpecificRecord> void send(
            Topic<V> topic, String key, V value, Runnable written, Consumer<Exception> failed) {
        if (died.isDone()) {
            failed.accept(died.join());
            return;
        }
        try {
            // what becomes of it is in the callback
            Future<RecordMetadata> unused = producer.send(record(topic, key, value), (metadata, exception) -> {
                if (exception == null) {
                    written.run();
                } else {
                    failed.accept(exception);
                }
            });
        } catch (KafkaException | ServiceUnreachable exception) {
            failed.accept(exception);
        }
    }

    /**
     * Sends it and waits until Kafka has it, or it is given up.
     *
     * @throws ServiceUnreachable if it is given up; also where Kafka has no such topic, and has none as long as one waits for
     *     room
     */
    public <V extends SpecificRecord> void write(Topic<V> topic, String key, V value) throws InterruptedException {
        try {
            requireAlive();
            awaited(producer.send(record(topic, key, value)));
        } catch (ExecutionException failed) {
            throw told(topic, failed.getCause());
        } catch (InterruptException interrupted) {
            throw interrupted(interrupted);
        } catch (KafkaException failed) {
            throw told(topic, failed);
        }
    }

    private void awaited(Future<RecordMetadata> sent) throws InterruptedException, ExecutionException {
        while (true) {
            try {
                sent.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException waiting) {
                requireAlive();
            }
        }
    }

    private void requireAlive() throws ExecutionException {
        if (died.isDone()) {
            throw new ExecutionException(died.join());
        }
    }

    /**
     * As {@link #write(Topic, String, SpecificRecord)}, and waits no longer than this: the record may still arrive later.
     *
     * @throws ServiceUnreachable if Kafka does not have it then
     */
    public <V extends SpecificRecord> void write(Topic<V> topic, String key, V value, Duration within)
            throws InterruptedException {
        try {
            requireAlive();
            producer.send(record(topic, key, value)).get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw told(topic, failed.getCause());
        } catch (InterruptException interrupted) {
            throw interrupted(interrupted);
        } catch (KafkaException | TimeoutException failed) {
            throw told(topic, failed);
        }
    }

    /** What the producer threw; it waits for a topic that is missing as for a Kafka that is away, and says which in a cause. */
    private ServiceUnreachable told(Topic<?> topic, Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownTopicOrPartitionException) {
                return ServiceUnreachable.noTopic(kafka, List.of(topic.name()));
            }
        }
        return ServiceUnreachable.kafka(kafka, failed);
    }

    private static InterruptedException interrupted(InterruptException interrupted) {
        InterruptedException told = new InterruptedException("interrupted while waiting for Kafka");
        told.initCause(interrupted);
        return told;
    }

    private <V extends SpecificRecord> ProducerRecord<byte[], byte[]> record(Topic<V> topic, String key, V value) {
        return new ProducerRecord<>(topic.name(), key.getBytes(StandardCharsets.UTF_8), codec.write(topic, value));
    }

    /** Waits a moment for what is on its way, and gives up the rest. */
    @Override
    public void close() {
        producer.close(goodbye);
    }
}
