package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.Event.Tick;
import io.praline.dispatcher.ledger.ClockRow;
import io.praline.schema.ActuatorReport;
import io.praline.schema.FailureKind;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogClockTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private final LogClock clock = new LogClock(Optional.empty());

    private static Instant at(double seconds) {
        return AT.plus(Duration.ofMillis(Math.round(1_000 * seconds)));
    }

    private Tick tick(double stamp) {
        return (Tick) clock.timed(new Tick(at(stamp), "default"));
    }

    private Instant report(double stamp) {
        return clock.timed(new Event.Actuator(at(stamp), "default", new ActuatorReport("default", "i", 0, 0, "", 0)))
                .at();
    }

    private Instant plan(double stamp) {
        return clock.timed(new Event.Plan(
                        at(stamp),
                        "default",
                        new PlanMessage(
                                "default", "job", 1, "w1", "i1", new PlanFailed(FailureKind.REFUSED, "no file"))))
                .at();
    }

    @Test
    void itBeginsWithTheFirstEvent() {
        assertThat(clock.row()).isEmpty();
        assertThat(tick(5)).isEqualTo(new Tick(at(5), "default", false));
        assertThat(clock.row()).contains(ClockRow.at(at(5)));
    }

    // by 1 s, by 0 for a stamp that goes back, by 2 at most
    @Test
    void itGoesOnByTheStepsOfTheLogOfBeats() {
        tick(0);
        assertThat(tick(1).at()).isEqualTo(at(1));
        assertThat(report(0.5)).isEqualTo(at(1));
        assertThat(report(1.5)).isEqualTo(at(2));
        assertThat(tick(100).at()).isEqualTo(at(4));
        assertThat(tick(102).at()).isEqualTo(at(6));
    }

    @Test
    void stampsOfOtherLogsAreComparedWithNothing() {
        tick(0);
        assertThat(plan(1_000)).isEqualTo(at(0));
        assertThat(tick(1).at()).isEqualTo(at(1));
        assertThat(plan(-1_000)).isEqualTo(at(1));
    }

    @Test
    void theLogWasAwayWhereNoClockCameForMoreThanThreeSeconds() {
        assertThat(tick(0).away()).isFalse();
        assertThat(tick(3).away()).isFalse();
        assertThat(report(6)).isEqualTo(at(4));
        assertThat(tick(6.1).away()).isTrue();
        assertThat(tick(7).away()).isFalse();
    }

    @Test
    void beforeTheFirstClockWhateverElseCameTellsThatTheLogWasThere() {
        LogClock later = new LogClock(Optional.of(ClockRow.at(at(0))));
        later.timed(new Event.Actuator(at(4), "default", new ActuatorReport("default", "i", 0, 0, "", 0)));

        assertThat(((Tick) later.timed(new Tick(at(5), "default"))).away()).isFalse();
        assertThat(((Tick) new LogClock(Optional.of(ClockRow.at(at(0)))).timed(new Tick(at(5), "default"))).away())
                .isTrue();
    }
}
