package io.praline.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.praline.schema.ClientHeartbeat;
import io.praline.schema.MeasurementWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemandReporterTest {
    private static final ConsumerIdentity IDENTITY = new ConsumerIdentity("default", "j", 1, "me", "host");

    private final DemandReporter demand = new DemandReporter(IDENTITY, WindowLimits.DEFAULT);

    @Test
    void beatsOnceASecond() {
        assertThat(demand.due(0)).isPresent();
        assertThat(demand.due(ms(999))).isEmpty();
        assertThat(demand.due(ms(1_000)))
                .hasValueSatisfying(beat -> assertThat(beat.getConsumer()).isEqualTo(1));
    }

    // 500 batches 10 ms apart: 5 s; each waited for 2 ms: 0.2 of the time; 3 lay ready each time
    @Test
    void closesAWindowWithItsFiveHundredthBatch() {
        demand.tasks(1, 2);
        for (int i = 0; i <= 500; i++) {
            demand.taken(ms(10L * i), 32, 1_000, ms(2), 3);
        }

        assertThat(demand.farewell(ms(5_000)).getWindows())
                .containsExactly(new MeasurementWindow(500L, 16_000L, 500_000L, 5.0, 0.2, 3.0, 1, 2, false));
    }

    @Test
    void keepsAWindowOfAFastLoopOpenForASecond() {
        for (int i = 0; i < 10_000; i++) {
            demand.taken(ms(i) / 5, 1, 1_024, 0, 256); // 5 a millisecond
        }
        ClientHeartbeat beat = demand.farewell(ms(2_000));

        assertThat(beat.getWindows()).hasSize(1);
        assertThat(beat.getWindows().get(0).getBatches()).isEqualTo(5_000);
    }

    @Test
    void closesAWindowOfASlowLoopAfterTenSeconds() {
        for (int i = 0; i <= 5; i++) {
            demand.taken(ms(2_500L * i), 1, 1, 0, 1);
        }

        assertThat(demand.farewell(ms(13_000)).getWindows()).singleElement().satisfies(window -> {
            assertThat(window.getBatches()).isEqualTo(4);
            assertThat(window.getSeconds()).isEqualTo(10);
        });
    }

    // a batch in 100 ms: 20 of them are 2 s, and those 1.5 s long hold 15
    @Test
    void closesWindowsAsOftenAsItIsTold() {
        DemandReporter byBatches = new DemandReporter(IDENTITY, new WindowLimits(20, Duration.ofSeconds(10)));
        DemandReporter byTime = new DemandReporter(IDENTITY, new WindowLimits(20, Duration.ofMillis(1_500)));
        for (int i = 0; i <= 60; i++) {
            byBatches.taken(ms(100L * i), 1, 1, 0, 1);
            byTime.taken(ms(100L * i), 1, 1, 0, 1);
        }

        assertThat(byBatches.farewell(ms(6_000)).getWindows())
                .extracting(MeasurementWindow::getBatches)
                .containsExactly(20L, 20L, 20L);
        assertThat(byTime.farewell(ms(6_000)).getWindows())
                .extracting(MeasurementWindow::getBatches)
                .containsExactly(15L, 15L, 15L, 15L);
    }

    @Test
    void refusesWindowsThatTellNothing() {
        assertThatThrownBy(() -> new WindowLimits(0, Duration.ofSeconds(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("batches of a window must be at least 1, are 0");
        assertThatThrownBy(() -> new WindowLimits(500, Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the longest window must be at least 1 s, is PT0.999S");
    }

    // 4 s with one remote task; 0.5 s with a second one, too short to tell anything; 10 s with a local one beside them
    @Test
    void endsAWindowWhereTheTasksChange() {
        demand.tasks(0, 1);
        demand.taken(0, 1, 1, 0, 1);
        demand.taken(ms(2_000), 1, 1, 0, 1);
        demand.tasks(0, 2);
        demand.taken(ms(4_000), 1, 1, ms(1_000), 1);
        demand.tasks(1, 2);
        demand.taken(ms(4_500), 1, 1, 0, 1);
        demand.taken(ms(14_500), 1, 1, 0, 1);

        assertThat(demand.farewell(ms(14_500)).getWindows())
                .containsExactly(
                        new MeasurementWindow(2L, 2L, 2L, 4.0, 0.25, 1.0, 0, 1, false),
                        new MeasurementWindow(1L, 1L, 1L, 10.0, 0.0, 1.0, 1, 2, false));
    }

    @Test
    void doesNotTakeAWindowForSteadyInWhichNothingServed() {
        demand.tasks(0, 2);
        demand.taken(0, 1, 1, 0, 1);
        demand.tasks(0, 0);
        demand.tasks(0, 2);
        demand.taken(ms(10_000), 1, 1, ms(5_000), 1);
        demand.taken(ms(20_000), 1, 1, 0, 1);

        assertThat(demand.farewell(ms(20_000)).getWindows())
                .extracting(MeasurementWindow::getRemoteTasks, MeasurementWindow::getStraddles)
                .containsExactly(tuple(2, true), tuple(2, false));
    }

    private static long ms(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
