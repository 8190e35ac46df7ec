package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.policy.splits.SplitOrder;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What generations were sent, claimed and are done with, as rows tell it to whoever takes over. */
class ClaimsTest {
    private static final Place PLACE = new Place("w1", "i1", "h1", List.of("tcp://h1:1"), false);
    private static final AttemptGraph READS = new AttemptGraph("", Optional.of(new CacheUse(1, "p1", false)));

    private final MapRows rows = new MapRows();
    private EpochLedger epoch = EpochLedger.open(rows, "job", 0, true);

    /** Attempt 0 has split 0 of ten records and split 1, which nobody has counted. */
    @BeforeEach
    void start() {
        epoch.start(PLACE, READS);
        SplitOrder order = new SplitOrder(2, 1, 0, false);
        epoch.takeNext(order, ordinal -> 0);
        epoch.takeNext(order, ordinal -> 0);
        epoch.assign(0, List.of(0L, 1L), ordinal -> ordinal == 0 ? OptionalLong.of(10) : OptionalLong.empty());
        again();
    }

    private void again() {
        epoch.save();
        epoch = EpochLedger.open(rows, "job", 0, true);
    }

    private Claims claims() {
        return epoch.claims();
    }

    private AttemptRow attempt() {
        return epoch.attempts().get(0);
    }

    private static Elements some(long ordinal, int first, int end) {
        return Elements.of(ByteBuffer.wrap(TicketRuns.encode(IntStream.range(first, end)
                .mapToLong(record -> Ticket.of(ordinal, record))
                .toArray())));
    }

    @Test
    void whatIsTakenOfEntriesIsCountedAsItIsClaimedOrDone() {
        assertThat(claims().claim(0, 0, some(0, 0, 3))).isEqualTo(3);
        again();
        assertThat(attempt().taken()).isEqualTo(3);
        assertThat(claims().consume(0, 0, some(0, 2, 6))).isEqualTo(4);
        again();

        assertThat(attempt().taken()).isEqualTo(6);
        assertThat(epoch.row().consumed()).isEqualTo(4);
        assertThat(claims().acknowledge(0, 0, some(0, 0, 5))).isEqualTo(2);
        again();
        assertThat(epoch.row().consumed()).isEqualTo(6);
    }

    // of a generation that takes nothing more what was sent is given again, else it is in doubt
    @Test
    void whatWasSentOnALaneThatIsClosedIsGivenAgainOrInDoubt() {
        assertThat(claims().laneClosed(0, 1, some(0, 0, 3), some(0, 8, 10), true, false))
                .isEqualTo(3);
        again();
        assertThat(attempt().closed()).isEmpty();
        assertThat(epoch.split(0).unassigned().toArray()).containsExactly(0, 1, 2, 8, 9);
        assertThat(epoch.returned(9)).containsExactly(0L);

        assertThat(claims().laneClosed(0, 2, some(0, 3, 5), Elements.NONE, false, true))
                .isZero();
        again();
        assertThat(attempt().closed()).containsExactly(2);
        assertThat(claims().holds(2)).isTrue();
        assertThat(claims().holds(1)).isFalse();
        assertThat(claims().clearDoubt(2)).isEqualTo(2);
        assertThat(claims().holds(2)).isFalse();
        again();
        assertThat(epoch.split(0).unassigned().toArray()).containsExactly(0, 1, 2, 3, 4, 8, 9);
    }

    // 3 of 10 are claimed; 7 more are owed, and those of a split that nobody counted
    @Test
    void whatIsInDoubtIsWhatIsHeldAndWhatIsOwed() {
        claims().claim(0, 5, some(0, 0, 3));
        assertThat(claims().inDoubt(List.of(5, 6), List.of())).isEqualTo(new Doubt(3, 0));
        assertThat(claims().inDoubt(List.of(5), List.of(0))).isEqualTo(new Doubt(10, 1));
        assertThat(claims().inDoubt(List.of(5), List.of(0))).hasToString("10 elements and those of 1 uncounted split");
        assertThat(claims().inDoubt(List.of(5), List.of())).hasToString("3 elements");
        assertThat(claims().unclaim(5)).isEqualTo(3);
        claims().forgetHeld();
        assertThat(claims().inDoubt(List.of(5), List.of())).isEqualTo(Doubt.NONE);
    }

