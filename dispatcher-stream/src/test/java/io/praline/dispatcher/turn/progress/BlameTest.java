package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.turn.progress.Blame.Open;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlameTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Open ONE = new Open(0, 1, false);
    private static final Open TWO = new Open(0, 2, true);

    private final Blame blame = new Blame();

    @Test
    void aProcessThatDoesNotBeatAgainIsBlamedForAllThatItHadOpen() {
        blame.unreached("i1", Set.of(ONE), AT);
        blame.unreached("i1", Set.of(TWO), AT.plusSeconds(1));

        assertThat(blame.take("i1", Optional.of(AT.plusSeconds(1)))).contains(Set.of(ONE, TWO));
        assertThat(blame.take("i1", Optional.empty())).isEmpty();
        assertThat(blame.take("i2", Optional.empty())).isEmpty();
    }

    @Test
    void whoBeatsSinceHasNotCrashed() {
        blame.unreached("i1", Set.of(ONE), AT);
        assertThat(blame.take("i1", Optional.of(AT.plusMillis(1)))).isEmpty();

        blame.unreached("i2", Set.of(TWO), AT);
        assertThat(blame.take("i2", Optional.empty())).contains(Set.of(TWO));
    }

    @Test
    void theNewestHundredProcessesAreKnown() {
        for (int each = 0; each <= 100; each++) {
            blame.unreached("i" + each, Set.of(ONE), AT);
        }

        assertThat(blame.take("i0", Optional.empty())).isEmpty();
        assertThat(blame.take("i1", Optional.empty())).isPresent();
        assertThat(blame.take("i100", Optional.empty())).isPresent();
    }

    @Test
    void nothingIsReadAloneBeforeATimeThatIsSet() {
        assertThat(blame.aloneFrom()).isEqualTo(Instant.EPOCH);
        blame.aloneFrom(AT);
        assertThat(blame.aloneFrom()).isEqualTo(AT);
    }
}
