package io.praline.topics.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.ScalingTarget;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import io.praline.topics.registry.UnreadableRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By Kafka's own consumer in memory. In four partitions the keys "a" and "d" lie apart. */
class TopicReaderTest {
    private static final Topic<ScalingTarget> TOPIC = Topics.SCALING_COMMANDS;
    private static final int PARTITIONS = 4;
    private static final Duration WAIT = Duration.ofMillis(1);
    private static final ReaderWaits WAITS = new ReaderWaits(WAIT, WAIT, WAIT);

    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final List<String> put = new ArrayList<>();
    private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();
    private FakeRegistry registry;
    private AvroCodec codec;
    private KafkaSettings kafka;
    private LogSource source;
    private Cluster consumer;

    /** A consumer that also finds offsets by time, which Kafka's own does not: all of this topic come at second 10. */
    private static final class Cluster extends MockConsumer<byte[], byte[]> {
        private Optional<KafkaException> refusal = Optional.empty();

        Cluster() {
            super("earliest");
        }

        @Override
        public synchronized List<PartitionInfo> partitionsFor(String topic) {
            refusal.ifPresent(failed -> {
                throw failed;
            });
            return super.partitionsFor(topic);
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
            Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
            times.forEach((partition, millis) -> {
                if (millis <= 10_000) {
                    found.put(partition, new OffsetAndTimestamp(1, 10_000));
                }
            });
            return found;
        }
    }

