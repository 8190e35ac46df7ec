package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.Test;

/** What a dispatcher does when its Kafka is away, or comes back as another. */
class LostKafkaTest {
    private static final KafkaSettings KAFKA = KafkaSettings.of("kafka:9092", "http://registry:8081");

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private StreamThreadExceptionResponse answer(Throwable failed) {
        return Dispatcher.answer(KAFKA, failed, ended);
    }

    // a task that got nothing done for this long would end the dispatcher
    @Test
    void noTaskGivesUpWhileKafkaIsAway() {
        Object timeout = Dispatcher.properties(new DispatcherConfig(KAFKA, "d-1", Path.of("state"), -1))
                .get(StreamsConfig.TASK_TIMEOUT_MS_CONFIG);

        assertThat((Long) timeout).isGreaterThan(Duration.ofDays(365).toMillis());
        // Kafka Streams adds it to the time of day
        assertThat(System.currentTimeMillis() + (Long) timeout).isPositive();
    }

    @Test
    void whatMayWorkLaterIsTriedAgain() {
        assertThat(answer(new StreamsException(new TimeoutException("no answer for 60000 ms"))))
                .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
        assertThat(answer(new StreamsException("task 0_1", new IllegalStateException(new DisconnectException()))))
                .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
        assertThat(answer(new StreamsException(new ServiceUnreachable("the registry is away", new TimeoutException()))))
                .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
        assertThat(ended).isNotDone();
    }

    // a broker that is killed in a commit leaves a producer that can do nothing any more
    @Test
    void aProducerThatCannotGoOnIsFollowedByANewOne() {
        assertThat(answer(new StreamsException(
                        "Error encountered trying to commit a transaction [stream-thread [d-1]]",
                        new KafkaException(
                                "Cannot execute transactional method because we are in an error state",
                                new InvalidTxnStateException("in an invalid state")))))
                .isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
        assertThat(answer(new StreamsException(new RecordTooLargeException("3 MB"))))
                .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    }

    @Test
    void aRefusalEndsIt() {
        assertThat(answer(new StreamsException(new TopicAuthorizationException("it lacks READ on topic jobs"))))
                .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
        assertThatThrownBy(ended::join).hasMessageContaining("does not allow this user enough");
    }

    @Test
    void topicsThatAreLostAreSaidInALine() {
        assertThat(answer(new MissingSourceTopicException("One or more source topics were missing during rebalance")))
                .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
        assertThatThrownBy(ended::join)
                .cause()
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage(
                        "Kafka at kafka:9092 has lost topics: One or more source topics were missing during rebalance;"
                                + " start it again, which makes them anew, and empty");
    }

    @Test
    void whateverElseGoesWrongStopsIt() {
        assertThat(answer(new StreamsException(new IllegalStateException("a row cannot be"))))
                .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
        assertThat(ended).isCompletedExceptionally();
    }
}
