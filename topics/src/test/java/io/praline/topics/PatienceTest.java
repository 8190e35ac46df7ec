package io.praline.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final KafkaSettings KAFKA = KafkaSettings.of("kafka:9092", "http://registry:8081");

    /** What an attempt takes that is not answered. */
    private static final Duration UNANSWERED = Duration.ofSeconds(6);

    private final List<String> said = new ArrayList<>();
    private final MovedTime time = new MovedTime();
    private int asked;

    /** Passes while it is slept, and while nobody answers. */
    private static final class MovedTime implements Patience.Times {
        private Instant now = Instant.parse("2026-01-01T12:00:00Z");

        @Override
        public long nanoTime() {
            return Duration.between(Instant.EPOCH, now).toNanos();
        }

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public void sleep(Duration slept) {
            now = now.plus(slept);
        }
    }

    private String await(Patience patience, Duration until, RuntimeException failure) throws InterruptedException {
        Instant there = time.now.plus(until);
        return patience.with(
                () -> {
                    asked++;
                    if (time.now.isBefore(there)) {
                        time.sleep(UNANSWERED);
                        throw failure;
                    }
                    return "here";
                },
                said::add,
                new Waiting(ZoneOffset.UTC),
                time);
    }

    private static ServiceUnreachable away() {
        return ServiceUnreachable.kafka(KAFKA, new TimeoutException("nobody answers"));
    }

    // attempts of 6 s, and a second between them
    @Test
    void itSaysWhatItWaitsForAndGoesOnWhenTheClusterIsThere() throws InterruptedException {
        assertThat(await(Patience.USUAL, Duration.ofSeconds(90), away())).isEqualTo("here");

        String why =
                ": Kafka at kafka:9092 cannot be reached: nobody answers; check that it runs, and that its address and"
                        + " the file of --kafka-config are right";
        assertThat(said)
                .containsExactly(
                        "waiting for the cluster since 12:00:00 (6 s)" + why,
                        "waiting for the cluster since 12:00:00 (69 s)" + why,
                        "the cluster is there again, after 90 s");
    }

    @Test
    void aClusterThatAnswersIsNotSpokenOf() throws InterruptedException {
        assertThat(await(Patience.USUAL, Duration.ZERO, away())).isEqualTo("here");
        assertThat(said).isEmpty();
    }

    @Test
    void itGivesUpWhenItIsOver() {
        assertThatThrownBy(() -> await(Patience.USUAL, Duration.ofDays(1), away()))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageContaining("nobody answers");
        // of ten minutes, and the last attempt
        assertThat(time.now).isBetween(Instant.parse("2026-01-01T12:10:00Z"), Instant.parse("2026-01-01T12:10:07Z"));
    }

    @Test
    void withoutAnEndItWaitsForADay() throws InterruptedException {
        assertThat(await(Patience.of(Optional.empty()), Duration.ofDays(1), away()))
                .isEqualTo("here");
    }

    @Test
    void withNoneTheFirstFailureIsTheLast() {
        assertThatThrownBy(() -> await(Patience.NONE, Duration.ofDays(1), away()))
                .isInstanceOf(ServiceUnreachable.class);
        assertThat(asked).isEqualTo(1);
        assertThat(said).isEmpty();
    }

    @Test
    void whatIsAnsweredIsNotAskedAgain() {
        List<RuntimeException> answers = List.of(
                ServiceUnreachable.kafka(KAFKA, new SaslAuthenticationException("wrong password")),
                ServiceUnreachable.noTopic(KAFKA, List.of("jobs")),
                ServiceUnreachable.refused("registry at http://registry:8081 does not let this user in", away()),
                new IllegalStateException("topics differ"));
        for (RuntimeException answer : answers) {
            assertThatThrownBy(() -> await(Patience.USUAL, Duration.ofDays(1), answer))
                    .isSameAs(answer);
        }
        assertThat(asked).isEqualTo(answers.size());
        assertThat(said).isEmpty();
    }
}
