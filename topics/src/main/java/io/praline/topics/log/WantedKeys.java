package io.praline.topics.log;

import io.praline.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Which keys of a topic are read: one, those that begin alike, or all. */
final class WantedKeys {
    private final byte[] begins;
    private final boolean whole;

    private WantedKeys(String begins, boolean whole) {
        this.begins = begins.getBytes(StandardCharsets.UTF_8);
        this.whole = whole;
    }

    /** This one; empty: all. */
    static WantedKeys of(Optional<String> key) {
        return new WantedKeys(key.orElse(""), key.isPresent());
    }

    /** Those that begin so. */
    static WantedKeys from(String prefix) {
        return new WantedKeys(prefix, false);
    }

    /** Whether it is one of them; a record without a key has none. */
    boolean holds(byte[] key) {
        return key != null
                && (whole
                        ? Arrays.equals(begins, key)
                        : key.length >= begins.length
                                && Arrays.equals(key, 0, begins.length, begins, 0, begins.length));
    }

    /**
     * Whether a record lies in a partition that is not its key's: what is told there nobody keeps up, nor takes away, who knows
     * where the key belongs.
     *
     * @param read partitions; of one alone it is known that it is the right one
     */
    static boolean liesElsewhere(ConsumerRecord<byte[], byte[]> record, int read) {
        return read > 1
                && record.key() != null
                && Topics.partitionOf(PagedValue.owner(record.key()), read) != record.partition();
    }

    /** Whether records of theirs may be in this partition of so many. */
    boolean mayLieIn(int partition, int partitions) {
        return !whole || Topics.partitionOf(begins, partitions) == partition;
    }
}
