package io.praline.worker.attempt.entry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryWaitTest {
    private static final double UNMEASURED = 0;

    private final EntryWait wait = new EntryWait();

    private boolean lasts(double splitSeconds, double at) {
        return wait.lasts(splitSeconds, (long) (at * 1e9));
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "0.1, 1", "0.5, 1", "0.75, 1.5", "4, 8", "60, 10"})
    void itLastsForTwoSplits(double splitSeconds, double seconds) {
        assertThat(lasts(splitSeconds, 100)).isTrue();
        assertThat(lasts(splitSeconds, 100 + seconds - 0.01)).isTrue();
        assertThat(lasts(splitSeconds, 100 + seconds + 0.01)).isFalse();
    }

    @Test
    void itBeginsAnewBehindWhatCame() {
        assertThat(lasts(UNMEASURED, 0)).isTrue();
        assertThat(lasts(UNMEASURED, 1.5)).isTrue();
        wait.over();
        assertThat(lasts(UNMEASURED, 3)).isTrue();
        assertThat(lasts(UNMEASURED, 4.5)).isTrue();
    }

    // whoever makes them was stopped, or nobody takes what it makes
    @Test
    void whoWaitedInVainThreeTimesWaitsNoMore() {
        for (int time = 0; time < 3; time++) {
            assertThat(lasts(UNMEASURED, 10 * time)).isTrue();
            assertThat(lasts(UNMEASURED, 10 * time + 3)).isFalse();
            wait.over();
        }
        assertThat(lasts(UNMEASURED, 100)).isFalse();
    }
}