    // 7 of the first split, and of the second, of which 2 are elsewhere, 4 of 6 once they are counted
    @Test
    void whatIsOwedAndGivenAgainIsOnRecordAlsoWhereItIsCountedLater() {
        claims().claim(0, 5, some(0, 0, 3));
        claims().claim(0, 5, some(1, 0, 2));
        again();
        claims().addOwedAsPossiblyTwice(0);
        again();
        assertThat(epoch.row().possiblyTwice()).isEqualTo(7);
        assertThat(epoch.row().possiblyTwiceSplits()).isEqualTo(1);

        claims().addPossiblyTwice(2);
        again();
        assertThat(epoch.row().possiblyTwice()).isEqualTo(9);
        assertThat(epoch.count(0, 1, 6)).isTrue();
        again();
        assertThat(epoch.row().possiblyTwice()).isEqualTo(13);
        assertThat(epoch.row().elements()).isEqualTo(16);
        assertThat(epoch.count(0, 1, 7)).isFalse();
        assertThat(epoch.count(0, 9, 7)).isTrue();
    }

    @Test
    void onlyAFencedAttemptIsAnswered() {
        claims().answer(0, 3);
        again();
        assertThat(attempt().answered()).isEmpty();
        epoch.fence(0, "lost", Instant.EPOCH);
        claims().answer(0, 3);
        claims().answer(9, 3);
        again();
        assertThat(attempt().answered()).containsExactly(3);
    }

    @Test
    void whatBecomesOfAnAttemptIsInItsRow() {
        claims().serve(0, List.of(1, 2));
        claims().handOver(0, 2);
        claims().handOver(9, 2);
        claims().consumeUntracked(0, 1, 4, 50);
        claims().consumeUntracked(9, 1, 4, 50);
        assertThat(epoch.fact(0, 1)).isTrue();
        assertThat(epoch.fact(0, 1)).isFalse();
        assertThat(epoch.fact(0, 3)).isFalse();
        epoch.taken(0, 1);
        again();

        assertThat(attempt().lanes()).containsExactly(1, 2);
        assertThat(attempt().handedOver()).containsExactly(2);
        assertThat(attempt().facts()).isEqualTo(1);
        assertThat(attempt().untaken()).isEmpty();
        assertThat(epoch.row().consumed()).isEqualTo(50);
    }

    @Test
    void whatWillNotComeIsCountedByItsReason() {
        assertThat(epoch.exclude(0, "filter", some(0, 0, 4))).isEqualTo(4);
        assertThat(epoch.exclude(0, "filter", some(0, 0, 5))).isEqualTo(1);
        again();
        epoch.excludeUntracked("bad", 3);
        again();

        assertThat(epoch.row().excluded())
                .containsEntry("filter", 5L)
                .containsEntry("bad", 3L)
                .hasSize(2);
        assertThat(epoch.split(0).excluded().toArray()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void whatChangedIsAskedForOnce() {
        assertThat(epoch.takeStirred()).containsExactly(0);
        assertThat(epoch.takeStirred()).isEmpty();
        int other = epoch.start(new Place("w1", "i2", "h1", List.of(), false));
        claims().serve(0, List.of(7));
        assertThat(epoch.takeStirred()).containsExactly(0, other);
        assertThat(epoch.attemptsAt(PLACE)).containsExactly(0);
        epoch.settle(0);
        assertThat(epoch.attemptsAt(PLACE)).isEmpty();
        assertThat(epoch.takeStirred()).isEmpty();
        again();
        assertThat(epoch.attempts()).containsOnlyKeys(other);
        assertThat(epoch.place(other).incarnation()).isEqualTo("i2");
    }

    // digests of 1, 2, 4 elements
    @Test
    void readingsAreHeldAgainstEachOther() {
        assertThat(epoch.digest(0, List.of(1L, 2L))).isTrue();
        again();
        assertThat(epoch.agrees(0, List.of(1L))).isTrue();
        assertThat(epoch.agrees(0, List.of(1L, 3L))).isFalse();
        assertThat(epoch.agrees(0, List.of(1L, 2L, 9L))).isTrue();
        assertThat(epoch.digest(0, List.of(1L, 3L))).isFalse();
        assertThat(epoch.digest(0, List.of(1L, 2L, 4L))).isTrue();
        again();
        assertThat(epoch.agrees(0, List.of(1L, 2L, 9L))).isFalse();
        assertThat(epoch.digest(8, List.of(5L))).isTrue();
        assertThat(epoch.agrees(8, List.of(5L))).isTrue();
    }

    @Test
    void doubtsAddUp() {
        assertThat(new Doubt(3, 1).plus(new Doubt(4, 2))).isEqualTo(new Doubt(7, 3));
        assertThat(new Doubt(1, 2)).hasToString("1 element and those of 2 uncounted splits");
    }
}
