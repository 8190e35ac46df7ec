package io.praline.worker.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OpeningPaceTest {
    private static final long SECOND = 1_000_000_000L;
    private final OpeningPace pace = new OpeningPace();

    // opened at 0, 2, 4 and 6 seconds: 2 seconds apart
    @Test
    void isTheTimeFromOneOpeningToTheNext() {
        pace.seen(1, false, 0);
        pace.seen(2, false, 2 * SECOND);
        assertThat(pace.seconds()).isZero();
        pace.seen(2, false, 3 * SECOND);
        pace.seen(3, false, 4 * SECOND);
        pace.seen(4, false, 6 * SECOND);
        assertThat(pace.seconds()).isEqualTo(2, within(1e-9));
    }

    // the second 50 ms after the first, though the first is worked on for 3 s
    @Test
    void aSplitThatIsOpenedAheadIsNoWork() {
        pace.seen(1, false, 0);
        pace.seen(2, false, SECOND / 20);
        assertThat(pace.seconds()).isZero();
        pace.seen(3, false, 3 * SECOND + SECOND / 20);
        assertThat(pace.seconds()).isEqualTo(3, within(1e-9));
    }

    // one ahead and four within a second: a quarter of a second each, and so for the four of the next second
    @Test
    void severalOpeningsBetweenTwoLooksShareTheTime() {
        pace.seen(1, false, 0);
        pace.seen(6, false, SECOND);
        assertThat(pace.seconds()).isEqualTo(0.25, within(1e-9));
        pace.seen(10, false, 2 * SECOND);
        assertThat(pace.seconds()).isEqualTo(0.25, within(1e-9));
    }

    @Test
    void aWaitForSplitsIsNotWork() {
        pace.seen(1, false, 0);
        pace.seen(2, true, SECOND);
        pace.seen(3, false, 100 * SECOND);
        pace.seen(4, false, 100 * SECOND);
        pace.seen(5, false, 101 * SECOND);
        assertThat(pace.seconds()).isEqualTo(1, within(1e-9));
    }

    // nothing to open at 1 second; 4 splits came and were open at 1.2, one of them ahead: at most 0.2 / 3 seconds each.
    // Of the next 300 in 0.3 seconds: at most 0.3 / 299. A bound that is worse than what is known says nothing.
    @Test
    void splitsThatRunOutBeforeAnybodyLooksAreBoundedByTheTimeSinceTheLastLook() {
        pace.seen(0, true, SECOND);
        pace.seen(4, true, SECOND + SECOND / 5);
        assertThat(pace.seconds()).isEqualTo(0.2 / 3, within(1e-9));
        pace.seen(304, true, SECOND + SECOND / 2);
        assertThat(pace.seconds()).isEqualTo(0.3 / 299, within(1e-9));
        pace.seen(304, true, 100 * SECOND);
        pace.seen(305, true, 101 * SECOND);
        assertThat(pace.seconds()).isEqualTo(0.3 / 299, within(1e-9));
    }
}
