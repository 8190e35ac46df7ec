package io.praline.topics.log;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads a topic without a group: all of it, or the records of one key, of which only the one partition is read. The
 * position is taken when it is opened, so that nothing written after that is missed. A value in pages ({@link PagedValue}) is given whole. Keys are compared as bytes, and only
 * the values that are asked for are decoded; a record without a key, or in a partition that is not its key's, is nobody's and is passed over. A broker that is away while it is followed changes nothing: nothing comes.
 *
 * <p>Belongs to one thread at a time, but for {@link #wakeUp()}.
 */
public final class TopicReader<V extends SpecificRecord> implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(100);

    /** Kafka's name for how many answers a consumer has had of all brokers. */
    private static final String ANSWERS = "response-total";

    private static final String CONSUMER = "consumer-metrics";

    private final KafkaSettings kafka;
    private final LogSource source;
    private final Topic<V> topic;
    private final WantedKeys wanted;
    private final Consumer<byte[], byte[]> consumer;
    private final Duration goodbye;
    private final Map<TopicPartition, Long> ends;
    /** Came, and not decoded yet. */
    private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();
    /** Decoded, and not given yet: the registry did not answer for one behind them. */
    private final List<Entry<V>> decoded = new ArrayList<>();

    private final PendingPages pages = new PendingPages();

    /** Of hundreds of metrics those that are looked at whenever something came; a consumer has them from its beginning on. */
    private List<? extends Metric> counted = List.of();

    private double answers;
    private long answeredNanos = System.nanoTime();

    /**
     * One record.
     *
     * @param came as it lies on the topic
     * @param value empty where the key was deleted
     */
    public record Entry<V>(ConsumerRecord<byte[], byte[]> came, Optional<V> value) {

        public String key() {
            return new String(came.key(), StandardCharsets.UTF_8);
        }

        /** Log time, in milliseconds since 1970. */
        public long timestampMillis() {
            return came.timestamp();
        }
    }

    /** Puts a consumer whose partitions are assigned where it begins. */
    private interface Start {
        void position(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends);
    }

    private TopicReader(
            LogSource source,
            Topic<V> topic,
            WantedKeys wanted,
            Consumer<byte[], byte[]> consumer,
            Duration goodbye,
            Map<TopicPartition, Long> ends) {
        this.kafka = source.kafka();
        this.source = source;
        this.topic = topic;
        this.wanted = wanted;
        this.consumer = consumer;
        this.goodbye = goodbye;
        this.ends = ends;
    }

    /**
     * From the first record that is kept.
     *
     * @param key whose records are read; empty: all
     * @throws ServiceUnreachable if Kafka does not answer in time, has no such topic, or does not allow it to be read
     * @throws IllegalArgumentException if the settings are none of Kafka's
     */
    public static <V extends SpecificRecord> TopicReader<V> fromBeginning(
            LogSource source, Topic<V> topic, Optional<String> key, ReaderWaits waits) {
        return fromBeginning(source, topic, key, consumer(source.kafka(), waits), waits);
    }

    /** As {@link #fromBeginning(LogSource, Topic, Optional, ReaderWaits)}, by this consumer, which is taken over. */
    static <V extends SpecificRecord> TopicReader<V> fromBeginning(
            LogSource source,
            Topic<V> topic,
            Optional<String> key,
            Consumer<byte[], byte[]> consumer,
            ReaderWaits waits) {
        return open(
                source, topic, WantedKeys.of(key), consumer, waits, (by, ends) -> by.seekToBeginning(ends.keySet()));
    }

    /** What is written from now on; otherwise as {@link #fromBeginning(LogSource, Topic, Optional, ReaderWaits)}. */
    public static <V extends SpecificRecord> TopicReader<V> fromEnd(
            LogSource source, Topic<V> topic, Optional<String> key, ReaderWaits waits) {
        return fromEnd(source, topic, key, consumer(source.kafka(), waits), waits);
    }

    /** As {@link #fromEnd(LogSource, Topic, Optional, ReaderWaits)}, by this consumer, which is taken over. */
    static <V extends SpecificRecord> TopicReader<V> fromEnd(
            LogSource source,
            Topic<V> topic,
            Optional<String> key,
            Consumer<byte[], byte[]> consumer,
            ReaderWaits waits) {
        return open(source, topic, WantedKeys.of(key), consumer, waits, (by, ends) -> ends.forEach(by::seek));
    }

    /**
     * What was written since; otherwise as {@link #fromBeginning(LogSource, Topic, Optional, ReaderWaits)}.
     *
     * @param millis log time, in milliseconds since 1970
     */
    public static <V extends SpecificRecord> TopicReader<V> since(
            LogSource source, Topic<V> topic, Optional<String> key, long millis, ReaderWaits waits) {
        return since(source, topic, WantedKeys.of(key), millis, consumer(source.kafka(), waits), waits);
    }

    /** As {@link #since}, of all keys that begin so, wherever they lie. */
    public static <V extends SpecificRecord> TopicReader<V> ofKeysFrom(
            LogSource source, Topic<V> topic, String prefix, long millis, ReaderWaits waits) {
        return since(source, topic, WantedKeys.from(prefix), millis, consumer(source.kafka(), waits), waits);
    }

    /** As {@link #since(LogSource, Topic, Optional, long, ReaderWaits)}, by this consumer, which is taken over. */
    static <V extends SpecificRecord> TopicReader<V> since(
            LogSource source,
            Topic<V> topic,
            WantedKeys keys,
            long millis,
            Consumer<byte[], byte[]> consumer,
            ReaderWaits waits) {
        return open(source, topic, keys, consumer, waits, (by, ends) -> {
            Map<TopicPartition, OffsetAndTimestamp> found = by.offsetsForTimes(
                    ends.keySet().stream().collect(Collectors.toMap(partition -> partition, partition -> millis)));
            ends.forEach((partition, end) -> by.seek(
                    partition,
                    Optional.ofNullable(found.get(partition))
                            .map(OffsetAndTimestamp::offset)
                            .orElse(end)));
        });
    }

    private static Consumer<byte[], byte[]> consumer(KafkaSettings kafka, ReaderWaits waits) {
        Properties properties = kafka.consumer();
        properties.putIfAbsent("fetch.max.wait.ms", Long.toString(waits.fetch().toMillis()));
        properties.putIfAbsent(
                "default.api.timeout.ms", Long.toString(waits.answer().toMillis()));
        try {
            return new KafkaConsumer<>(properties);
        } catch (KafkaException failed) {
            throw kafka.unusable(failed);
        }
    }

    private static <V extends SpecificRecord> TopicReader<V> open(
            LogSource source,
            Topic<V> topic,
            WantedKeys wanted,
            Consumer<byte[], byte[]> consumer,
            ReaderWaits waits,
            Start start) {
        try {
            List<TopicPartition> partitions = partitions(source.kafka(), topic, wanted, consumer);
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            start.position(consumer, ends);
            return new TopicReader<>(source, topic, wanted, consumer, waits.goodbye(), ends);
        } catch (RuntimeException failed) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw told(source.kafka(), failed);
        }
    }

    private static List<TopicPartition> partitions(
            KafkaSettings kafka, Topic<?> topic, WantedKeys wanted, Consumer<byte[], byte[]> consumer) {
        List<PartitionInfo> known;
        try {
            known = Optional.ofNullable(consumer.partitionsFor(topic.name())).orElse(List.of());
        } catch (UnknownTopicOrPartitionException missing) {
            known = List.of();
        }
        if (known.isEmpty()) {
            throw ServiceUnreachable.noTopic(kafka, List.of(topic.name()));
        }
        int count = known.size();
        return known.stream()
                .map(PartitionInfo::partition)
                .filter(number -> wanted.mayLieIn(number, count))
                .map(number -> new TopicPartition(topic.name(), number))
                .toList();
    }

    /** An interrupt stays one; what else Kafka throws is told by what is to be done about it. */
    private static RuntimeException told(KafkaSettings kafka, RuntimeException failed) {
        return failed instanceof KafkaException && !(failed instanceof InterruptException)
                ? ServiceUnreachable.kafka(kafka, failed)
                : failed;
    }

    /** Whether all is given that was there when the reader was opened. */
    public boolean caughtUp() {
        try {
            return fetched.isEmpty()
                    && decoded.isEmpty()
                    && ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
        } catch (WakeupException woken) {
            return false;
        } catch (KafkaException failed) {
            throw told(kafka, failed);
        }
    }

    /**
     * What came since, in the order of each partition; waits so long for the first record.
     *
     * @throws ServiceUnreachable if the user is not let in or not allowed to read any more
     *     ({@link ServiceUnreachable#isRefusal}), or the registry does not answer: what it was needed for comes with the
     *     next call
     */
    public List<Entry<V>> poll(Duration wait) {
        if (fetched.isEmpty()) {
            fetch(wait);
        }
        return decode();
    }

    /** As {@link #poll}, but of each key only the newest, and only that is decoded. */
    public List<Entry<V>> pollNewest(Duration wait) {
        fetch(wait);
        Map<ByteBuffer, ConsumerRecord<byte[], byte[]>> newest = new LinkedHashMap<>();
        fetched.forEach(record -> newest.put(ByteBuffer.wrap(record.key()), record));
        fetched.clear();
        fetched.addAll(newest.values());
        return decode();
    }

    /** All that was there when the reader was opened, in the order of each partition. */
    public List<Entry<V>> drain() {
        List<Entry<V>> all = new ArrayList<>();
        while (!caughtUp()) {
            all.addAll(poll(STEP));
        }
        return all;
    }

    /** As {@link #drain}, but of each key only the newest, and only that is decoded. */
    public List<Entry<V>> newest() {
        Map<ByteBuffer, ConsumerRecord<byte[], byte[]>> newest = new LinkedHashMap<>();
        while (!caughtUp()) {
            fetch(STEP);
            fetched.forEach(record -> newest.put(ByteBuffer.wrap(record.key()), record));
            fetched.clear();
        }
        fetched.addAll(newest.values());
        return decode();
    }

    /**
     * How long no broker has answered, by the time of the last look; a broker that has nothing new answers too. It is known
     * as exactly as it is looked.
     */
    public Duration silent() {
        return Duration.ofNanos(System.nanoTime() - answeredNanos);
    }

    private void listen() {
        if (counted.isEmpty()) {
            counted = consumer.metrics().values().stream()
                    .filter(metric -> metric.metricName().name().equals(ANSWERS)
                            && metric.metricName().group().equals(CONSUMER))
                    .toList();
        }
        double now = counted.stream()
                .mapToDouble(metric -> ((Number) metric.metricValue()).doubleValue())
                .sum();
        if (now != answers) {
            answers = now;
            answeredNanos = System.nanoTime();
        }
    }

    private void fetch(Duration wait) {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
                if (WantedKeys.liesElsewhere(record, ends.size())) {
                    continue;
                }
                if (record.key() != null && PagedValue.isPage(record.key())) {
                    page(record);
                } else if (wanted.holds(record.key())) {
                    fetched.add(record);
                }
            }
        } catch (AuthenticationException | AuthorizationException refused) {
            throw ServiceUnreachable.kafka(kafka, refused);
        } catch (WakeupException woken) {
            // nothing came: that is all the caller has to know
        } finally {
            listen();
        }
    }

    private void page(ConsumerRecord<byte[], byte[]> record) {
        byte[] of = PagedValue.owner(record.key());
        if (record.value() != null && wanted.holds(of)) {
            pages.add(record.key(), record.value());
        }
    }

    private List<Entry<V>> decode() {
        while (!fetched.isEmpty()) {
            ConsumerRecord<byte[], byte[]> record = fetched.element();
            if (record.value() == null) {
                decoded.add(new Entry<>(record, Optional.empty()));
            } else {
                value(record).ifPresent(value -> decoded.add(new Entry<>(record, Optional.of(value))));
            }
            fetched.remove();
        }
        List<Entry<V>> given = List.copyOf(decoded);
        decoded.clear();
        return given;
    }

    private Optional<V> value(ConsumerRecord<byte[], byte[]> record) {
        Optional<byte[]> whole = pages.whole(record.headers(), record.key(), record.value());
        if (whole.isEmpty()) {
            return Optional.empty(); // its pages are of a newer one already, which follows
        }
        try {
            V value = source.codec().read(topic, whole.get());
            pages.taken(record.key());
            return Optional.of(value);
        } catch (UnreadableRecord bad) {
            source.unreadable().accept(record, bad.reason());
            return Optional.empty();
        }
    }

    /** Ends the wait of the call that goes on, or of the next, which then gives what there is. From any thread. */
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(goodbye));
    }
}
