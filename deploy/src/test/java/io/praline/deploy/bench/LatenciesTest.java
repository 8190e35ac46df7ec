package io.praline.deploy.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LatenciesTest {

    // 1 to 2,000 ms in reverse: half of all take 1,000 ms at most, and 99 of 100 take 1,980
    @Test
    void aShareOfAllTookNoLongerThanThis() {
        Latencies latencies = new Latencies();
        for (int millis = 2_000; millis > 0; millis--) {
            latencies.add(millis * 1_000_000L);
        }
        assertThat(latencies.count()).isEqualTo(2_000);
        assertThat(latencies.millis(0.5)).isEqualTo(1_000);
        assertThat(latencies.millis(0.99)).isEqualTo(1_980);
        assertThat(latencies.millis(1)).isEqualTo(2_000);
    }

    @Test
    void nothingIsToldWhereNothingWasMeasured() {
        assertThatThrownBy(() -> new Latencies().millis(0.5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nothing was measured");
    }
}
