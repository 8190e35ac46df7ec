package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Where elements of one split are, also of one whose records nobody has counted. */
class SplitRowTest {
    private final SplitRow uncounted = SplitRow.unassigned(OptionalLong.empty());
    private final SplitRow ten = SplitRow.unassigned(OptionalLong.of(10));

    private static RoaringBitmap of(int... elements) {
        return RoaringBitmap.bitmapOf(elements);
    }

    private static RoaringBitmap from(long first, long end) {
        RoaringBitmap some = new RoaringBitmap();
        some.add(first, end);
        return some;
    }

    private static SplitRow readBack(SplitRow row) {
        return SplitRow.decode(row.encode());
    }

    @Test
    void aCountThatLiesBeforeWhatWasSeenIsNone() {
        uncounted.assign(1);
        uncounted.claim(1, 0, of(4));

        assertThat(uncounted.count(4)).isFalse();
        assertThat(uncounted.records()).isEmpty();
        assertThat(uncounted.count(5)).isTrue();
        assertThat(uncounted.count(5)).isTrue();
        assertThat(uncounted.count(6)).isFalse();
        assertThat(uncounted.records()).hasValue(5);
    }

    @Test
    void aSplitWithoutRecordsIsClosedOnceThatIsKnown() {
        uncounted.assign(1);
        assertThat(uncounted.closed()).isFalse();
        assertThat(uncounted.count(0)).isTrue();

        assertThat(uncounted.closed()).isTrue();
        assertThat(uncounted.owes(1)).isFalse();
    }

    @Test
    void readingsAgreeAsFarAsBothCame() {
        assertThat(ten.digest(List.of(1L, 2L))).isTrue();
        assertThat(ten.digest(List.of(1L))).isTrue();
        assertThat(ten.digests()).containsExactly(1L, 2L);
        assertThat(ten.digest(List.of(1L, 2L, 3L))).isTrue();
        assertThat(ten.digests()).containsExactly(1L, 2L, 3L);
        assertThat(ten.digest(List.of(1L, 9L, 3L, 4L))).isFalse();
        assertThat(ten.digests()).containsExactly(1L, 2L, 3L);
        assertThat(readBack(ten).digests()).containsExactly(1L, 2L, 3L);
    }

    // 1 reads all; 3 and 4 come back and go to 2; what of them comes back again goes to 1, which has the rest
    @Test
    void whatComesBackGoesToAnotherWhileTheRestStays() {
        ten.assign(1);
        assertThat(ten.hasUnassigned()).isFalse();
        assertThat(ten.giveBack(1, of(3, 4))).isEqualTo(2);
        assertThat(ten.hasUnassigned()).isTrue();
        assertThat(ten.unassigned()).isEqualTo(of(3, 4));

        ten.assign(2);
        assertThat(ten.hasUnassigned()).isFalse();
        assertThat(ten.owed(2)).isEqualTo(of(3, 4));
        assertThat(ten.owed(1)).isEqualTo(of(0, 1, 2, 5, 6, 7, 8, 9));
        assertThat(ten.owers()).containsExactly(1, 2);
        assertThat(ten.owing()).hasValue(1);
        assertThat(ten.skip(2)).isEqualTo(of(0, 1, 2, 5, 6, 7, 8, 9));
        assertThat(ten.skip(1)).isEqualTo(of(3, 4));

        assertThat(ten.giveBackAll(2)).isTrue();
        assertThat(ten.giveBackAll(2)).isFalse();
        assertThat(ten.unassigned()).isEqualTo(of(3, 4));
        ten.assign(1);
        assertThat(ten.owed(1)).isEqualTo(from(0, 10));
        assertThat(ten.hasUnassigned()).isFalse();
    }

