package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.topics.KafkaSettings;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.health.Finding;
import io.praline.topics.health.Installation;
import io.praline.topics.health.LogHealth;
import io.praline.topics.health.OpenTransaction;
import io.praline.topics.health.TransactionStanding;
import io.praline.topics.health.Transactions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction hangs where its coordinator is done with it and the log is not. It is made to hang here by what the
 * coordinator reads when it starts: the record of an earlier abort, written once more behind that of the open transaction.
 */
class HangingTransactionsTest {
    private static final TopicPartition PARTITION = new TopicPartition(Topics.JOBS.name(), 0);
    private static final String ID = "hanging";
    private static final String STATES = "__transaction_state";
    private static final int STATE_PARTITIONS = 4;

    /** Of Kafka's {@code TransactionLogValue}: behind its version, the producer's id and epoch, and the timeout. */
    private static final int STATUS_AT = 2 + 8 + 2 + 4;

    private static final byte COMPLETE_ABORT = 5;

    @TempDir
    Path dir;

    private static KafkaProducer<byte[], byte[]> producer(KafkaSettings kafka, String id) {
        Properties properties = kafka.producer();
        properties.put("transactional.id", id);
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties);
        producer.initTransactions();
        return producer;
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), bytes, bytes))
                .get();
    }

    private static List<ConsumerRecord<byte[], byte[]>> states(KafkaSettings kafka) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer())) {
            List<TopicPartition> all = IntStream.range(0, STATE_PARTITIONS)
                    .mapToObj(number -> new TopicPartition(STATES, number))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            var ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    /** The coordinator's last word on the transaction, which it writes when its markers are in the log, after it has answered. */
    private static ConsumerRecord<byte[], byte[]> completeAbort(KafkaSettings kafka) {
        return await().atMost(Duration.ofSeconds(90))
                .until(() -> last(states(kafka)), record -> record.value()[STATUS_AT] == COMPLETE_ABORT);
    }

    /** Kafka lets clients of this name alone write to topics of its own. */
    private static void writeAgain(KafkaSettings kafka, ConsumerRecord<byte[], byte[]> record) throws Exception {
        Properties properties = kafka.producer();
        properties.put("client.id", "__admin_client");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties)) {
            producer.send(new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value()))
                    .get();
        }
    }

    private static List<OpenTransaction> hanging(KafkaSettings kafka) {
        try (Transactions transactions = Transactions.on(kafka)) {
            return transactions.hanging(List.of(PARTITION.topic(), "no-such-topic"));
        }
    }

    private static List<String> read(KafkaSettings kafka) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
            while (consumer.position(PARTITION) < end) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
            }
        }
        return values;
    }

    @Test
    void oneThatWasAbortedIsFoundAndEndedAndNothingElseIs() throws Exception {
        ConsumerRecord<byte[], byte[]> aborted;
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
            KafkaSettings kafka = cluster.settings();
            try (TopicAdmin topics = TopicAdmin.connect(kafka)) {
                topics.createMissing();
            }
            try (KafkaProducer<byte[], byte[]> producer = producer(kafka, ID)) {
                producer.beginTransaction();
                send(producer, "aborted");
                producer.abortTransaction();
                aborted = completeAbort(kafka);
                producer.beginTransaction();
                send(producer, "open");
                assertThat(hanging(kafka)).as("one that goes on does not hang").isEmpty();
                writeAgain(kafka, aborted);
                // without the abort by which a producer says goodbye
                producer.close(Duration.ZERO);
            }
        }
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
            KafkaSettings kafka = cluster.settings();
            await().atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> !hanging(kafka)
                    .isEmpty());
            try (KafkaProducer<byte[], byte[]> producer = producer(kafka, "lives")) {
                producer.beginTransaction();
                send(producer, "committed");
                producer.commitTransaction();
            }
            assertThat(hanging(kafka)).singleElement().satisfies(one -> {
                assertThat(one.partition()).isEqualTo(PARTITION);
                assertThat(one.transactionalId()).contains(ID);
                assertThat(one.standing()).isEqualTo(TransactionStanding.ABORTED);
            });
            assertThat(read(kafka)).as("nobody reads past it").isEmpty();

            try (LogHealth health = LogHealth.connect(kafka, new Installation("nobody", "nobody-changelog"))) {
                List<Finding> found = health.transactions();
                assertThat(found).singleElement().satisfies(finding -> {
                    assertThat(finding.problem())
                            .startsWith("in jobs-0 hangs the transaction of producer ")
                            .endsWith(" which was aborted and has no end in the log: nobody reads past it");
                    assertThat(finding.mending().orElseThrow().get()).isEqualTo("ended it in jobs-0");
                });
                assertThat(health.transactions()).isEmpty();
            }
            assertThat(read(kafka)).containsExactly("committed");
        }
    }

    private static ConsumerRecord<byte[], byte[]> last(List<ConsumerRecord<byte[], byte[]>> records) {
        byte[] id = ID.getBytes(StandardCharsets.UTF_8);
        Optional<ConsumerRecord<byte[], byte[]>> last = records.stream()
                .filter(record -> record.value() != null
                        && new String(record.key(), StandardCharsets.ISO_8859_1)
                                .contains(new String(id, StandardCharsets.ISO_8859_1)))
                .reduce((one, other) -> other);
        assertThat(last).as(Arrays.toString(id)).isPresent();
        return last.orElseThrow();
    }
}