    @BeforeEach
    void open() throws IOException {
        registry = new FakeRegistry();
        kafka = registry.settings();
        codec = new AvroCodec(kafka);
        source = new LogSource(kafka, codec, (record, reason) -> put.add(record.offset() + ": " + reason));
        consumer = new Cluster();
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int number = 0; number < PARTITIONS; number++) {
            partitions.add(new PartitionInfo(TOPIC.name(), number, null, null, null));
            ends.put(new TopicPartition(TOPIC.name(), number), 0L);
        }
        consumer.updatePartitions(TOPIC.name(), partitions);
        consumer.updateBeginningOffsets(ends);
        consumer.updateEndOffsets(ends);
    }

    @AfterEach
    void close() {
        codec.close();
        registry.close();
    }

    private static TopicPartition partition(String key) {
        return new TopicPartition(TOPIC.name(), Topics.partitionOf(key, PARTITIONS));
    }

    /** Something of that key lies on the topic. */
    private void lies(TopicPartition partition, byte[] key, byte[] value) {
        lies(partition, key, value, new RecordHeaders());
    }

    private void lies(TopicPartition partition, byte[] key, byte[] value, RecordHeaders headers) {
        long offset = ends.merge(partition, 1L, Long::sum) - 1;
        log.add(new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                10_000,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key,
                value,
                headers,
                Optional.empty()));
        consumer.updateEndOffsets(ends);
    }

    /** A target with a reason so long that it takes three records; gives these, the head first. */
    private List<byte[]> large(String key, int workers) {
        return PagedValue.cut(whole(key, workers));
    }

    private byte[] whole(String key, int workers) {
        return codec.write(TOPIC, new ScalingTarget(key, workers, "x".repeat(2 * PagedValue.MOST_BYTES + workers), 0L));
    }

    private void pagesLie(String key, int workers) {
        List<byte[]> parts = large(key, workers);
        for (int page = 1; page < parts.size(); page++) {
            lies(partition(key), PagedValue.key(key.getBytes(StandardCharsets.UTF_8), page), parts.get(page));
        }
    }

    private void headLies(String key, int workers) {
        RecordHeaders headers = new RecordHeaders();
        List<byte[]> parts = large(key, workers);
        PagedValue.tell(headers, parts.size() - 1, whole(key, workers));
        lies(partition(key), key.getBytes(StandardCharsets.UTF_8), parts.get(0), headers);
    }

    private void lies(String key, byte[] value) {
        lies(partition(key), key.getBytes(StandardCharsets.UTF_8), value);
    }

    private void lies(String key, int workers) {
        lies(key, codec.write(TOPIC, new ScalingTarget(key, workers, "", 0L)));
    }

    /** What lies there comes, so far as the reader has its partition; each record once. */
    private void comes() {
        log.removeIf(record -> {
            TopicPartition of = new TopicPartition(record.topic(), record.partition());
            if (consumer.assignment().contains(of)) {
                consumer.addRecord(record);
            }
            return true;
        });
    }

    private static List<String> told(List<TopicReader.Entry<ScalingTarget>> entries) {
        return entries.stream()
                .map(entry -> entry.key()
                        + entry.value().map(target -> " " + target.getWorkers()).orElse(" deleted"))
                .toList();
    }

    private TopicReader<ScalingTarget> fromBeginning(Optional<String> key) {
        TopicReader<ScalingTarget> reader = TopicReader.fromBeginning(source, TOPIC, key, consumer, WAITS);
        comes();
        return reader;
    }

    // who writes a key writes it to its own partition: what lies in another one would be the key's newest there for
    // ever
    @Test
    void whatLiesInAPartitionThatIsNotItsKeysIsPassedOver() {
        int other = (partition("a").partition() + 1) % PARTITIONS;
        lies(
                new TopicPartition(TOPIC.name(), other),
                "a".getBytes(StandardCharsets.UTF_8),
                codec.write(TOPIC, new ScalingTarget("a", 7, "", 0L)));
        lies("a", 1);
        lies("a", 2);

        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.empty())) {
            assertThat(told(reader.drain())).containsExactly("a 1", "a 2");
            assertThat(put).isEmpty();
        }
    }

    @Test
    void fromTheBeginningAllIsReadThatWasThereWhenItWasOpened() {
        lies("a", 1);
        lies("d", 2);
        lies("a", 3);

        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.empty())) {
            assertThat(reader.caughtUp()).isFalse();
            assertThat(told(reader.drain())).containsExactlyInAnyOrder("a 1", "d 2", "a 3");
            assertThat(reader.caughtUp()).isTrue();

            lies("d", 4);
            comes();
            assertThat(told(reader.poll(WAIT))).containsExactly("d 4");
            assertThat(reader.poll(WAIT)).isEmpty();
        }
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void aValueInPagesIsGivenWholeWhenItsHeadCame() {
        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            pagesLie("a", 1);
            comes();
            assertThat(reader.poll(WAIT)).isEmpty();

            headLies("a", 1);
            pagesLie("a", 2);
            headLies("a", 2);
            lies("a", 3);
            comes();
            // what was read at once has the newer pages only
            assertThat(told(reader.poll(WAIT))).containsExactly("a 2", "a 3");

            pagesLie("a", 4);
            headLies("a", 4);
            comes();
            assertThat(told(reader.poll(WAIT))).containsExactly("a 4");
        }
    }

    @Test
    void theNewestValueIsWholeAlsoWhereOlderOnesWereCleanedAway() {
        pagesLie("d", 1);
        headLies("d", 1);
        headLies("a", 2); // its pages are gone
        pagesLie("a", 3);
        headLies("a", 3);

        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.empty())) {
            assertThat(told(reader.newest())).containsExactlyInAnyOrder("d 1", "a 3");
            assertThat(put).isEmpty();
        }
    }

    @Test
    void anEmptyTopicIsReadAtOnce() {
        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.empty())) {
            assertThat(reader.drain()).isEmpty();
            assertThat(reader.newest()).isEmpty();
        }
    }

    @Test
    void ofOneKeyOnlyItsPartitionIsReadAndOnlyItsRecordsAreDecoded() {
        lies("a", 1);
        lies(partition("a"), "other".getBytes(StandardCharsets.UTF_8), new byte[] {7});
        lies("d", 2);
        lies("a", 3);

        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            assertThat(consumer.assignment()).containsExactly(partition("a"));
            assertThat(told(reader.drain())).containsExactly("a 1", "a 3");
            assertThat(put).isEmpty();
        }
    }

    @Test
    void ofEachKeyTheNewestIsTakenAndOnlyThatIsDecoded() {
        lies("a", new byte[] {7});
        lies("d", 1);
        lies("a", 2);
        lies("d", (byte[]) null);

        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.empty())) {
            assertThat(told(reader.newest())).containsExactlyInAnyOrder("a 2", "d deleted");
            assertThat(put).isEmpty();

            lies("a", 3);
            lies("a", 4);
            comes();
            assertThat(told(reader.pollNewest(WAIT))).containsExactly("a 4");
            assertThat(reader.pollNewest(WAIT)).isEmpty();
        }
    }

    @Test
    void fromTheEndOnlyWhatFollowsIsRead() {
        lies("a", 1);
        lies("d", 2);
        TopicReader<ScalingTarget> reader = TopicReader.fromEnd(source, TOPIC, Optional.of("a"), consumer, WAITS);

        assertThat(consumer.position(partition("a"))).isEqualTo(1);
        assertThat(reader.caughtUp()).isTrue();
        log.clear();
        lies("a", 3);
        comes();
        assertThat(told(reader.poll(WAIT))).containsExactly("a 3");
    }

    // by the cluster above, offset 1 is the first at second 10, and nothing came later
    @Test
    void sinceATimeWhatCameThenIsReadAndWithoutAnyOnlyWhatFollows() {
        lies("a", 1);
        lies("a", 2);

        TopicReader.since(source, TOPIC, WantedKeys.of(Optional.of("a")), 10_000, consumer, WAITS);
        assertThat(consumer.position(partition("a"))).isEqualTo(1);

        TopicReader.since(source, TOPIC, WantedKeys.of(Optional.of("a")), 10_001, consumer, WAITS);
        assertThat(consumer.position(partition("a"))).isEqualTo(2);
    }

    // keys that begin so lie anywhere: all partitions are read, each from offset 1 on
    @Test
    void ofKeysThatBeginSoAllAreReadAndNoOther() {
        List.copyOf(ends.keySet()).forEach(partition -> lies(partition, new byte[] {'a', '/'}, new byte[0]));
        lies("a/x", 1);
        lies("b/x", 2);
        lies("a/y/z", 3);
        lies("a", 4);
        lies("a/x", 5);
        try (TopicReader<ScalingTarget> reader =
                TopicReader.since(source, TOPIC, WantedKeys.from("a/"), 10_000, consumer, WAITS)) {
            comes();
            assertThat(told(reader.drain())).containsExactlyInAnyOrder("a/x 1", "a/y/z 3", "a/x 5");
        }
    }

    @Test
    void whatCannotBeReadGoesWhereTheCallerSaysAndTheReadingGoesOn() {
        lies("a", 1);
        lies("a", new byte[] {7, 0, 0, 0, 1, 2});
        lies("a", 3);

        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            assertThat(told(reader.drain())).containsExactly("a 1", "a 3");
        }
        assertThat(put).containsExactly("1: its value does not begin with the magic byte 0 but with 7");
    }

    @Test
    void whatCannotBeReadMayBePassedOver() {
        lies("a", new byte[] {7});
        lies("a", 3);
        source = LogSource.passingOver(kafka, codec);

        assertThat(told(fromBeginning(Optional.of("a")).drain())).containsExactly("a 3");
    }

    @Test
    void whatCannotBeReadMayEndTheReading() {
        lies("a", new byte[] {7});
        source = new LogSource(kafka, codec, (record, reason) -> {
            throw new IllegalStateException(reason);
        });

        assertThatThrownBy(() -> fromBeginning(Optional.of("a")).drain())
                .hasMessage("its value of 1 bytes is shorter than magic byte and schema id");
    }

    @Test
    void aRecordWithoutAKeyIsNobodys() {
        lies(partition("a"), null, codec.write(TOPIC, new ScalingTarget("a", 1, "", 0L)));
        lies("a", 2);

        assertThat(told(fromBeginning(Optional.empty()).drain())).containsExactly("a 2");
        assertThat(put).isEmpty();
    }

    // the first record's schema is known, the second's is not, and the registry is away
    @Test
    void whileTheRegistryIsAwayNothingIsLost() {
        lies("a", 1);
        byte[] newer = codec.write(TOPIC, new ScalingTarget("a", 2, "", 0L));
        newer[4] = (byte) registry.add(registry.schema(1));
        lies("a", newer);
        lies("a", 3);
        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            assertThat(readable(codec)).isTrue();
            registry.failWith(503);

            assertThatThrownBy(() -> reader.poll(WAIT)).isInstanceOf(ServiceUnreachable.class);
            assertThatThrownBy(() -> reader.poll(WAIT))
                    .isInstanceOf(ServiceUnreachable.class)
                    .matches(away -> !ServiceUnreachable.isRefusal(away));
            assertThat(reader.caughtUp()).isFalse();

            registry.failWith(0);
            assertThat(told(reader.poll(WAIT))).containsExactly("a 1", "a 2", "a 3");
            assertThat(reader.caughtUp()).isTrue();
        }
        assertThat(put).isEmpty();
    }

    /** Makes the codec know the schema by which it writes. */
    private static boolean readable(AvroCodec codec) {
        ScalingTarget any = new ScalingTarget("a", 1, "", 0L);
        try {
            return codec.read(TOPIC, codec.write(TOPIC, any)).equals(any);
        } catch (UnreadableRecord unreadable) {
            return false;
        }
    }

    @Test
    void theNewestAmongWhatTheRegistryHeldBackIsTaken() {
        lies("a", 1);
        registry.failWith(503);
        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            assertThatThrownBy(() -> reader.pollNewest(WAIT)).isInstanceOf(ServiceUnreachable.class);
            registry.failWith(0);
            lies("a", 2);
            comes();

            assertThat(told(reader.pollNewest(WAIT))).containsExactly("a 2");
        }
    }

    @Test
    void aMissingTopicIsNamedWithWhereAndWhatToDo() {
        consumer.updatePartitions(TOPIC.name(), List.of());

        assertThatThrownBy(() -> fromBeginning(Optional.of("a")))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(
                        "Kafka at localhost:1 has no topic scaling-commands; create it with 'praline topics create'");
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void aRightThatLacksIsToldWhenItIsOpened() {
        consumer.refusal = Optional.of(new TopicAuthorizationException("Not authorized: [scaling-commands]"));

        assertThatThrownBy(() -> fromBeginning(Optional.of("a")))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage("Kafka at localhost:1 does not allow this user enough: Not authorized: [scaling-commands];"
                        + " grant what deploy/ACLS.md lists for this program");
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void kafkaThatDoesNotAnswerIsToldWhenItIsOpened() {
        consumer.refusal = Optional.of(new TimeoutException("Timed out"));

        assertThatThrownBy(() -> fromBeginning(Optional.of("a")))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageStartingWith("Kafka at localhost:1 cannot be reached: Timed out; check that it runs");
    }

    @Test
    void aRightThatIsLostIsToldWhileItReads() {
        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            consumer.setPollException(new TopicAuthorizationException("Not authorized: [scaling-commands]"));
            assertThatThrownBy(() -> reader.poll(WAIT))
                    .isInstanceOf(ServiceUnreachable.class)
                    .matches(ServiceUnreachable::isRefusal)
                    .hasMessageContaining("does not allow this user enough");

            consumer.setPollException(new SaslAuthenticationException("no such user"));
            assertThatThrownBy(() -> reader.poll(WAIT))
                    .isInstanceOf(ServiceUnreachable.class)
                    .hasMessageContaining("does not let this user in: no such user");
        }
    }

    @Test
    void whoIsWokenGetsNothingAndReadsOn() {
        lies("a", 1);
        try (TopicReader<ScalingTarget> reader = fromBeginning(Optional.of("a"))) {
            reader.wakeUp();

            assertThat(reader.poll(WAIT)).isEmpty();
            assertThat(told(reader.poll(WAIT))).containsExactly("a 1");
        }
    }

    @Test
    void settingsThatAreNoneOfKafkasAreNamed() {
        KafkaSettings wrong =
                new KafkaSettings("localhost:1", kafka.registryUrl(), Map.of("isolation.level", "whatever"));

        assertThatThrownBy(() ->
                        TopicReader.fromBeginning(LogSource.passingOver(wrong, codec), TOPIC, Optional.empty(), WAITS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kafka settings: ")
                .hasMessageContaining("isolation.level");
    }
}
