package io.praline.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AttemptKeyTest {
    @Test
    void attemptsAreOrderedByJobThenEpochThenAttempt() {
        List<AttemptKey> ordered = List.of(
                new AttemptKey("a", 1, 1),
                new AttemptKey("b", 0, 0),
                new AttemptKey("b", 0, 1),
                new AttemptKey("b", 1, 0),
                new AttemptKey("b", 10, 0));
        assertThat(Stream.of(4, 2, 0, 1, 3).map(ordered::get).sorted()).isEqualTo(ordered);
        assertThat(ordered.get(0)).isEqualByComparingTo(new AttemptKey("a", 1, 1));
        assertThat(ordered.get(2)).hasToString("b/0/1");
    }

    @Test
    void anAttemptHasAJobAndCountsFromZero() {
        assertThatThrownBy(() -> new AttemptKey("", 0, 0)).hasMessage("job must not be empty");
        assertThatThrownBy(() -> new AttemptKey("j", -1, 0)).hasMessage("epoch must not be negative, is -1");
        assertThatThrownBy(() -> new AttemptKey("j", 0, -1)).hasMessage("attempt must not be negative, is -1");
    }
}
