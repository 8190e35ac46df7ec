package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Terms.Goal;
import io.praline.policy.caching.course.CacheCommand;
import io.praline.policy.caching.course.CacheCourse;
import io.praline.policy.caching.course.CacheEvent;
import io.praline.policy.caching.course.CacheState;
import io.praline.policy.caching.course.CacheState.Phase;
import io.praline.policy.caching.course.CacheTurn;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How a job comes to entries, and away from them. */
class CacheCourseTest {
    private static final CacheTerms TERMS = new CacheTerms(Goal.COST, 1, 1, 0, 0);
    private static final CacheCourse AUTO = new CacheCourse(CacheMode.AUTO, true, false, TERMS);
    private static final Instant START = Instant.ofEpochSecond(1_000_000);

    private static final CachePoint SOURCE = new CachePoint(0, "TFRecordDataset", "aa");
    private static final CachePoint DECODED = new CachePoint(1, "decode", "bb");
    private static final CachePoint RESIZED = new CachePoint(2, "resize", "cc");
    private static final List<CachePoint> POINTS = List.of(SOURCE, DECODED, RESIZED);

    // a record takes 10 ms, of which what lies behind resize is 1: from entries it takes 1.2 ms
    private static final List<PointMeasure> MEASURES = List.of(
            new PointMeasure(0, 100_000, 100_000, 100_000, 50_000),
            new PointMeasure(1, 6_000_000, 600_000, 600_000, 800_000),
            new PointMeasure(2, 9_000_000, 150_000, 300_000, 200_000));
    private static final double ALL = 10_000_000;

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static CacheEvent planned() {
        return new CacheEvent.Planned(at(0), POINTS, "the random crop behind resize draws", 5, 100);
    }

    private static CacheEvent settled() {
        return new CacheEvent.OrderSettled(at(2), POINTS, "the random crop behind resize draws");
    }

    private static CacheEvent profiled() {
        return new CacheEvent.Profiled(at(3), POINTS, MEASURES, ALL, 300);
    }

    private static CacheEvent stored(String prefix, double share) {
        return new CacheEvent.Stored(at(1), new TreeMap<>(Map.of(prefix, share)));
    }

    private static CacheEvent passed(int seconds, double epochsLeft) {
        return new CacheEvent.Passed(at(seconds), CacheOutlook.alone(epochsLeft, 100_000, 2, 1));
    }

    private static CacheEvent rate(boolean cached, double elements) {
        return new CacheEvent.Rate(at(9), cached, elements);
    }

    private static CacheState after(CacheCourse course, CacheEvent... events) {
        CacheState state = course.begin(START);
        for (CacheEvent event : events) {
            state = course.take(state, event).state();
        }
        return state;
    }

    private static void writesBehindResize(CacheCommand command) {
        CacheCommand.Use use = (CacheCommand.Use) command;
        assertThat(use.point()).isEqualTo(RESIZED);
        assertThat(use.put()).isTrue();
        assertThat(use.gain()).isCloseTo(ALL / 1_200_000, within(1e-9));
    }

    @Test
    void whatMayNotBeKeptIsComputedForGood() {
        assertThat(new CacheCourse(CacheMode.OFF, true, false, TERMS)
                        .begin(START)
                        .reason())
                .isEqualTo("it computes, as was asked for");
        CacheState untracked = new CacheCourse(CacheMode.AUTO, false, false, TERMS).begin(START);
        assertThat(untracked.reason()).isEqualTo("it computes: without tickets nobody can say which elements are kept");
        CacheState single = new CacheCourse(CacheMode.FULL, true, true, TERMS).begin(START);
        assertThat(single.phase()).isEqualTo(Phase.OFF);
        assertThat(single.open()).isFalse();
    }

