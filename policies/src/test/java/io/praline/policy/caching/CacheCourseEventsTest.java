package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Terms.Goal;
import io.praline.policy.caching.course.CacheCommand;
import io.praline.policy.caching.course.CacheCourse;
import io.praline.policy.caching.course.CacheEvent;
import io.praline.policy.caching.course.CacheState;
import io.praline.policy.caching.course.CacheState.Phase;
import io.praline.policy.caching.course.CacheTurn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever happens to a job, in whatever order. */
class CacheCourseEventsTest {
    private static final Instant START = Instant.ofEpochSecond(1_000_000);
    private static final CachePoint SOURCE = new CachePoint(0, "TFRecordDataset", "aa");
    private static final CachePoint DECODED = new CachePoint(1, "decode", "bb");
    private static final CachePoint RESIZED = new CachePoint(2, "resize", "cc");
    private static final List<List<CachePoint>> POINTS = List.of(
            List.of(),
            List.of(SOURCE),
            List.of(SOURCE, DECODED),
            List.of(SOURCE, DECODED, RESIZED),
            List.of(SOURCE, new CachePoint(1, "resize", "dd"), new CachePoint(2, "decode", "ee")));

    private static Arbitrary<Double> share() {
        return Arbitraries.doubles().between(0, 1);
    }

    private static CacheEvent measured(Instant at, List<CachePoint> points, double all) {
        List<PointMeasure> measures = points.stream()
                .map(point -> new PointMeasure(
                        point.number(),
                        all * (point.number() + 1) / 3,
                        1e5,
                        all / 20,
                        all * 0.3 / (point.number() + 1)))
                .toList();
        return new CacheEvent.Profiled(at, points, measures, all, 300);
    }

    private static Arbitrary<Function<Instant, CacheEvent>> event() {
        Arbitrary<List<CachePoint>> points = Arbitraries.of(POINTS);
        Arbitrary<Function<Instant, CacheEvent>> passed = Combinators.combine(
                        share(), Arbitraries.integers().between(0, 8), share(), Arbitraries.of(0.0, 1e5))
                .as((part, epochs, room, records) -> at -> new CacheEvent.Passed(
                        at,
                        new CacheOutlook(
                                epochs + part,
                                new TreeMap<>(Map.of("cc", part)),
                                1e9,
                                records,
                                2,
                                2,
                                300,
                                room * 1e10)));
        return Arbitraries.oneOf(
                passed,
                points.map(those -> at -> new CacheEvent.Planned(at, those, "", 5, 100)),
                points.map(those -> at -> new CacheEvent.OrderSettled(at, those, "")),
                points.map(those -> at -> measured(at, those, 1e7)),
                Combinators.combine(Arbitraries.of("aa", "bb", "cc", "dd", "zz"), share())
                        .as((prefix, share) -> at -> new CacheEvent.Stored(at, new TreeMap<>(Map.of(prefix, share)))),
                Combinators.combine(
                                Arbitraries.of(true, false),
                                Arbitraries.doubles().between(1, 500))
                        .as((cached, rate) -> at -> new CacheEvent.Rate(at, cached, rate)),
                Arbitraries.integers()
                        .between(1, 3)
                        .map(trial -> at -> new CacheEvent.Failed(at, trial, "it has no room")),
                Arbitraries.just(at -> new CacheEvent.Unanswered(at, "w1 is lost")),
                Arbitraries.just(at -> new CacheEvent.Broke(at, "its checksum is off")));
    }

    /** Something, so many seconds after what was before. */
    private record Next(int pause, Function<Instant, CacheEvent> event) {}

    @Provide
    Arbitrary<List<CacheEvent>> events() {
        return Combinators.combine(Arbitraries.of(0, 1, 10, 40, 200), event())
                .as(Next::new)
                .list()
                .ofMaxSize(40)
                .map(all -> {
                    Instant at = START;
                    List<CacheEvent> events = new ArrayList<>();
                    for (Next next : all) {
                        at = at.plusSeconds(next.pause());
                        events.add(next.event().apply(at));
                    }
                    return events;
                });
    }

    @Provide
    Arbitrary<CacheCourse> courses() {
        return Combinators.combine(Arbitraries.of(CacheMode.values()), Arbitraries.of(Goal.values()))
                .as((mode, goal) -> new CacheCourse(mode, true, false, new CacheTerms(goal, 1, 1, 0.001, 0)));
    }

    @Property
    void onlyPointsOfTheJobsAreUsedAndNothingIsWrittenBeforeItsOrderIsSettled(
            @ForAll("courses") CacheCourse course, @ForAll("events") List<CacheEvent> events) {
        CacheState state = course.begin(START);
        boolean settled = false;
        for (CacheEvent event : events) {
            settled |= event instanceof CacheEvent.OrderSettled;
            CacheTurn turn = course.take(state, event);
            if (turn.command().orElse(null) instanceof CacheCommand.Use use) {
                assertThat(course.mode().allowed(turn.state().points())).contains(use.point());
                assertThat(turn.state().used()).contains(use.point());
                assertThat(turn.state().put()).isEqualTo(use.put());
                assertThat(use.put() && !settled).isFalse();
                assertThat(use.gain()).isPositive();
            }
            if (turn.command().isPresent()) {
                assertThat(turn.told()).isTrue();
                assertThat(turn.reason()).isNotEmpty();
                assertThat(state.open()).isTrue();
            }
            state = turn.state();
        }
    }

    @Property
    void whatComesTwiceChangesNothingMore(
            @ForAll("courses") CacheCourse course, @ForAll("events") List<CacheEvent> events) {
        CacheState state = course.begin(START);
        for (CacheEvent event : events) {
            state = course.take(state, event).state();
            CacheTurn again = course.take(state, event);
            if (event instanceof CacheEvent.Passed) {
                assertThat(again.state().used()).isEqualTo(state.used());
                assertThat(again.state().put()).isEqualTo(state.put());
            } else if (!(event instanceof CacheEvent.Rate || event instanceof CacheEvent.Broke)) {
                assertThat(again.command()).isEmpty();
                assertThat(again.told()).isFalse();
            }
        }
    }

    @Property
    void attemptsAreToldWheneverAndOnlyWhenSomethingElseIsUsed(
            @ForAll("courses") CacheCourse course, @ForAll("events") List<CacheEvent> events) {
        CacheState state = course.begin(START);
        for (CacheEvent event : events) {
            CacheTurn turn = course.take(state, event);
            boolean used = state.phase() == Phase.USING;
            boolean uses = turn.state().phase() == Phase.USING;
            boolean other =
                    !turn.state().used().equals(state.used()) || turn.state().put() != state.put();
            CacheCommand command = turn.command().orElse(null);
            assertThat(command instanceof CacheCommand.Use).isEqualTo(uses && other);
            assertThat(command instanceof CacheCommand.Stop).isEqualTo(used && !uses);
            state = turn.state();
        }
    }
}
