package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TailHoldTest {
    private final TailHold<Integer> hold = new TailHold<>(Integer::intValue);

    @Test
    void aShortBatchGoesWhileTheQueueIsOpen() {
        assertThat(hold.offer(32, false)).containsExactly(32);
        assertThat(hold.offer(7, false)).containsExactly(7);
        assertThat(hold.withheld()).isEmpty();
    }

    @Test
    void aShortBatchAtTheEndIsHeld() {
        hold.offer(32, false);
        assertThat(hold.offer(32, true)).containsExactly(32);
        assertThat(hold.offer(7, true)).isEmpty();
        assertThat(hold.withheld()).containsExactly(7);
    }

    @Test
    void aSingleBatchMayBeShort() {
        assertThat(hold.offer(10, true)).isEmpty();
        assertThat(hold.withheld()).containsExactly(10);
    }

    @Test
    void theSecondBatchShowsWhatIsFull() {
        assertThat(hold.offer(32, true)).isEmpty();
        assertThat(hold.offer(10, true)).containsExactly(32);
        assertThat(hold.withheld()).containsExactly(10);
        assertThat(hold.withheld()).isEmpty();
    }

    @Test
    void twoEqualBatchesAreFull() {
        hold.offer(32, true);
        assertThat(hold.offer(32, true)).isEqualTo(List.of(32, 32));
        assertThat(hold.withheld()).isEmpty();
    }
}
