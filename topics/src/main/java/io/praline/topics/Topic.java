package io.praline.topics;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * One topic: what its records are, and how Kafka keeps them. Time is log time on all of them ({@code LogAppendTime}).
 *
 * @param <V> the envelope that each of its values is
 * @param type the class of that envelope
 * @param schema the envelope's schema, registered under {@link #subject()}
 * @param partitions how many it is created with
 * @param retention how long a record stays; {@link #FOREVER} for a compacted topic
 * @param keyedBy what the UTF-8 key is, for people
 * @param dispatcherInput whether the dispatcher folds it: all of those have the same number of partitions, so that one
 *     task owns all there is on a key
 */
public record Topic<V extends SpecificRecord>(
        String name,
        Class<V> type,
        Schema schema,
        int partitions,
        Cleanup cleanup,
        Duration retention,
        String keyedBy,
        boolean dispatcherInput) {

    /** The retention of what only goes when a newer record of its key comes. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    public Topic {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions of " + name + " must be at least 1, is " + partitions);
        }
        if ((cleanup == Cleanup.COMPACT) != retention.equals(FOREVER)) {
            throw new IllegalArgumentException(
                    name + " must be compacted or have a retention, is " + cleanup + " with " + retention);
        }
    }

    /** The same topic, created with so many partitions. */
    Topic<V> withPartitions(int count) {
        return new Topic<>(name, type, schema, count, cleanup, retention, keyedBy, dispatcherInput);
    }

    /** Under which name the registry keeps the versions of its schema. */
    public String subject() {
        return name + "-value";
    }

    /** The topic configurations it is created with, by Kafka's names. */
    public Map<String, String> configs() {
        Map<String, String> configs = new TreeMap<>();
        configs.put("cleanup.policy", cleanup.policy());
        configs.put("message.timestamp.type", "LogAppendTime");
        configs.put("max.message.bytes", Integer.toString(Agreements.RECORD_BYTES));
        switch (cleanup) {
            case COMPACT -> {
                configs.put("segment.bytes", Integer.toString(Agreements.COMPACTED_SEGMENT_BYTES));
                configs.put("min.cleanable.dirty.ratio", "0.1");
            }
            case DELETE -> configs.put("retention.ms", Long.toString(retention.toMillis()));
        }
        return configs;
    }
}
