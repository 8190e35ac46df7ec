package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.epoch.AttemptRow.End;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.policy.splits.SplitOrder;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Splits that are read alone since workers crashed that had them open, and epochs that are open. */
class LoneSplitsTest {
    private static final Place PLACE = new Place("w1", "i1", "h1", List.of("tcp://h1:1"), false);

    private final MapRows rows = new MapRows();
    private EpochLedger epoch = EpochLedger.open(rows, "job", 0, true);

    /** Attempt 0 has two splits of ten records, and three workers crash that have split 0 open. */
    @BeforeEach
    void crashThrice() {
        epoch.start(PLACE);
        SplitOrder order = new SplitOrder(2, 1, 0, false);
        epoch.takeNext(order, ordinal -> 0);
        epoch.takeNext(order, ordinal -> 0);
        epoch.assign(0, List.of(0L, 1L), ordinal -> OptionalLong.of(10));
        assertThat(IntStream.range(0, 3).mapToObj(crash -> epoch.loneSplits()
                        .crashed(0, new SuspectRow.Crash(false, true, 0, Instant.EPOCH))
                        .orElseThrow()))
                .containsExactly(1, 2, 3);
    }

    private void again() {
        epoch.save();
        epoch = EpochLedger.open(rows, "job", 0, true);
    }

    private LoneSplits lone() {
        return epoch.loneSplits();
    }

    /** What an attempt is to read of split 0, of which it has its first assignment. */
    private RoaringBitmap reads(int attempt) {
        RoaringBitmap reads = new RoaringBitmap();
        reads.add(0L, 10L);
        reads.andNot(epoch.skip(attempt, 1, 0));
        return reads;
    }

    private static RoaringBitmap from(long first, long end) {
        RoaringBitmap some = new RoaringBitmap();
        some.add(first, end);
        return some;
    }

    @Test
    void itIsNotAssignedAsOthersAre() {
        assertThat(lone().alone()).containsExactly(0L);
        assertThat(lone().any()).isTrue();
        assertThat(lone().isRead(0)).isTrue();
        assertThat(lone().readBeside(0)).containsExactly(0);
        assertThat(lone().readsAlone(0)).isFalse();
        assertThat(epoch.settle(0)).isEqualTo(2);
        again();

        assertThat(lone().alone()).containsExactly(0L);
        assertThat(lone().isRead(0)).isFalse();
        assertThat(lone().lonely()).isEmpty();
        assertThat(lone().counted(0)).isTrue();
        assertThat(lone().hasMoreAlone(0)).isTrue();
        assertThat(epoch.returned(9)).containsExactly(1L);
        assertThat(epoch.returnedSplits()).isEqualTo(1);
        assertThat(epoch.isReturned(0)).isFalse();
        assertThat(epoch.isReturned(1)).isTrue();
        assertThat(lone().crashed(7, new SuspectRow.Crash(false, true, 0, Instant.EPOCH)))
                .isEmpty();
    }

    // all ten, and when that crashes too the first five
    @Test
    void whoReadsItAloneHasAllOfItAndTheNextOneHalf() {
        epoch.settle(0);
        int first = epoch.start(PLACE);
        assertThat(lone().assignAlone(first, 0)).isEqualTo(1);
        assertThat(lone().lonely()).hasValue(first);
        assertThat(lone().readsAlone(first)).isTrue();
        assertThat(lone().readBeside(0)).isEmpty();
        assertThat(reads(first)).isEqualTo(from(0, 10));
        assertThat(lone().crashed(0, new SuspectRow.Crash(true, true, 0, Instant.EPOCH)))
                .hasValue(4);
        epoch.settle(first);
        assertThat(lone().lonely()).isEmpty();
        again();

        int second = epoch.start(PLACE);
        lone().assignAlone(second, 0);
        assertThat(reads(second)).isEqualTo(from(0, 5));
        assertThat(lone().condemned(0)).isEmpty();
    }

