package io.praline.policy.splits;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class SplitsAheadTest {

    // before anything was measured 4 splits lie ahead
    @Example
    void aNewTaskGetsItsFirstSplits() {
        assertThat(SplitsAhead.USUAL.given(0, 0, 1000, 1)).isEqualTo(4);
        assertThat(SplitsAhead.USUAL.given(2, 0, 1000, 1)).isEqualTo(2);
        assertThat(SplitsAhead.USUAL.given(3, 0, 1000, 1)).isZero();
        assertThat(SplitsAhead.USUAL.given(4, 0, 1000, 1)).isZero();
    }

    // 15 s of splits of 2 s: 8 ahead, 5 of which are there
    @Example
    void fifteenSecondsLieAhead() {
        assertThat(SplitsAhead.USUAL.given(5, 2, 1000, 1)).isEqualTo(3);
    }

    // 15 s of splits of 0.1 s: 150 ahead; 10 s of them are there, or a little more
    @Example
    void manyAreGivenAtATime() {
        assertThat(SplitsAhead.USUAL.given(100, 0.1, 1000, 1)).isEqualTo(50);
        assertThat(SplitsAhead.USUAL.given(101, 0.1, 1000, 1)).isZero();
    }

    // a fifth of 15 s: three splits of a second
    @Example
    void aTaskIsShortThatHasLessThanThreeSecondsOfWork() {
        assertThat(SplitsAhead.USUAL.runsShort(2, 1)).isTrue();
        assertThat(SplitsAhead.USUAL.runsShort(3, 1)).isFalse();
        assertThat(SplitsAhead.USUAL.runsShort(0, 60)).isTrue();
        assertThat(SplitsAhead.USUAL.runsShort(1, 60)).isFalse();
        // nobody knows what four splits are before one was measured
        assertThat(SplitsAhead.USUAL.runsShort(4, 0)).isTrue();
    }

    // a split of a minute: one lies ahead
    @Example
    void atLeastOneSplitLiesAhead() {
        assertThat(SplitsAhead.USUAL.given(0, 60, 1000, 2)).isEqualTo(1);
    }

    // 4 splits are left for 2 tasks: each takes a quarter, then what is left one by one
    @Example
    void theEndOfAnEpochIsShared() {
        assertThat(SplitsAhead.USUAL.given(0, 0, 4, 2)).isEqualTo(1);
        assertThat(SplitsAhead.USUAL.given(0, 0, 3, 2)).isEqualTo(1);
        assertThat(SplitsAhead.USUAL.given(0, 0, 1, 2)).isEqualTo(1);
    }

    @Property
    void nothingIsGivenThatIsNotThereAndAnEmptyTaskIsNeverLeftEmpty(
            @ForAll @IntRange(max = 5000) int unopened,
            @ForAll @DoubleRange(max = 1000) double splitSeconds,
            @ForAll @IntRange(max = 1_000_000) int left,
            @ForAll @IntRange(min = 1, max = 1000) int tasks) {
        int given = SplitsAhead.USUAL.given(unopened, splitSeconds, left, tasks);
        assertThat(given).isBetween(0, left);
        assertThat(given + unopened).isLessThanOrEqualTo(Math.max(unopened, 2000));
        if (unopened == 0 && left > 0) {
            assertThat(given).isPositive();
        }
    }

    // 100 splits for 4 tasks: ceil(100 / 8) = 13; 15 s of splits of 0.1 s are 150 ahead
    @Example
    void eachTaskTakesHalfOfItsShareAndALoneOneTakesAll() {
        assertThat(SplitsAhead.USUAL.given(0, 0.1, 100, 4)).isEqualTo(13);
        assertThat(SplitsAhead.USUAL.given(7, 0.1, 100, 4)).isEqualTo(13);
        assertThat(SplitsAhead.USUAL.given(0, 0, 3, 1)).isEqualTo(3);
        assertThat(SplitsAhead.USUAL.given(0, 0.1, 0, 4)).isZero();
    }
}
