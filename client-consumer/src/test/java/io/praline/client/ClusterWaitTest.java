package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.topics.ServiceUnreachable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterWaitTest {
    private static final Instant BEGIN = Instant.parse("2026-11-22T10:15:00Z");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ClusterWait wait = new ClusterWait("kafka:9092", "j", Optional.of(PATIENCE), ZoneOffset.UTC, 0);
    private final List<String> said = new ArrayList<>();

    /** Second by second; Kafka answers until the one from which it is silent. */
    private void look(int fromSecond, int toSecond, int silentFrom) {
        for (int second = fromSecond; second <= toSecond; second++) {
            Duration silent = Duration.ofSeconds(Math.max(0, second - silentFrom));
            wait.look(silent, Duration.ofSeconds(second).toNanos(), BEGIN.plusSeconds(second))
                    .ifPresent(said::add);
        }
    }

    @Test
    void aSubmissionThatNobodyAnswersIsSaid() {
        look(1, 7, 7);
        wait.heard();
        look(8, 9, 9);
        assertThat(said)
                .containsExactly(
                        "waiting for a dispatcher to answer for job j since 10:15:00 (5 s)",
                        "a dispatcher to answer for job j is there again, after 7 s");
    }

    @Test
    void whoIsAskedNothingNeedNotAnswer() {
        wait.heard();
        look(1, 100, 100);
        assertThat(said).isEmpty();
    }

    @Test
    void kafkaThatIsAwayIsSaidAndThatItIsThereAgain() {
        wait.heard();
        look(1, 30, 10);
        look(31, 32, 32);
        assertThat(said)
                .containsExactly(
                        "waiting for Kafka at kafka:9092 since 10:15:10 (5 s)",
                        "Kafka at kafka:9092 is there again, after 20 s");
    }

    @Test
    void aQuestionIsTimedFromItsFirstAsking() {
        wait.heard();
        wait.asked(Duration.ofSeconds(10).toNanos());
        wait.asked(Duration.ofSeconds(13).toNanos());
        look(14, 15, 15);
        assertThat(said).containsExactly("waiting for a dispatcher to answer for job j since 10:15:10 (5 s)");
    }

    @Test
    void givesUpWhenPatienceIsAtItsEnd() {
        wait.heard();
        look(1, 609, 10);
        assertThatThrownBy(() -> look(610, 610, 10))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage("waited 600 s for Kafka at kafka:9092 and gives up; check that it runs");
    }

    @Test
    void waitsForEverWhereNobodySaidHowLong() {
        ClusterWait patient = new ClusterWait("kafka:9092", "j", Optional.empty(), ZoneOffset.UTC, 0);
        Duration day = Duration.ofDays(1);
        assertThat(patient.look(day, day.toNanos(), BEGIN.plus(day)))
                .contains("waiting for Kafka at kafka:9092 since 10:15:00 (86400 s)");
    }
}