    @Test
    void whoHasTheRestAndLeavesGivesBackAllThatNobodyElseHas() {
        ten.assign(1);
        ten.giveBack(1, of(3));
        ten.assign(2);
        ten.claim(1, 0, of(0));
        assertThat(ten.giveBackAll(1)).isTrue();

        assertThat(ten.restWith()).isEmpty();
        assertThat(ten.unassigned()).isEqualTo(of(1, 2, 4, 5, 6, 7, 8, 9));
        assertThat(ten.giveBack(2, of(3, 5))).isEqualTo(1);
        assertThat(ten.unassigned()).isEqualTo(of(1, 2, 3, 4, 5, 6, 7, 8, 9));
        assertThat(ten.owing()).isEmpty();
        ten.assign(2);
        assertThat(ten.restWith()).hasValue(2);
        assertThat(ten.owed(2)).isEqualTo(from(1, 10));
    }

    // the rest holds no element behind the last one
    @Test
    void elementsBehindTheLastAreNobodys() {
        ten.assign(1);

        assertThat(ten.claim(1, 0, of(9, 10, 11))).isEqualTo(1);
        assertThat(ten.claimed(0)).isEqualTo(of(9));
        assertThat(ten.claim(2, 0, of(1))).isZero();
    }

    @Test
    void whatIsInDoubtIsClaimedBySoonestWord() {
        ten.assign(1);
        assertThat(ten.doubt(1, 7, of(1, 2))).isEqualTo(2);
        assertThat(ten.held()).containsOnlyKeys(SplitRow.doubtOf(7)).containsValue(2);
        assertThat(SplitRow.generationOf(SplitRow.doubtOf(7))).isEqualTo(7);
        assertThat(SplitRow.generationOf(7)).isEqualTo(7);
        assertThat(ten.acknowledge(7, of(1))).isZero();

        assertThat(ten.claim(1, 7, of(1, 5))).isEqualTo(2);
        assertThat(ten.claimed(7)).isEqualTo(of(1, 5));
        assertThat(ten.claimed(SplitRow.doubtOf(7))).isEqualTo(of(2));
        assertThat(ten.claiming()).hasValue(7);
        assertThat(ten.acknowledge(7, of(1, 2))).isEqualTo(1);
        assertThat(ten.consumed()).isEqualTo(of(1));
        assertThat(ten.unclaim(SplitRow.doubtOf(7))).isEqualTo(1);
        assertThat(ten.unassigned()).isEqualTo(of(2));
        assertThat(ten.unclaim(7)).isEqualTo(1);
        assertThat(ten.claiming()).isEmpty();
        assertThat(ten.unassigned()).isEqualTo(of(2, 5));
    }

    @Test
    void itIsClosedWhenEachElementIsConsumedOrExcluded() {
        ten.assign(1);
        ten.claim(1, 0, from(0, 6));
        ten.acknowledge(0, from(0, 6));
        assertThat(ten.exclude(1, from(5, 9))).isEqualTo(3);
        assertThat(ten.closed()).isFalse();
        assertThat(ten.excluded()).isEqualTo(from(6, 9));
        assertThat(ten.owes(1)).isTrue();

        assertThat(ten.exclude(1, of(9))).isEqualTo(1);
        assertThat(ten.closed()).isTrue();
        assertThat(ten.owes(1)).isFalse();
        assertThat(ten.owers()).isEmpty();
        assertThat(ten.hasUnassigned()).isFalse();
    }

    @Test
    void someOfASplitIsAssignedAndSomeLeftOut() {
        ten.assignSome(1, from(2, 5));
        assertThat(ten.owed(1)).isEqualTo(from(2, 5));
        assertThat(ten.excludeUnassigned(from(4, 7))).isEqualTo(2);
        assertThat(ten.unassigned()).isEqualTo(of(0, 1, 7, 8, 9));
        assertThat(ten.skipAllButUnassigned()).isEqualTo(from(2, 7));

        ten.assign(2);
        ten.giveBack(2, of(8, 9));
        ten.assignSome(1, of(8, 0));
        assertThat(ten.owed(1)).isEqualTo(of(2, 3, 4, 8));
        assertThat(ten.excludeUnassigned(of(9, 0))).isEqualTo(1);
        assertThat(ten.hasUnassigned()).isFalse();
    }

