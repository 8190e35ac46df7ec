package io.praline.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BusyTimeTest {
    private static final long MILLISECOND = 1_000_000;

    private final BusyTime busy = new BusyTime();
    private long now = 1_000 * MILLISECOND;

    @BeforeEach
    void start() {
        busy.start(now);
    }

    private void pull(long millis) {
        now += millis * MILLISECOND;
        busy.pulled(now);
    }

    private void put(long millis) {
        long since = now;
        now += millis * MILLISECOND;
        busy.put(since, now);
    }

    @Test
    void timeWithinTheGraphCountsAndTimeAtAFullOutboxDoesNot() {
        for (int i = 0; i < 10; i++) {
            pull(100);
            put(0);
        }
        put(5_000);
        assertThat(busy.seconds()).isCloseTo(1.0, offset(1e-9));
    }

    // three batches lay in the graph's buffers when there was room again: each counts 100 ms as those before, and the
    // fourth takes its time
    @Test
    void whatTheGraphMadeWhileItWasHeldCountsAsMuchAsWhatItMadeBefore() {
        for (int i = 0; i < 10; i++) {
            pull(100);
            put(0);
        }
        put(5_000);
        pull(0);
        pull(0);
        pull(0);
        pull(80);
        assertThat(busy.seconds()).isCloseTo(1.0 + 0.3 + 0.08, offset(1e-9));
        pull(1);
        assertThat(busy.seconds()).isCloseTo(1.381, offset(1e-9));
    }

    // the graph took 3 s to start, and the next batch 100 ms; then three lay in its buffers: they count 100 ms each
    @Test
    void theStartOfTheGraphIsNoMeasureOfWhatItMadeWhileItWasHeld() {
        pull(3_000);
        put(0);
        pull(100);
        put(5);
        pull(10);
        pull(10);
        pull(10);
        assertThat(busy.seconds()).isCloseTo(3.0 + 0.1 + 0.3, offset(1e-9));
    }

    // asked for 10 s, of which the split was there for the last 0.2
    @Test
    void timeWithoutASplitDoesNotCount() {
        pull(100);
        now += 9_800 * MILLISECOND;
        busy.fed(now);
        now += 200 * MILLISECOND;
        busy.pulled(now);
        assertThat(busy.seconds()).isCloseTo(0.3, offset(1e-9));
    }
}
