package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MovementTest {
    private static final Instant START = Instant.EPOCH;

    private final Movement movement = new Movement();

    private static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    @Test
    void whatDoesNotMoveIsStillSinceItWasFirstSeenSo() {
        assertThat(movement.still(7, START)).isEqualTo(Duration.ZERO);
        assertThat(movement.still(7, at(90))).isEqualTo(Duration.ofSeconds(90));
        assertThat(movement.still(8, at(91))).isEqualTo(Duration.ZERO);
    }

    @Test
    void whatItWaitsForIsLookedForAtOnceAndThenEveryTenSeconds() {
        assertThat(movement.lookDue(START)).isTrue();
        movement.obstacle("split 3", START);
        assertThat(movement.lookDue(at(1))).isFalse();
        assertThat(movement.lookDue(at(9))).isFalse();
        assertThat(movement.lookDue(at(10))).isTrue();
    }

    @Test
    void whatMovedAndStandsStillAgainIsLookedAtAtOnce() {
        movement.still(7, START);
        movement.obstacle("split 3", at(60));
        assertThat(movement.still(8, at(61))).isZero();
        assertThat(movement.obstacle()).isEmpty();
        assertThat(movement.lookDue(at(62))).isTrue();
    }

    @Test
    void whatRestsIsNeitherStillNorWaitsForAnything() {
        movement.still(7, START);
        movement.obstacle("nobody reads", at(70));
        movement.rests();
        assertThat(movement.obstacle()).isEmpty();
        assertThat(movement.still(7, at(90))).isZero();
    }
}