    @Test
    void ofASplitThatNobodyCountedTheRestIsWithOneAttempt() {
        assertThat(uncounted.hasUnassigned()).isTrue();
        uncounted.assign(1);
        uncounted.claim(1, 0, of(3));
        assertThat(uncounted.owes(1)).isTrue();
        assertThat(uncounted.skip(1)).isEqualTo(of(3));
        assertThat(uncounted.namedElements()).isEqualTo(1);
        assertThatThrownBy(() -> uncounted.skip(2))
                .hasMessage("a split was cut in parts before its records were counted");
        assertThatThrownBy(() -> uncounted.owed(1)).hasMessage("its records are not counted yet");
        assertThatThrownBy(uncounted::skipAllButUnassigned).hasMessage("its records are not counted yet");

        uncounted.giveBackAll(1);
        assertThat(uncounted.hasUnassigned()).isTrue();
        assertThat(uncounted.restWith()).isEmpty();
    }

    // elements 0, 2, 4 and so on up to 60,000 are elsewhere: 30,000 of them take 8 KiB; what is left skips as much
    @Test
    void whatIsToBeSkippedIsAsLargeAsItIsTold() {
        SplitRow large = SplitRow.unassigned(OptionalLong.of(60_000));
        RoaringBitmap even = new RoaringBitmap();
        for (int element = 0; element < 60_000; element += 2) {
            even.add(element);
        }
        large.assign(1);
        assertThat(large.skipBytes(2)).isLessThan(100);
        large.claim(1, 0, even);
        assertThat(large.skipBytes(2)).isLessThan(100);
        large.giveBackAll(1);
        assertThat(large.skipBytes(2)).isBetween(8_000, 9_000);

        large.assignSome(2, from(1, 2));
        assertThat(large.skipBytes(2)).isBetween(8_000, 9_000);
        large.assign(3);
        large.giveBack(3, from(1, 60_000));
        assertThat(large.skipBytes(2)).isBetween(8_000, 9_000);
    }

    @Test
    void aRowReadsBack() {
        ten.assign(3);
        ten.giveBack(3, of(1, 2));
        ten.assignSome(4, of(1));
        ten.claim(3, 0, of(5, 6));
        ten.doubt(3, 1, of(7));
        ten.acknowledge(0, of(6));
        ten.exclude(3, of(8));
        SplitRow read = readBack(ten);

        assertThat(read.encode()).isEqualTo(ten.encode());
        assertThat(read.records()).hasValue(10);
        assertThat(read.restWith()).hasValue(3);
        assertThat(read.unassigned()).isEqualTo(of(2));
        assertThat(read.owed(4)).isEqualTo(of(1));
        assertThat(read.owed(3)).isEqualTo(of(0, 3, 4, 9));
        assertThat(read.claimed(0)).isEqualTo(of(5));
        assertThat(read.claimed(SplitRow.doubtOf(1))).isEqualTo(of(7));
        assertThat(read.consumed()).isEqualTo(of(6));
        assertThat(read.excluded()).isEqualTo(of(8));
    }

    // each place alone must make the row a long one
    @Test
    void aRowReadsBackWhereOnlyOnePlaceHoldsElements() {
        SplitRow owed = SplitRow.unassigned(OptionalLong.of(3));
        owed.assignSome(1, of(0));
        assertThat(readBack(owed).owed(1)).isEqualTo(of(0));

        SplitRow unassigned = SplitRow.unassigned(OptionalLong.of(3));
        unassigned.assign(1);
        unassigned.giveBack(1, of(2));
        assertThat(readBack(unassigned).unassigned()).isEqualTo(of(2));

        SplitRow claimed = SplitRow.unassigned(OptionalLong.of(3));
        claimed.assign(0);
        claimed.claim(0, 5, of(1));
        assertThat(readBack(claimed).claimed(5)).isEqualTo(of(1));
        assertThat(readBack(claimed).restWith()).hasValue(0);

        SplitRow excluded = SplitRow.unassigned(OptionalLong.of(0));
        excluded.digest(List.of(4L));
        assertThat(readBack(excluded).digests()).containsExactly(4L);
        assertThat(readBack(excluded).records()).hasValue(0);
        assertThat(readBack(uncounted).records()).isEmpty();
        assertThat(readBack(uncounted).restWith()).isEmpty();
    }
}
