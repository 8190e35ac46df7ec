package io.praline.dispatcher.turn.progress.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.CacheRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.OrderRow;
import io.praline.dispatcher.ledger.epoch.AttemptGraph;
import io.praline.dispatcher.ledger.epoch.CacheUse;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.course.CacheState;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.plan.Proof;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a job's attempts run, as its order and its cache points change. */
class CoursesTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Place PLACE = new Place("w1", "i1", "h1", List.of("tcp://h1:1"), false);
    private static final Variant VARIANT = new Variant("d1", List.of(), Proof.EXACT, 0, 2, 2);
    private static final CachePoint POINT = new CachePoint(2, "map", "p2");

    private final Ledger ledger = new Ledger(new MapRows());
    private final Courses courses = Courses.fresh();
    private final JobOrder order = courses.order();
    private final JobCache cache = courses.cache();

    private static OrderState changed(int from) {
        return new OrderState(OrderState.Phase.CHANGED, 1, AT, 0, 0, Optional.of(VARIANT), from, 0, 0, "it is better");
    }

    private static CacheState using(boolean put, String reason) {
        return new CacheState(
                CacheState.Phase.USING,
                AT,
                true,
                1,
                Optional.empty(),
                0,
                0,
                0,
                List.of(POINT),
                "",
                List.of(),
                0,
                Collections.emptySortedMap(),
                Optional.of(POINT),
                put,
                1.5,
                10,
                15,
                reason);
    }

    @Test
    void aJobOfWhichNothingIsKnownRunsWhatWasWritten() {
        assertThat(courses.graph(0)).isEqualTo(AttemptGraph.AS_WRITTEN);
        assertThat(courses.mixed()).isFalse();
        assertThat(courses.doubted()).isFalse();
        assertThat(order.state()).isEmpty();
        assertThat(order.asked()).isEmpty();
        assertThat(order.graphs()).isEmpty();
        assertThat(cache.told()).isEqualTo(1);
        assertThat(cache.hits()).isZero();
        assertThat(cache.doubted()).isFalse();
        courses.save(ledger, "job");
        assertThat(ledger.order("job")).isEmpty();
        assertThat(ledger.cache("job")).isEmpty();
    }

    @Test
    void aVariantRunsFromItsEpochOn() {
        order.keep(changed(3), Optional.of(PLACE));

        assertThat(courses.graph(2)).isEqualTo(AttemptGraph.AS_WRITTEN);
        assertThat(courses.graph(3)).isEqualTo(new AttemptGraph("d1", Optional.empty()));
        assertThat(order.asked()).contains(PLACE);
        assertThat(order.graphs()).containsExactly("d1");
    }

    @Test
    void attemptsAreLookedAtWhereAnotherVariantRuns() {
        order.keep(OrderState.waiting(AT), Optional.empty());
        assertThat(courses.mixed()).isTrue();
        courses.settled();
        assertThat(courses.mixed()).isFalse();
        order.keep(OrderState.waiting(AT.plusSeconds(1)), Optional.empty());
        assertThat(courses.mixed()).isFalse();

        order.keep(changed(0), Optional.empty());
        assertThat(courses.mixed()).isTrue();
        courses.settled();
        order.keep(changed(1), Optional.empty());
        assertThat(courses.mixed()).isFalse();
        order.keep(OrderState.waiting(AT), Optional.empty());
        assertThat(courses.mixed()).isTrue();
    }

    @Test
    void attemptsAreLookedAtWhereOthersEntriesAreRead() {
        cache.keep(CacheState.waiting(AT), Optional.empty());
        courses.settled();
        assertThat(cache.keep(using(true, "it pays"), Optional.empty())).isTrue();
        assertThat(courses.mixed()).isTrue();
        assertThat(courses.graph(0)).isEqualTo(new AttemptGraph("", Optional.of(new CacheUse(2, "p2", true))));
        courses.settled();
        assertThat(cache.keep(using(true, "it pays"), Optional.empty())).isFalse();
        assertThat(cache.keep(using(true, "it pays still"), Optional.empty())).isTrue();
        assertThat(courses.mixed()).isFalse();
        cache.keep(using(false, "it is full"), Optional.empty());
        assertThat(courses.mixed()).isTrue();
    }

    @Test
    void digestsOfGraphsThatWorkersWroteDownAreKept() {
        order.wrote("d0");
        assertThat(order.graphs()).isEmpty();
        order.keep(OrderState.waiting(AT), Optional.empty());
        order.wrote("");
        order.wrote("d0");
        order.wrote("d0");
        order.keep(changed(0), Optional.empty());

        assertThat(order.graphs()).containsExactly("d0", "d1");
    }

    @Test
    void whatChangedIsWrittenOnce() {
        order.keep(changed(0), Optional.of(PLACE));
        cache.keep(using(true, "it pays"), Optional.of(PLACE));
        cache.told(1.25);
        courses.save(ledger, "job");
        assertThat(ledger.order("job")).contains(new OrderRow(changed(0), Optional.of(PLACE), List.of("d1")));
        assertThat(ledger.cache("job"))
                .contains(new CacheRow(using(true, "it pays"), Optional.of(PLACE), 1.25, 0, false));
        assertThat(order.unsaved()).isEmpty();
        assertThat(cache.unsaved()).isEmpty();

        Courses read = Courses.of(ledger, "job");
        assertThat(read.graph(0)).isEqualTo(courses.graph(0));
        // after a takeover each attempt is looked at
        assertThat(read.mixed()).isTrue();
        read.order().keep(changed(0), Optional.of(PLACE));
        read.cache().told(1.25);
        assertThat(read.order().unsaved()).isEmpty();
        assertThat(read.cache().unsaved()).isEmpty();
        read.cache().told(1.5);
        assertThat(read.cache().unsaved()).isPresent();
    }

    @Test
    void elementsFromEntriesAddUpAndMeasuringAgainKeepsThem() {
        cache.closed(5);
        assertThat(cache.hits()).isZero();
        cache.keep(using(true, "it pays"), Optional.of(PLACE));
        cache.closed(0);
        cache.closed(5);
        cache.closed(3);
        cache.told(1.5);
        cache.doubted(true);
        cache.keep(using(false, "it is full"), Optional.empty());

        assertThat(cache.hits()).isEqualTo(8);
        assertThat(cache.told()).isEqualTo(1.5);
        assertThat(cache.doubted()).isTrue();
        assertThat(cache.asked()).isEmpty();
    }

    @Test
    void anotherReasonChangesNothingElse() {
        cache.because("nobody knows");
        assertThat(cache.state()).isEmpty();
        cache.keep(using(true, "it pays"), Optional.of(PLACE));
        cache.unsaved();
        cache.because("it pays");
        assertThat(cache.unsaved()).isEmpty();

        cache.because("its order is used");
        assertThat(cache.state()).contains(using(true, "its order is used"));
        assertThat(cache.asked()).contains(PLACE);
        assertThat(cache.unsaved()).isPresent();
    }

    @Test
    void theShareAtTheBeginningIsThatOfTheEpochAndThePoint() {
        assertThat(cache.shareAtBeginning(0, "p2", 0.25)).isEqualTo(0.25);
        assertThat(cache.shareAtBeginning(0, "p2", 0.5)).isEqualTo(0.25);
        assertThat(cache.shareAtBeginning(0, "p3", 0.75)).isEqualTo(0.75);
        assertThat(cache.shareAtBeginning(1, "p3", 1)).isEqualTo(1);
        assertThat(cache.shareAtBeginning(1, "p3", 0)).isEqualTo(1);
    }

    @Test
    void pointsAreInDoubtOnlyOfAJobThatRunsAVariant() {
        cache.keep(using(true, "it pays"), Optional.empty());
        cache.doubted(true);
        assertThat(courses.doubted()).isFalse();
        order.keep(OrderState.waiting(AT), Optional.empty());
        assertThat(courses.doubted()).isFalse();
        order.keep(changed(0), Optional.empty());
        assertThat(courses.doubted()).isTrue();
        cache.doubted(false);
        assertThat(courses.doubted()).isFalse();
    }
}