    // the first five came through, and each of them is consumed: the others are suspicious
    @Test
    void whatComesThroughIsNotReadAloneAgain() {
        epoch.settle(0);
        int first = epoch.start(PLACE);
        lone().assignAlone(first, 0);
        lone().crashed(0, new SuspectRow.Crash(true, true, 0, Instant.EPOCH));
        epoch.settle(first);
        int second = epoch.start(PLACE);
        lone().assignAlone(second, 0);
        long[] tickets =
                IntStream.range(0, 5).mapToLong(record -> Ticket.of(0, record)).toArray();
        epoch.claims().consume(second, 0, Elements.of(ByteBuffer.wrap(TicketRuns.encode(tickets))));
        assertThat(epoch.end(second, new End(new TreeMap<>(Map.of(0, 0L)), 5), Elements.NONE))
                .isTrue();
        assertThat(epoch.done(second)).isTrue();
        assertThat(epoch.close(second)).isZero();

        int third = epoch.start(PLACE);
        lone().assignAlone(third, 0);
        assertThat(reads(third)).isEqualTo(from(5, 8));
    }

    @Test
    void whatIsLeftOutIsCountedOnceAndTheRestIsAssignedAsOthersAre() {
        epoch.settle(0);
        assertThat(lone().leaveOut(0, 7, "bad")).isTrue();
        assertThat(lone().leaveOut(0, 7, "bad")).isFalse();
        assertThat(epoch.row().excluded()).isEqualTo(Map.of("bad", 1L));
        lone().release(0);
        again();

        assertThat(lone().any()).isFalse();
        assertThat(epoch.returned(9)).containsExactly(0L, 1L);
        int next = epoch.start(PLACE);
        epoch.assign(next, List.of(0L), ordinal -> OptionalLong.empty());
        assertThat(reads(next)).isEqualTo(RoaringBitmap.bitmapOf(0, 1, 2, 3, 4, 5, 6, 8, 9));
    }

    @Test
    void itIsClosedWhereNothingButWhatIsLeftOutWasLeft() {
        epoch.settle(0);
        for (int element = 0; element < 10; element++) {
            assertThat(lone().hasMoreAlone(0)).isTrue();
            lone().leaveOut(0, element, "bad");
            again();
        }

        assertThat(epoch.closed(0)).isTrue();
        assertThat(epoch.closed(1)).isFalse();
        assertThat(epoch.row().closedSplits()).isEqualTo(1);
        assertThat(lone().any()).isFalse();
        assertThat(epoch.firstOpen().orElseThrow().getKey()).isEqualTo(1);
    }

    @Test
    void anEpochIsOpenUntilItIsCompleteAndItsLastAttemptIsClosed() {
        JobEpochs epochs = new JobEpochs(new TreeMap<>(Map.of(0, epoch)));
        EpochLedger next = EpochLedger.open(rows, "job", 1, true);
        epochs.begin(next);
        assertThat(epochs.open()).containsExactly(epoch, next);
        epochs.save();
        assertThat(epochs.open()).containsExactly(epoch, next);

        epoch.setComplete();
        epochs.save();
        assertThat(epochs.open()).containsExactly(epoch, next);
        epoch.settle(0);
        assertThat(epochs.open()).containsExactly(epoch, next);
        epochs.save();
        assertThat(epochs.open()).containsExactly(next);
        assertThat(epochs.all()).containsOnlyKeys(0, 1);
        assertThat(EpochLedger.open(rows, "job", 0, true).row().complete()).isTrue();
    }

    @Test
    void ofAnEndedJobOnlyCountsAreLeft() {
        JobEpochs epochs = new JobEpochs(new TreeMap<>(Map.of(0, epoch)));
        EpochLedger counts = EpochLedger.open(new MapRows(), "job", 0, true);
        epochs.end(number -> counts);
        assertThat(epochs.open()).isEmpty();
        assertThat(epochs.all()).isEqualTo(Map.of(0, counts));

        epochs.begin(EpochLedger.open(rows, "job", 1, true));
        assertThat(epochs.open()).hasSize(1);
    }

    @Test
    void elementsMayComeBackFromOthersAsLongAsTheyHaveNotEnded() {
        assertThat(epoch.unsettled()).isTrue();
        assertThat(epoch.unsettledBeside(0)).isFalse();
        assertThat(epoch.unsettledBeside(5)).isTrue();
        int other = epoch.start(PLACE);
        assertThat(epoch.unsettledBeside(0)).isTrue();
        epoch.end(other, new End(new TreeMap<>(), 0), Elements.NONE);
        assertThat(epoch.unsettledBeside(0)).isFalse();
        assertThat(epoch.unsettledBeside(other)).isTrue();
        epoch.fence(0, "lost", Instant.EPOCH);
        assertThat(epoch.unsettled()).isTrue();
        epoch.settle(0);
        assertThat(epoch.unsettled()).isFalse();
        assertThat(epoch.unsettledBeside(other)).isFalse();
    }
}
