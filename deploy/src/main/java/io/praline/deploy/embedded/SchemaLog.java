package io.praline.deploy.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compacted topic behind a {@link SchemaStore}. There is one writer, this one (the data directory's lock sees to it);
 * a thread of its own folds what is written, and who writes waits until that thread has read it back, so that nobody is
 * told of what is not kept.
 */
final class SchemaLog implements AutoCloseable {
    static final String TOPIC = "_schemas";

    private static final Logger LOG = LoggerFactory.getLogger(SchemaLog.class);
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

    private final JsonMapper json = new JsonMapper();
    private final SchemaStore store = new SchemaStore();
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread reader;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    /** Offset of the next record to fold; guarded by the store, which is told when it moves. */
    private long next;

    private boolean closed;

    private SchemaLog(KafkaProducer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> consumer) {
        this.producer = producer;
        this.consumer = consumer;
        this.reader = new Thread(this::readOn, "registry-reader");
        reader.setDaemon(true);
    }

    /** Opens the topic, which is made if it is not there, and returns when all that was in it is folded. */
    static SchemaLog open(KafkaSettings settings) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(settings.admin())) {
            create(admin);
        }
        Properties producing = settings.producer();
        producing.put("delivery.timeout.ms", "8000");
        producing.put("request.timeout.ms", "5000");
        producing.put("max.block.ms", "8000");
        SchemaLog log = new SchemaLog(new KafkaProducer<>(producing), new KafkaConsumer<>(settings.consumer()));
        log.consumer.assign(List.of(PARTITION));
        log.consumer.seekToBeginning(List.of(PARTITION));
        long end = log.consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
        while (log.consumer.position(PARTITION) < end) {
            log.fold();
        }
        log.reader.start();
        return log;
    }

    /** Completes, with the reason in a line, when the topic can no longer be followed. */
    CompletionStage<String> failure() {
        return failure;
    }

    /** Looks something up. */
    <T> T read(Function<SchemaStore, T> question) {
        synchronized (store) {
            return question.apply(store);
        }
    }

    /** The key of a record. */
    ObjectNode key(String type, int magic, Optional<String> subject) {
        ObjectNode key = json.createObjectNode().put("keytype", type);
        key.put("subject", subject.orElse(null));
        return key.put("magic", magic);
    }

    /**
     * Writes one record and waits until it is kept and folded. Writers take turns: see {@link EmbeddedRegistry}.
     *
     * @param value empty removes what the key stands for
     */
    void write(ObjectNode key, Optional<ObjectNode> value) {
        try {
            byte[] valueBytes = value.isPresent() ? json.writeValueAsBytes(value.get()) : null;
            long offset = producer.send(new ProducerRecord<>(TOPIC, 0, json.writeValueAsBytes(key), valueBytes))
                    .get(WRITE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
            awaitFolded(offset);
        } catch (JsonProcessingException | ExecutionException | TimeoutException failed) {
            throw RegistryError.storeFailed(EmbeddedBroker.rootMessage(failed));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RegistryError.storeFailed("interrupted");
        }
    }

    private void awaitFolded(long offset) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + WRITE_TIMEOUT.toNanos();
        synchronized (store) {
            while (next <= offset) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || failure.isDone()) {
                    throw new TimeoutException("what was written is not read back");
                }
                store.wait(left);
            }
        }
    }

    private static void create(Admin admin) throws InterruptedException, ExecutionException {
        try {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(1), Optional.empty())
                            .configs(Map.of(
                                    "cleanup.policy",
                                    "compact",
                                    "max.message.bytes",
                                    Integer.toString(Agreements.RECORD_BYTES)))))
                    .all()
                    .get();
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw failed;
            }
        }
    }

    private void readOn() {
        try {
            while (true) {
                foldPatiently();
            }
        } catch (WakeupException woken) {
            if (!isClosed()) {
                failure.complete("the registry's reader was woken");
            }
        } catch (KafkaException failed) {
            failure.complete("the registry cannot follow its topic: " + EmbeddedBroker.rootMessage(failed));
        }
    }

    /** Brokers that are away for a while change nothing but that nothing comes. */
    private void foldPatiently() {
        try {
            fold();
        } catch (RetriableException away) {
            LOG.warn("the registry's topic cannot be read just now: {}", EmbeddedBroker.rootMessage(away));
        }
    }

    private void fold() {
        Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(Duration.ofSeconds(10));
        synchronized (store) {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                store.apply(
                        tree(record, record.key()),
                        Optional.ofNullable(record.value()).map(value -> tree(record, value)));
            }
            next = consumer.position(PARTITION);
            store.notifyAll();
        }
    }

    /** What is no JSON is nothing the store knows: it stays in the topic and is left alone. */
    private JsonNode tree(ConsumerRecord<byte[], byte[]> record, byte[] bytes) {
        try {
            return json.readTree(bytes == null ? new byte[0] : bytes);
        } catch (IOException malformed) {
            LOG.warn("record {} of {} is no JSON, left alone", record.offset(), TOPIC);
            return MissingNode.getInstance();
        }
    }

    private boolean isClosed() {
        synchronized (store) {
            return closed;
        }
    }

    @Override
    public void close() {
        synchronized (store) {
            closed = true;
        }
        consumer.wakeup();
        try {
            reader.join(2_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofSeconds(1));
        if (!reader.isAlive()) {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }
}
