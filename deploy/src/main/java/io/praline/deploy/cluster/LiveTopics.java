package io.praline.deploy.cluster;

import io.praline.schema.LedgerPage;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * The cluster's topics as a command looks at them: a registry that is away is told at once, and records that cannot be read
 * are passed over, as by all onlookers ({@link LogSource#passingOver}).
 */
public final class LiveTopics {
    private static final ReaderWaits WAITS =
            new ReaderWaits(Duration.ofMillis(500), Duration.ofSeconds(6), Duration.ofSeconds(1));

    /** The clock of the broker that stamps may be behind the one by which the job was submitted. */
    private static final Duration CLOCKS = Duration.ofHours(1);

    private LiveTopics() {}

    /**
     * All of it, from the first record that is kept.
     *
     * @throws ServiceUnreachable if Kafka or the registry does not answer, the topic is missing, or may not be read
     */
    public static <V extends SpecificRecord> TopicReader<V> all(KafkaSettings kafka, AvroCodec codec, Topic<V> topic) {
        return TopicReader.fromBeginning(source(kafka, codec), topic, Optional.empty(), WAITS);
    }

    /** As {@link #all}, of one key. */
    public static <V extends SpecificRecord> TopicReader<V> ofKey(
            KafkaSettings kafka, AvroCodec codec, Topic<V> topic, String key) {
        return TopicReader.fromBeginning(source(kafka, codec), topic, Optional.of(key), WAITS);
    }

    /** As {@link #all}, from the records of this log time on, in milliseconds since 1970. */
    public static <V extends SpecificRecord> TopicReader<V> since(
            KafkaSettings kafka, AvroCodec codec, Topic<V> topic, long millis) {
        return TopicReader.since(source(kafka, codec), topic, Optional.empty(), millis, WAITS);
    }

    /**
     * What is told of the ledger of a job, and of jobs whose ids begin as its keys do; otherwise as {@link #since}.
     *
     * @param millis when it was submitted, log time in milliseconds since 1970
     */
    public static TopicReader<LedgerPage> ofLedger(KafkaSettings kafka, AvroCodec codec, String job, long millis) {
        return TopicReader.ofKeysFrom(
                source(kafka, codec), Topics.LEDGERS, Topics.ledgerPrefix(job), millis - CLOCKS.toMillis(), WAITS);
    }

    private static LogSource source(KafkaSettings kafka, AvroCodec codec) {
        codec.requireReachable();
        return LogSource.passingOver(kafka, codec);
    }

    /** The values among these entries, in their order. */
    public static <V> List<V> values(List<TopicReader.Entry<V>> entries) {
        return entries.stream().flatMap(entry -> entry.value().stream()).toList();
    }
}
