package io.praline.topics.log;

import io.praline.topics.KafkaSettings;
import io.praline.topics.registry.AvroCodec;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Where records are read from, and where those go that cannot be.
 *
 * @param codec stays the caller's
 * @param unreadable gets a record that cannot be read now or later, and why; on the thread that reads. What it throws
 *     rises out of the reading, and the record is the next one again
 */
public record LogSource(
        KafkaSettings kafka, AvroCodec codec, BiConsumer<ConsumerRecord<byte[], byte[]>, String> unreadable) {

    /**
     * For onlookers: what cannot be read is passed over. Where somebody folds the topic, it is quarantined there; of pools,
     * caches, ledgers, placement-decisions and quarantine all readers are onlookers.
     */
    public static LogSource passingOver(KafkaSettings kafka, AvroCodec codec) {
        return new LogSource(kafka, codec, (record, reason) -> {});
    }
}