    @Test
    void aJobIsMeasuredOnceItsOrderIsSettledAndThenKeepsWhatPays() {
        CacheState settled = after(AUTO, planned(), settled(), rate(false, 100));
        CacheTurn asked = AUTO.take(settled, passed(3, 4.5));
        assertThat(asked.command()).contains(new CacheCommand.Profile(1));
        // 4.5 epochs of 100,000 records at 200 a second
        assertThat(asked.reason())
                .isEqualTo("4.5 epochs of it are left and 0.0 of other jobs, about 2250 s: its cache points are to be"
                        + " measured");

        CacheState measured = AUTO.take(asked.state(), profiled()).state();
        CacheTurn used = AUTO.take(measured, passed(6, 4.5));
        // 10 ms in place of 1 + 0.2: 8.33 times as many
        assertThat(used.command()).hasValueSatisfying(CacheCourseTest::writesBehindResize);
        assertThat(used.state().used()).contains(RESIZED);
        assertThat(used.numbers())
                .containsEntry("epochsLeft", 4.5)
                .containsEntry("point 2: readNanosPerRecord", 200_000.0)
                .containsEntry("workerSecondsComputing", 4500.0);
        // once 1.03 of 1,000 s, then 3.5 times 0.12
        assertThat(used.numbers().get("expectedWorkerSeconds")).isCloseTo(1450, within(1e-6));

        CacheTurn told = AUTO.take(used.state(), rate(true, 790));
        assertThat(told.reason())
                .isEqualTo(
                        "a task makes 790 elements/s from entries and made 100 where it computed: 7.90 times as many,"
                                + " 8.33 were expected");
    }

    @Test
    void entriesThatAreThereAreReadAtOnceAndNoneIsWrittenUntilThatIsKnownToPay() {
        CacheState planned = after(AUTO, planned());
        CacheTurn used = AUTO.take(planned, stored("cc", 0.4));
        assertThat(used.command()).contains(new CacheCommand.Use(RESIZED, false, 1));
        assertThat(used.reason())
                .isEqualTo("40 % of its splits have an entry with what comes out of resize: they are read from there at"
                        + " once");
        CacheState measured = after(AUTO, planned(), stored("cc", 0.4), settled(), rate(false, 100), profiled());
        assertThat(AUTO.take(measured, passed(6, 3)).command()).hasValueSatisfying(CacheCourseTest::writesBehindResize);
    }

    @Test
    void whatIsReadOnceIsNotKept() {
        CacheTurn turn = AUTO.take(after(AUTO, planned(), settled(), rate(false, 100)), passed(3, 0.9));
        assertThat(turn.command()).isEmpty();
        assertThat(turn.told()).isTrue();
        assertThat(turn.state().phase()).isEqualTo(Phase.COMPUTING);
        assertThat(AUTO.take(turn.state(), passed(4, 0.8)).told()).isFalse();
    }

    @Test
    void anotherJobWithTheSamePrefixMakesOneEpochWorthKeeping() {
        CacheState computing = after(AUTO, planned(), settled(), rate(false, 100), passed(3, 0.9));
        CacheOutlook shared = new CacheOutlook(
                0.9,
                new TreeMap<>(Map.of("cc", 1.0)),
                0,
                100_000,
                2,
                1,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY);
        CacheTurn asked = AUTO.take(computing, new CacheEvent.Passed(at(5), shared));
        assertThat(asked.command()).contains(new CacheCommand.Profile(1));
        CacheState measured = AUTO.take(asked.state(), profiled()).state();
        assertThat(AUTO.take(measured, new CacheEvent.Passed(at(8), shared)).command())
                .containsInstanceOf(CacheCommand.Use.class);
    }

