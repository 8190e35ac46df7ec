package io.praline.topics.health;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/**
 * What Kafka answers, waited for; what it refuses told by what is to be done about it.
 *
 * @param kafka who is asked
 */
record Answers(KafkaSettings kafka) {
    static final ListTopicsOptions WITH_INTERNAL = new ListTopicsOptions().listInternal(true);

    /** @throws IllegalArgumentException if the settings are none of Kafka's */
    static Admin admin(KafkaSettings kafka) {
        try {
            return Admin.create(kafka.admin());
        } catch (KafkaException failed) {
            throw kafka.unusable(failed);
        }
    }

    /** @throws ServiceUnreachable if there is none in time, or a refusal */
    <T> T of(KafkaFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            throw ServiceUnreachable.kafka(kafka, failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for Kafka", interrupted);
        }
    }

    /** As {@link #of}; empty where the answer is this exception. */
    <T> Optional<T> unless(Class<? extends Exception> none, KafkaFuture<T> answer) {
        try {
            return Optional.of(answer.get());
        } catch (ExecutionException failed) {
            if (none.isInstance(failed.getCause())) {
                return Optional.empty();
            }
            throw ServiceUnreachable.kafka(kafka, failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for Kafka", interrupted);
        }
    }
}
