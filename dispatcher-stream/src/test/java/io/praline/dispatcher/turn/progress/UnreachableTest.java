package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workers to which a consumer's channel breaks again and again are avoided for a while. */
class UnreachableTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Unreachable unreachable = new Unreachable();

    private static Instant at(long second) {
        return START.plusSeconds(second);
    }

    private Optional<Duration> broke(long second) {
        return unreachable.broke("w1", "its channel broke", at(second));
    }

    private static Optional<Duration> seconds(long seconds) {
        return Optional.of(Duration.ofSeconds(seconds));
    }

    @Test
    void aWorkerIsAvoidedFromItsSecondMishapWithinFiveMinutesOn() {
        assertThat(broke(0)).isEmpty();
        assertThat(unreachable.avoids("w1")).isFalse();

        assertThat(broke(299)).isEqualTo(seconds(10));
        assertThat(unreachable.avoids("w1")).isTrue();
        assertThat(unreachable.why()).contains("its channel broke");
        assertThat(unreachable.workers()).containsExactly("w1");
        assertThat(unreachable.avoids("w2")).isFalse();
    }

    @Test
    void mishapsThatAreFiveMinutesApartDoNotAddUp() {
        assertThat(broke(0)).isEmpty();
        assertThat(broke(300)).isEmpty();
        assertThat(broke(600)).isEmpty();
        assertThat(unreachable.avoids("w1")).isFalse();
    }

    // avoided at 1 until 11, then at 13 until 33, at 35 until 75: twice as long each time
    @Test
    void eachTimeItIsAvoidedForTwiceAsLong() {
        broke(0);
        assertThat(broke(1)).isEqualTo(seconds(10));
        assertThat(unreachable.expire(at(10))).isFalse();
        assertThat(unreachable.expire(at(11))).isTrue();
        assertThat(unreachable.avoids("w1")).isFalse();
        broke(12);
        assertThat(broke(13)).isEqualTo(seconds(20));
        broke(34);
        assertThat(broke(35)).isEqualTo(seconds(40));
    }

    // 10, 20, 40, 80, 160, 320, and then 600 in place of 640
    @Test
    void itIsAvoidedForTenMinutesAtMost() {
        Optional<Duration> lasts = Optional.empty();
        for (long spell = 0; spell < 8; spell++) {
            broke(2 * spell);
            lasts = broke(2 * spell + 1);
        }
        assertThat(lasts).isEqualTo(seconds(600));
    }

    // avoided from 1 to 11: what happens from 611 on has nothing to do with that any more
    @Test
    void tenMinutesBehindASpellItBeginsAnew() {
        broke(0);
        broke(1);
        broke(609);
        assertThat(broke(610)).isEqualTo(seconds(20));

        Unreachable later = new Unreachable();
        later.broke("w1", "", at(0));
        later.broke("w1", "", at(1));
        later.broke("w1", "", at(610));
        assertThat(later.broke("w1", "", at(611))).isEqualTo(seconds(10));
    }

    @Test
    void ofAProcessThatIsGoneNothingIsHeldAgainstTheNextOne() {
        broke(0);
        broke(1);
        broke(2);
        unreachable.gone("w1");

        assertThat(unreachable.avoids("w1")).isFalse();
        assertThat(unreachable.why()).isEmpty();
        assertThat(broke(3)).isEmpty();
        assertThat(broke(4)).isEqualTo(seconds(10));
    }
}
