package io.praline.topics.log;

import io.praline.schema.QuarantinedRecord;
import io.praline.topics.BoundedText;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Where records go that cannot be taken, so that the stream behind them goes on. Thread safe; writes in the background.
 * A write that fails is thrown by the next call.
 */
public final class Quarantine implements AutoCloseable {
    /** As much of a key or value is kept: with both cut the record fits {@link Topics#QUARANTINE}. */
    private static final int MAX_KEPT_BYTES = 900 << 10;

    private static final WriterWaits WAITS =
            WriterWaits.usual(Duration.ofSeconds(2)).withRoom(Duration.ofSeconds(8));

    private final TopicWriter writer;
    private final String by;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    /**
     * @param codec stays the caller's
     * @param by which program cannot take what it puts here
     */
    public Quarantine(KafkaSettings settings, AvroCodec codec, String by) {
        this.writer = TopicWriter.open(settings, codec, WAITS);
        this.by = by;
    }

    /**
     * Puts the record away.
     *
     * @param reason why it could not be taken, in one line; cut where it is long
     * @throws ServiceUnreachable if an earlier one could not be put away
     */
    public void take(ConsumerRecord<byte[], byte[]> record, String reason) {
        throwFailure();
        QuarantinedRecord quarantined = quarantined(
                record.topic(),
                record.partition(),
                record.offset(),
                record.key(),
                record.value(),
                reason,
                by,
                record.timestamp());
        writer.send(Topics.QUARANTINE, key(quarantined), quarantined, failed -> failure.compareAndSet(null, failed));
    }

    /**
     * What is put away for a record; for those who write it by their own producer.
     *
     * @param key null for none, as Kafka has it
     * @param value null for none, as Kafka has it
     * @param atMillis log time of the record, in milliseconds since 1970
     */
    public static QuarantinedRecord quarantined(
            String topic,
            int partition,
            long offset,
            byte[] key,
            byte[] value,
            String reason,
            String by,
            long atMillis) {
        return QuarantinedRecord.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setOffset(offset)
                .setKey(kept(key))
                .setValue(kept(value))
                .setReason(BoundedText.reason(reason))
                .setBy(by)
                .setAtMillis(atMillis)
                .build();
    }

    /** The key under which it is put away. */
    public static String key(QuarantinedRecord record) {
        return key(record.getTopic(), record.getPartition(), record.getOffset());
    }

    /** The key under which the record that lies there is put away. */
    public static String key(String topic, int partition, long offset) {
        return topic + "/" + partition + "/" + offset;
    }

    private static ByteBuffer kept(byte[] bytes) {
        return bytes == null
                ? ByteBuffer.allocate(0)
                : ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, MAX_KEPT_BYTES));
    }

    private void throwFailure() {
        Exception failed = failure.getAndSet(null);
        if (failed != null) {
            throw new ServiceUnreachable(
                    "records cannot be put into " + Topics.QUARANTINE.name() + ": "
                            + ServiceUnreachable.oneLine(failed),
                    failed);
        }
    }

    /** Waits up to two seconds for what is on its way. */
    @Override
    public void close() {
        writer.close();
        throwFailure();
    }
}
