package io.praline.dispatcher;

import io.praline.topics.log.SenderThread;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka Streams' own clients, whose producers' threads are watched: without them the stream thread waits for its commit for ever.
 *
 * @param usual who makes them
 * @param died hears what killed a thread
 */
record WatchedClients(KafkaClientSupplier usual, java.util.function.Consumer<Throwable> died)
        implements KafkaClientSupplier {
    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return usual.getAdmin(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        Producer<byte[], byte[]> producer = usual.getProducer(config);
        SenderThread.watch(producer, died);
        return producer;
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return usual.getConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return usual.getRestoreConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return usual.getGlobalConsumer(config);
    }
}
