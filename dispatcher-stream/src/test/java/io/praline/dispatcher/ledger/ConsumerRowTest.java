package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.ConsumerRow.Former;
import io.praline.schema.ConsumerState;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A consumer's place, as processes take it one after another. */
class ConsumerRowTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final Instant LATER = AT.plusSeconds(30);

    private final ConsumerRow first = ConsumerRow.expected(0, AT).taken("a", "h1", AT);

    /** Of b, in generation 3, behind a in generation 0. */
    private final ConsumerRow second = first.withApplied("a", 4).followed(LATER).taken(3, "b", "h2", AT.plusSeconds(1));

    @Test
    void whoTakesAPlaceFirstHasReportedNothing() {
        assertThat(first)
                .isEqualTo(new ConsumerRow(
                        0, ConsumerState.HERE, AT, "a", "h1", -1, List.of(), List.of(), false, List.of()));
        assertThat(first.takes()).isTrue();
        assertThat(ConsumerRow.expected(0, AT).takes()).isFalse();
    }

    @Test
    void whoFollowsBeginsAnewAndTheOneBeforeMayStillTrain() {
        assertThat(second)
                .isEqualTo(new ConsumerRow(
                        3,
                        ConsumerState.HERE,
                        AT.plusSeconds(1),
                        "b",
                        "h2",
                        -1,
                        List.of(new Former(0, "a", 4, false, LATER)),
                        List.of(),
                        false,
                        List.of("a")));
        assertThat(second.applied("a")).contains(4L);
        assertThat(second.applied("b")).contains(-1L);
        assertThat(second.applied("c")).isEmpty();
        assertThat(second.former(0)).contains(new Former(0, "a", 4, false, LATER));
        assertThat(second.former(3)).isEmpty();
    }

    @Test
    void theSameProcessInANewGenerationGoesOnWithItsReports() {
        ConsumerRow again = first.withApplied("a", 4).followed(LATER).taken(3, "a", "h1", LATER);

        assertThat(again.applied("a")).contains(4L);
        assertThat(again.succeeded()).isEmpty();
    }

    @Test
    void reportsOfAFormerProcessAreCountedForIt() {
        ConsumerRow told = second.withApplied("a", 9);

        assertThat(told.applied("a")).contains(9L);
        assertThat(told.applied("b")).contains(-1L);
        assertThat(told.withApplied("b", 2).applied("b")).contains(2L);
    }

    // a came back in generation 5, and what it had of generation 0 until 30 s it may have until 20 s only
    @Test
    void aProcessThatIsFollowedAgainMayTrainOnNothingForLongerThanTheNewestWord() {
        ConsumerRow again = second.taken(5, "a", "h1", LATER);

        assertThat(again.followed(AT.plusSeconds(20)).formers())
                .containsExactly(
                        new Former(0, "a", 4, false, AT.plusSeconds(20)),
                        new Former(5, "a", -1, false, AT.plusSeconds(20)));
        assertThat(again.followed(AT.plusSeconds(40)).former(0)).contains(new Former(0, "a", 4, false, LATER));
        assertThat(second.followed(AT.plusSeconds(20)).former(0)).contains(new Former(0, "a", 4, false, LATER));
    }

    @Test
    void whatIsDiscardedOfAProcessThatIsHereAgainIsDoubtfulNoMore() {
        assertThat(second.doubtful()).containsExactly(0);
        assertThat(second.discarded(0).doubtful()).containsExactly(0);
        assertThat(second.discarded(0).taken(5, "a", "h1", LATER).doubtful()).isEmpty();
        assertThat(second.taken(5, "a", "h1", LATER).doubtful()).containsExactly(0);
        assertThat(second.discarded(7)).isEqualTo(second);
    }

    @Test
    void itsOwnGenerationIsDoubtfulOnceNobodyKnowsWhereItIs() {
        assertThat(second.in(ConsumerState.IN_DOUBT, LATER).doubtful()).containsExactly(0, 3);
        assertThat(second.in(ConsumerState.LEFT, LATER).doubtful()).containsExactly(0);
        assertThat(second.in(ConsumerState.LEFT, LATER).here()).isFalse();
        assertThat(second.in(ConsumerState.LEFT, LATER).since()).isEqualTo(LATER);
    }

    @Test
    void ofGenerationsThatCeasedThoseThatSaidWhatBecameOfThemAreNotNoted() {
        ConsumerRow both = second.followed(LATER).discarded(0);

        assertThat(both.withCeased(List.of(0, 3)).ceased()).containsExactly(3);
        assertThat(both.withCeased(List.of(0, 3)).without(List.of(0, 3)).formers())
                .isEmpty();
        assertThat(both.without(List.of(0)).formers()).containsExactly(new Former(3, "b", -1, false, LATER));
    }

    @Test
    void whoIsFinishedIsHereAndTakesNothingMore() {
        assertThat(second.asFinished().takes()).isFalse();
        assertThat(second.asFinished().here()).isTrue();
        assertThat(second.asFinished().taken(5, "c", "h3", LATER).takes()).isTrue();
    }

    @Test
    void aHostThatIsNotToldStaysAsItWas() {
        assertThat(second.at("")).isEqualTo(second);
        assertThat(second.at("h9").host()).isEqualTo("h9");
    }

    @Test
    void itStandsLikeAnotherWithOtherReports() {
        assertThat(second.standsLike(second.withApplied("b", 7).withApplied("a", 8)))
                .isTrue();
        assertThat(second.standsLike(second.in(ConsumerState.LEFT, LATER))).isFalse();
        assertThat(second.standsLike(second.taken(4, "b", "h2", LATER))).isFalse();
        assertThat(second.standsLike(second.discarded(0))).isFalse();
        assertThat(second.discarded(0).standsLike(second.without(List.of(0)))).isTrue();
    }

    @Test
    void ofWhatCeasedAndOfWhoSucceededTheNewestAreKept() {
        List<Integer> generations = IntStream.range(0, 70).boxed().toList();
        ConsumerRow row = first;
        for (int next = 1; next <= 20; next++) {
            row = row.taken(next, "p" + next, "h", AT);
        }

        assertThat(first.withCeased(generations).ceased()).isEqualTo(generations.subList(6, 70));
        assertThat(row.succeeded())
                .isEqualTo(IntStream.range(4, 20).mapToObj(each -> "p" + each).toList());
    }
}
