package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TailHoldTest {
    private final List<Integer> freed = new ArrayList<>();
    private final TailHold<Integer> hold = new TailHold<>(Integer::intValue, freed::add);

    private List<Integer> offer(int batch, boolean mayBeTail) {
        hold.offer(batch, mayBeTail);
        List<Integer> ready = new ArrayList<>();
        for (Optional<Integer> next = hold.next(); next.isPresent(); next = hold.next()) {
            ready.add(next.get());
        }
        return ready;
    }

    @Test
    void aShortBatchGoesWhileTheQueueIsOpen() {
        assertThat(offer(32, false)).containsExactly(32);
        assertThat(offer(7, false)).containsExactly(7);
        assertThat(hold.withheld()).isEmpty();
    }

    @Test
    void aShortBatchAtTheEndIsHeld() {
        offer(32, false);
        assertThat(offer(32, true)).containsExactly(32);
        assertThat(offer(7, true)).isEmpty();
        assertThat(hold.withheld()).containsExactly(7);
    }

    @Test
    void aSingleBatchMayBeShort() {
        assertThat(offer(10, true)).isEmpty();
        assertThat(hold.withheld()).containsExactly(10);
    }

    @Test
    void theSecondBatchShowsWhatIsFull() {
        assertThat(offer(32, true)).isEmpty();
        assertThat(offer(10, true)).containsExactly(32);
        assertThat(hold.withheld()).containsExactly(10);
        assertThat(hold.withheld()).isEmpty();
    }

    @Test
    void twoEqualBatchesAreFull() {
        offer(32, true);
        assertThat(offer(32, true)).isEqualTo(List.of(32, 32));
        assertThat(hold.withheld()).isEmpty();
    }

    // 32 is given out and its taker's; 31 could go, and 7 is held
    @Test
    void whatWasNotGivenOutIsFreedOnceWhenItIsClosed() {
        offer(32, false);
        hold.offer(31, false);
        hold.offer(7, true);
        hold.close();
        hold.close();
        assertThat(freed).containsExactly(31, 7);
    }
}