    @Test
    void anotherOrderOfStepsTakesThePointsWithItThatItStillHas() {
        CacheState using = after(AUTO, planned(), stored("bb", 1));
        assertThat(using.used()).contains(DECODED);
        CachePoint moved = new CachePoint(2, "decode", "bb");
        CacheTurn turn = AUTO.take(
                using, new CacheEvent.OrderSettled(at(4), List.of(SOURCE, new CachePoint(1, "crop", "dd"), moved), ""));
        assertThat(turn.command()).contains(new CacheCommand.Use(moved, false, 1));
        CacheTurn gone = AUTO.take(using, new CacheEvent.OrderSettled(at(4), List.of(SOURCE), ""));
        assertThat(gone.command()).contains(new CacheCommand.Stop());
        assertThat(gone.state().used()).isEqualTo(Optional.empty());
    }

    @Test
    void aStoreThatGivesWhatIsNoGoodIsLeft() {
        CacheState state = after(AUTO, planned(), stored("cc", 1));
        for (int i = 0; i < 4; i++) {
            CacheTurn turn = AUTO.take(state, new CacheEvent.Broke(at(i), "its checksum is off"));
            assertThat(turn.command()).isEmpty();
            state = turn.state();
        }
        CacheTurn left = AUTO.take(state, new CacheEvent.Broke(at(9), "its checksum is off"));
        assertThat(left.command()).contains(new CacheCommand.Stop());
        assertThat(left.reason()).isEqualTo("it computes: 5 entries were no good, at last its checksum is off");
        assertThat(left.state().phase()).isEqualTo(Phase.OFF);
    }

    @Test
    void whoeverIsAskedAndDoesNotMeasureIsLeftAndItComputes() {
        CacheState asked = after(AUTO, planned(), settled(), rate(false, 100), passed(3, 4));
        CacheTurn failed = AUTO.take(asked, new CacheEvent.Failed(at(5), 1, "it has no room"));
        assertThat(failed.reason()).isEqualTo("it computes: it could not be measured, since it has no room");
        assertThat(AUTO.take(failed.state(), passed(9, 4)).command()).isEmpty();
        CacheState again = AUTO.take(asked, passed(200, 4)).state();
        assertThat(AUTO.take(again, passed(201, 4)).command()).contains(new CacheCommand.Profile(2));
        assertThat(AUTO.take(again, new CacheEvent.Failed(at(202), 1, "late")).told())
                .isFalse();
    }

    @Test
    void aPointThatIsAskedForIsWrittenToOnceTheOrderIsSettled() {
        CacheCourse full = new CacheCourse(CacheMode.FULL, true, false, TERMS);
        CacheTurn turn = full.take(after(full, planned()), settled());
        assertThat(turn.command()).contains(new CacheCommand.Use(RESIZED, true, 1));
        CacheCourse source = new CacheCourse(CacheMode.SOURCE, true, false, TERMS);
        assertThat(source.take(after(source, planned()), settled()).command())
                .contains(new CacheCommand.Use(SOURCE, true, 1));
        CacheTurn nothing = full.take(
                after(full), new CacheEvent.OrderSettled(at(1), List.of(), "parse reads a table that changes"));
        assertThat(nothing.reason())
                .isEqualTo("it computes: nothing of it may be kept, parse reads a table that changes");
        assertThat(nothing.numbers()).isEqualTo(Collections.emptySortedMap());
    }

    private static CacheState writing() {
        return after(AUTO, planned(), settled(), rate(false, 100), profiled(), passed(6, 4.5));
    }

    private static CacheEvent passed(int seconds, double trainer, double room) {
        return new CacheEvent.Passed(
                at(seconds), new CacheOutlook(4.4, Collections.emptySortedMap(), 0, 100_000, 2, 1, trainer, room));
    }

    // two workers make 100 a second from entries, and 200 where they compute
    @Test
    void entriesThatAreSlowerThanComputingAreLeft() {
        CacheState state = writing();
        for (int i = 0; i < 2; i++) {
            state = AUTO.take(state, rate(true, 50)).state();
            assertThat(AUTO.take(state, passed(7, 1e4, 1e12)).command()).isEmpty();
        }
        state = AUTO.take(state, rate(true, 50)).state();
        assertThat(AUTO.take(state, passed(9, 110, 1e12)).command()).isEmpty();
        CacheTurn left = AUTO.take(state, passed(9, 1e4, 1e12));
        assertThat(left.command()).contains(new CacheCommand.Stop());
        assertThat(left.reason())
                .isEqualTo("it computes: a task made 50 elements/s from entries, and 100 where it computed");
        assertThat(left.state().open()).isFalse();
    }

