package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttentionTest {
    private final Attention attention = new Attention();

    @Test
    void itWatchesAsLongAsAnythingIsOutstanding() {
        assertThat(attention.watches()).isFalse();

        attention.watch(0, 1);
        attention.watch(1, 2);
        assertThat(attention.watches()).isTrue();
        assertThat(attention.watched(0)).containsExactly(1);
        assertThat(attention.watched(1)).containsExactly(2);

        attention.rests(0, 1);
        assertThat(attention.watches()).isTrue();
        attention.rests(1, 2);
        assertThat(attention.watches()).isFalse();
    }

    @Test
    void whoHasRoomIsAskedUntilItIsFull() {
        attention.hunger(0, 3);
        attention.hunger(0, 1);
        assertThat(attention.hungry(0)).containsExactly(1, 3);
        assertThat(attention.watches()).isFalse();

        attention.full(0, 3);
        assertThat(attention.hungry(0)).containsExactly(1);
    }

    @Test
    void whatIsClosedIsForgotten() {
        attention.watch(0, 1);
        attention.hunger(0, 1);
        attention.watch(0, 2);
        attention.hunger(0, 2);

        attention.forget(0, 1);
        assertThat(attention.watched(0)).containsExactly(2);
        assertThat(attention.hungry(0)).containsExactly(2);

        attention.forget(0);
        assertThat(attention.watches()).isFalse();
        assertThat(attention.hungry(0)).isEmpty();
    }
}
