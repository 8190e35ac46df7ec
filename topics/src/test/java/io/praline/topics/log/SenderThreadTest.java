package io.praline.topics.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.ScalingTarget;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** By Kafka's real producers; nobody answers under the address that they are given. */
class SenderThreadTest {
    private static final String SENDER = "kafka-producer-network-thread | ";

    private static Thread sender(String client) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(SENDER + client))
                .findFirst()
                .orElseThrow();
    }

    /** An error of the JVM, as it would come from anywhere on that thread. */
    private static void kill(Thread sender) {
        sender.getUncaughtExceptionHandler().uncaughtException(sender, new OutOfMemoryError("a test"));
    }

    @Test
    void whatKillsAProducersThreadIsHeard() {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", "127.0.0.1:1", "client.id", "watched", "linger.ms", 0, "max.block.ms", 1);
        CompletableFuture<Throwable> died = new CompletableFuture<>();
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            SenderThread.watch(producer, died::complete);
            assertThat(died).isNotDone();
            kill(sender("watched"));
        }
        assertThat(died).isCompletedWithValueMatching(OutOfMemoryError.class::isInstance);
    }

    // whoever would say that there is no answer is gone
    @Test
    void whoeverWritesByItIsTold() throws Exception {
        try (FakeRegistry registry = new FakeRegistry();
                AvroCodec codec = new AvroCodec(registry.settings())) {
            KafkaSettings kafka = KafkaSettings.of(
                            "127.0.0.1:1", registry.settings().registryUrl())
                    .named("writes");
            WriterWaits waits =
                    new WriterWaits(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ZERO);
            List<Exception> failed = new ArrayList<>();
            try (TopicWriter writer = TopicWriter.open(kafka, codec, waits)) {
                ScalingTarget target = new ScalingTarget("p", 1, "", 0L);
                assertThat(writer.died()).isNotDone();
                kill(sender("writes"));
                String why = "nothing can be written to Kafka any more: its client's thread died:"
                        + " java.lang.OutOfMemoryError: a test";
                assertThat(writer.died().get(90, TimeUnit.SECONDS)).hasMessage(why);
                writer.send(Topics.SCALING_COMMANDS, "p", target, failed::add);
                assertThat(failed)
                        .singleElement()
                        .extracting(Exception::getMessage)
                        .isEqualTo(why);
                assertThatThrownBy(() -> writer.write(Topics.SCALING_COMMANDS, "p", target))
                        .isInstanceOf(ServiceUnreachable.class)
                        .hasMessageContaining(why);
            }
        }
    }

    @Test
    void whoeverWatchesAllThreadsHearsOfItToo() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        List<String> dead = new ArrayList<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, why) -> dead.add(thread.getName()));
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", "127.0.0.1:1", "client.id", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            SenderThread.watch(producer, why -> {});
            kill(sender("all"));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(dead).containsExactly(SENDER + "all");
    }
}
