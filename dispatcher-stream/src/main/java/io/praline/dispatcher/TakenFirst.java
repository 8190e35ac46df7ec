package io.praline.dispatcher;

import io.praline.schema.Submit;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Submissions and plans do not wait behind beats. Of records that are there the oldest is taken first; where beats come faster
 * than they are taken, what somebody asked for would wait for all of those before it, and so would each step of what
 * follows from it: nothing would start. So these count as older than they are. They are few; what was heard of consumers
 * stays in its place among beats, by whose log time passes, and so does all that is asked of a job that is there: who takes
 * a dead consumer's place must not overtake what that one acknowledged before it died.
 *
 * @param codec stays the caller's
 */
record TakenFirst(AvroCodec codec) implements TimestampExtractor {
    /** More than any dispatcher is behind that goes on. */
    private static final Duration OLDER = Duration.ofHours(1);

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return record.timestamp() - older(record.topic(), (byte[]) record.value());
    }

    /** When a record was appended that has this time for Kafka Streams. */
    long stamp(String topic, byte[] value, long taken) {
        return taken + older(topic, value);
    }

    private long older(String topic, byte[] value) {
        boolean first =
                topic.equals(Topics.SPLITS.name()) || (topic.equals(Topics.JOB_REQUESTS.name()) && submits(value));
        return first ? OLDER.toMillis() : 0;
    }

    private boolean submits(byte[] value) {
        try {
            return codec.read(Topics.JOB_REQUESTS, value).getBody() instanceof Submit;
        } catch (UnreadableRecord nobodys) {
            return false;
        }
    }
}
