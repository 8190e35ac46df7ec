package io.praline.topics.log;

import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * The thread on which a producer of Kafka's sends. Kafka logs an error that kills it, and nothing else comes of that: whoever
 * sends by such a producer waits for ever, for room or for an answer.
 */
public final class SenderThread {
    private static final String NAME = "kafka-producer-network-thread | ";

    private SenderThread() {}

    /**
     * Has somebody hear of it, beside whoever watches all threads of this process.
     *
     * @param producer that was just made
     * @param died hears what killed the thread, on that thread
     */
    public static void watch(Producer<?, ?> producer, Consumer<Throwable> died) {
        String client = producer.metrics().keySet().stream()
                .map(metric -> metric.tags().get("client-id"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a producer does not say what it is called"));
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(NAME + client))
                .forEach(thread -> watch(thread, died));
    }

    private static void watch(Thread sender, Consumer<Throwable> died) {
        Thread.UncaughtExceptionHandler logs = sender.getUncaughtExceptionHandler();
        sender.setUncaughtExceptionHandler((thread, why) -> {
            logs.uncaughtException(thread, why);
            died.accept(why);
            Thread.UncaughtExceptionHandler all = Thread.getDefaultUncaughtExceptionHandler();
            if (all != null) {
                all.uncaughtException(thread, why);
            }
        });
    }
}
