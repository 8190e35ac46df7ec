package io.praline.dispatcher;

import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Requests and plans do not wait behind beats. Of records that are there the oldest is taken first; where beats come faster
 * than they are taken, what somebody asked for would wait for all of those before it, and so would each step of what
 * follows from it: nothing would start. So requests and plans count as older than they are. They are few; what was heard
 * of consumers stays in its place among beats, by whose log time passes.
 */
final class TakenFirst implements TimestampExtractor {
    /** More than any dispatcher is behind that goes on. */
    private static final Duration OLDER = Duration.ofHours(1);

    private static final List<String> FIRST = List.of(Topics.JOB_REQUESTS, Topics.SPLITS).stream()
            .map(Topic::name)
            .toList();

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return record.timestamp() - older(record.topic());
    }

    /** When a record of the topic was appended, that has this time for Kafka Streams. */
    static long stamp(String topic, long taken) {
        return taken + older(topic);
    }

    private static long older(String topic) {
        return FIRST.contains(topic) ? OLDER.toMillis() : 0;
    }
}
