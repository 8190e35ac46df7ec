package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressWatchTest {
    private static final Optional<Duration> FINE = Optional.empty();

    private final ProgressWatch watch = new ProgressWatch(Duration.ofMinutes(10));

    private Optional<Duration> look(boolean due, long made, int minute) {
        return watch.look(
                new ProgressWatch.Sight(due, made), Duration.ofMinutes(minute).toNanos());
    }

    @Test
    void isStuckWhereForTenMinutesNothingComesOfIt() {
        assertThat(look(true, 7, 0)).isEqualTo(FINE);
        assertThat(look(true, 7, 9)).isEqualTo(FINE);
        assertThat(look(true, 7, 10)).contains(Duration.ofMinutes(10));
        assertThat(look(true, 7, 12)).contains(Duration.ofMinutes(12));
    }

    @Test
    void isNotWhileSomethingComesOfIt() {
        for (int minute = 0; minute < 60; minute += 5) {
            assertThat(look(true, minute, minute)).isEqualTo(FINE);
        }
        assertThat(look(true, 55, 64)).isEqualTo(FINE);
        assertThat(look(true, 55, 65)).contains(Duration.ofMinutes(10));
    }

    // a full outbox or no split: the time from then on counts, not the time before
    @Test
    void isNotWhileSomethingHoldsItBack() {
        assertThat(look(true, 7, 0)).isEqualTo(FINE);
        assertThat(look(false, 7, 9)).isEqualTo(FINE);
        assertThat(look(false, 7, 30)).isEqualTo(FINE);
        assertThat(look(true, 7, 31)).isEqualTo(FINE);
        assertThat(look(true, 7, 40)).isEqualTo(FINE);
        assertThat(look(true, 7, 41)).contains(Duration.ofMinutes(10));
    }
}
