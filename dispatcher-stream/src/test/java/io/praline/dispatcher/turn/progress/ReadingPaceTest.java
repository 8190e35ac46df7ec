package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReadingPaceTest {
    private final ReadingPace pace = new ReadingPace();
    private int asked;

    private void reads(int second, long begun) {
        pace.reads(Instant.ofEpochSecond(second), () -> {
            asked++;
            return begun;
        });
    }

    // read from 10 s on, when 7 were begun
    @Test
    void howManyAreBegunIsAskedForOnlyWhereReadingBegins() {
        for (int second = 10; second < 20; second++) {
            reads(second, second - 3);
        }

        assertThat(asked).isEqualTo(1);
        assertThat(pace.before()).isEqualTo(7);
        assertThat(pace.worked(Instant.ofEpochSecond(20))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void behindARestItIsAskedForAgain() {
        reads(10, 7);
        pace.rests();
        reads(30, 9);

        assertThat(asked).isEqualTo(2);
        assertThat(pace.before()).isEqualTo(9);
        assertThat(pace.worked(Instant.ofEpochSecond(31))).isEqualTo(Duration.ofSeconds(1));
    }
}
