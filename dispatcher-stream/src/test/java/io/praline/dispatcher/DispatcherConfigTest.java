package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.placement.PoolSize;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatcherConfigTest {

    @Test
    void whatNobodySetsIsAsUsual() {
        assertThat(DispatcherConfig.from(Map.of()).rules()).isEqualTo(DispatcherConfig.USUAL_RULES);
    }

    @Test
    void policyAndBoundsOfPoolsAreSettings() {
        DispatcherConfig config = DispatcherConfig.from(Map.of(
                "dispatcher.policy", "pecan",
                "dispatcher.pool.minimum", "1",
                "dispatcher.pool.maximum", "8",
                "dispatcher.pool.grace", "PT10S"));
        assertThat(config.rules().policy()).isEqualTo("pecan");
        assertThat(config.rules().poolSize()).isEqualTo(new PoolSize(1, 8, Duration.ofSeconds(10)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dispatcher.policy       | best  | dispatcher.policy: there is no policy 'best': there are
            dispatcher.pool.maximum | 0     | dispatcher.pool: maximum must be at least 1 and at least the minimum, 0, is 0
            dispatcher.pool.grace   | 10    | dispatcher.pool.grace must be a duration such as PT30S, is '10'
            dispatcher.slice        | PT-1S | dispatcher.slice: slice must not be negative, is PT-1S
            """)
    void aWrongSettingIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> DispatcherConfig.from(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
