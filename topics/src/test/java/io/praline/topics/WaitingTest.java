package io.praline.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingTest {
    private static final Instant BEGIN = Instant.parse("2026-11-22T10:15:00Z");

    private final Waiting waiting = new Waiting(ZoneOffset.UTC);

    private List<String> look(String what, int fromSecond, int toSecond) {
        List<String> said = new ArrayList<>();
        for (int second = fromSecond; second <= toSecond; second++) {
            waiting.look(what, Duration.ofSeconds(second), BEGIN.plusSeconds(second))
                    .ifPresent(said::add);
        }
        return said;
    }

    @Test
    void saysItAfterFiveSecondsAndThenOnceAMinute() {
        assertThat(look("Kafka", 0, 130))
                .containsExactly(
                        "waiting for Kafka since 10:15:00 (5 s)",
                        "waiting for Kafka since 10:15:00 (65 s)",
                        "waiting for Kafka since 10:15:00 (125 s)");
    }

    @Test
    void saysThatItIsOver() {
        look("Kafka", 0, 42);
        assertThat(look("Kafka", 0, 3)).containsExactly("Kafka is there again, after 42 s");
        assertThat(look("Kafka", 0, 5)).containsExactly("waiting for Kafka since 10:15:00 (5 s)");
    }

    @Test
    void aShortWaitIsNotWorthAWord() {
        assertThat(look("Kafka", 0, 4)).isEmpty();
        assertThat(look("Kafka", 0, 4)).isEmpty();
    }

    @Test
    void somethingElseToWaitForIsSaidAtOnce() {
        look("Kafka", 0, 10);
        assertThat(look("a dispatcher", 11, 13)).containsExactly("waiting for a dispatcher since 10:15:00 (11 s)");
    }
}
