package io.praline.policy.splits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.Example;

class RenewalTest {

    // what is about to end anyway is not renewed
    @Example
    void anAttemptIsRenewedAfterFifteenSecondsWhileThereIsMoreToRead() {
        assertThat(Renewal.USUAL.due(Duration.ofMillis(14_999), 10)).isFalse();
        assertThat(Renewal.USUAL.due(Duration.ofSeconds(15), 10)).isTrue();
        assertThat(Renewal.USUAL.due(Duration.ofSeconds(15), 0)).isFalse();
    }

    @Example
    void itTakesTime() {
        assertThatThrownBy(() -> new Renewal(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("after must be above 0, is PT0S");
    }
}
