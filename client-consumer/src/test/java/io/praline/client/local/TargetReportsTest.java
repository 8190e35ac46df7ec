package io.praline.client.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.ActuatorReport;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetReportsTest {
    private final TargetReports reports = new TargetReports("default", "me");

    private Optional<ActuatorReport> due(long seconds, int wanted, int running, String hindrance) {
        return reports.due(
                wanted,
                running,
                Optional.of(hindrance).filter(text -> !text.isEmpty()),
                Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void tellsWhatHasChangedAtOnceAndOnce() {
        assertThat(due(0, 0, 0, "")).contains(new ActuatorReport("default", "me", 0, 0, "", 0));
        assertThat(due(1, 0, 0, "")).isEmpty();
        assertThat(due(2, 3, 0, "")).contains(new ActuatorReport("default", "me", 3, 0, "", 0));
        assertThat(due(2, 3, 0, "no disk")).contains(new ActuatorReport("default", "me", 3, 0, "no disk", 0));
        assertThat(due(3, 3, 3, "")).contains(new ActuatorReport("default", "me", 3, 3, "", 0));
    }

    @Test
    void repeatsItselfWhetherOrNotWorkersAreMissing() {
        due(0, 3, 1, "no disk");

        assertThat(due(9, 3, 1, "no disk")).isEmpty();
        assertThat(due(10, 3, 1, "no disk")).isPresent();
        assertThat(due(11, 3, 1, "no disk")).isEmpty();
        assertThat(due(12, 1, 1, "")).isPresent();
        assertThat(due(21, 1, 1, "")).isEmpty();
        assertThat(due(22, 1, 1, "")).contains(new ActuatorReport("default", "me", 1, 1, "", 0));
    }

    @Test
    void repeatsItselfWhereThereIsABound() {
        TargetReports bounded = new TargetReports("default", "me", 4);
        assertThat(bounded.due(2, 2, Optional.empty(), 0)).contains(new ActuatorReport("default", "me", 2, 2, "", 4));
        assertThat(bounded.due(2, 2, Optional.empty(), Duration.ofSeconds(9).toNanos()))
                .isEmpty();
        assertThat(bounded.due(2, 2, Optional.empty(), Duration.ofSeconds(10).toNanos()))
                .isPresent();
    }
}