    // there is no more room behind resize, and another job has filled what is behind decode
    @Test
    void whatIsDecidedIsDecidedOtherwiseOnlyAfterAWhile() {
        CacheState state = AUTO.take(writing(), stored("bb", 1)).state();
        assertThat(AUTO.take(state, passed(20, 1e4, 0)).command()).isEmpty();
        assertThat(AUTO.take(state, passed(40, 1e4, 0)).command().map(CacheCommand.Use.class::cast))
                .hasValueSatisfying(use -> assertThat(use.point()).isEqualTo(DECODED));
    }

    // writing costs 15 % here: in the last epoch nobody reads what is written
    @Test
    void nothingIsWrittenInTheLastEpoch() {
        List<PointMeasure> dear = List.of(MEASURES.get(0), new PointMeasure(2, 9e6, 1.5e5, 1.5e6, 2e5));
        CacheEvent profiled = new CacheEvent.Profiled(at(3), POINTS, dear, ALL, 300);
        CacheState state =
                after(AUTO, planned(), settled(), rate(false, 100), profiled, passed(6, 4.5), stored("cc", 0.5));
        assertThat(state.put()).isTrue();
        CacheTurn turn = AUTO.take(state, passed(900, 0.9));
        assertThat(turn.command().map(CacheCommand.Use.class::cast))
                .hasValueSatisfying(use -> assertThat(use.put()).isFalse());
    }

    @Test
    void aPrefixThatIsAskedForIsTheBestOfThoseBehindATransformation() {
        CacheCourse prefix = new CacheCourse(CacheMode.PREFIX, true, false, TERMS);
        CacheState settled = after(prefix, planned(), settled(), rate(false, 100));
        CacheTurn asked = prefix.take(settled, passed(3, 1));
        assertThat(asked.command()).contains(new CacheCommand.Profile(1));
        CacheState measured = prefix.take(asked.state(), profiled()).state();
        assertThat(prefix.take(measured, passed(6, 1)).command())
                .hasValueSatisfying(CacheCourseTest::writesBehindResize);
        CacheTurn failed = prefix.take(asked.state(), new CacheEvent.Failed(at(5), 1, "it has no room"));
        assertThat(failed.command()).contains(new CacheCommand.Use(RESIZED, true, 1));
    }

    @Test
    void entriesThatAreNotThereAfterAllAreWaitedForNoLongerAndTheJobIsMeasured() {
        CacheState reading = after(AUTO, planned(), stored("cc", 1));
        assertThat(reading.phase()).isEqualTo(Phase.USING);
        CacheTurn without = AUTO.take(reading, new CacheEvent.Stored(at(20), Collections.emptySortedMap()));
        assertThat(without.command()).contains(new CacheCommand.Stop());
        assertThat(without.state().phase()).isEqualTo(Phase.WAITING);
        assertThat(without.reason())
                .isEqualTo("it computes: none of its splits has an entry with what comes out of resize any more");
        CacheState later = AUTO.take(without.state(), settled()).state();
        CacheTurn asked = AUTO.take(AUTO.take(later, rate(false, 100)).state(), passed(30, 4));
        assertThat(asked.command()).containsInstanceOf(CacheCommand.Profile.class);
        // what it makes itself it goes on with
        CacheState making = after(AUTO, planned(), settled(), profiled(), rate(false, 100), passed(40, 4));
        assertThat(making.put()).isTrue();
        CacheTurn none = AUTO.take(making, new CacheEvent.Stored(at(50), Collections.emptySortedMap()));
        assertThat(none.command()).isEmpty();
    }
}
