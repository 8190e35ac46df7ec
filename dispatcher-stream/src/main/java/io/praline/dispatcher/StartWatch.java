package io.praline.dispatcher;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Waiting;
import io.praline.topics.health.OpenTransaction;
import io.praline.topics.health.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what a dispatcher waits for that takes no records: Kafka that does not answer, or which partition of its state stands
 * where, behind whose transaction.
 * A thread of its own looks every second, and asks Kafka only while there is something to say.
 */
final class StartWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartWatch.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final KafkaSettings kafka;
    private final String changelog;
    private final BooleanSupplier serves;
    private final DoubleSupplier answers;
    private final RestoreWatch restore;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "start-watch");
    private volatile Optional<String> reason = Optional.empty();

    /**
     * Begins to look.
     *
     * @param serves whether the dispatcher takes records
     * @param answers how many its brokers have given
     */
    StartWatch(
            KafkaSettings kafka,
            String changelog,
            BooleanSupplier serves,
            DoubleSupplier answers,
            RestoreWatch restore) {
        this.kafka = kafka;
        this.changelog = changelog;
        this.serves = serves;
        this.answers = answers;
        this.restore = restore;
        thread.setDaemon(true);
        thread.start();
    }

    /** What it waits for; empty where it serves, or has not waited for five seconds. */
    Optional<String> reason() {
        return reason;
    }

    private void watch() {
        Waiting waiting = new Waiting(ZoneId.systemDefault());
        long servedNanos = System.nanoTime();
        long answeredNanos = servedNanos;
        double before = 0;
        try {
            while (!closing.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                double answered = answers.getAsDouble();
                if (answered != before) {
                    before = answered;
                    answeredNanos = now;
                }
                if (serves.getAsBoolean()) {
                    servedNanos = now;
                }
                Duration silent = Duration.ofNanos(now - answeredNanos);
                Duration time = Duration.ofNanos(now - Math.min(servedNanos, answeredNanos));
                reason = time.compareTo(Waiting.SAID_AFTER) < 0 ? Optional.empty() : Optional.of(what(silent));
                waiting.look(reason.orElse("its state"), time, Instant.now()).ifPresent(LOG::warn);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String what(Duration silent) {
        if (silent.compareTo(Waiting.SAID_AFTER) >= 0) {
            return kafka();
        }
        Map<TopicPartition, RestoreWatch.Course> still = restore.still(Waiting.SAID_AFTER);
        List<OpenTransaction> open;
        try (Transactions transactions = Transactions.on(kafka)) {
            open = transactions.open(List.of(changelog));
        } catch (ServiceUnreachable away) {
            if (!ServiceUnreachable.isRefusal(away)) {
                return kafka();
            }
            // who may not see transactions is told the rest
            open = List.of();
        }
        return inWords(still, open);
    }

    private String kafka() {
        return "Kafka at " + kafka.bootstrap();
    }

    /**
     * What is waited for, in a line.
     *
     * @param still partitions of the state that do not come forward
     * @param open transactions that are open in the state and in the offsets of groups
     */
    static String inWords(Map<TopicPartition, RestoreWatch.Course> still, List<OpenTransaction> open) {
        if (!still.isEmpty()) {
            return still.entrySet().stream()
                    .map(course -> "record " + course.getValue().at() + " of "
                            + course.getValue().end() + " of " + course.getKey()
                            + open.stream()
                                    .filter(transaction ->
                                            transaction.partition().equals(course.getKey()))
                                    .map(transaction -> ", behind the " + transaction.inWords() + remedy(transaction))
                                    .collect(Collectors.joining()))
                    .collect(Collectors.joining("; "));
        }
        if (!open.isEmpty()) {
            return open.stream()
                    .map(transaction ->
                            transaction.partition() + ", behind the " + transaction.inWords() + remedy(transaction))
                    .collect(Collectors.joining("; "));
        }
        return "its share of the partitions and their state";
    }

    private static String remedy(OpenTransaction transaction) {
        return transaction.standing().hangs() ? " ('praline doctor' says what to do)" : "";
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
