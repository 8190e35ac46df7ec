package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class SuspectRowTest {
    private final SuspectRow row = suspected();

    /** Open at three crashes, and at a fourth with its element 7 alone. */
    private static SuspectRow suspected() {
        SuspectRow row = new SuspectRow();
        for (int crash = 0; crash < SuspectRow.ALONE; crash++) {
            row.crashed(false, true);
        }
        return crashedAgain(row);
    }

    private static SuspectRow crashedAgain(SuspectRow before) {
        SuspectRow row = SuspectRow.decode(before.encode());
        row.reads(5, RoaringBitmap.bitmapOf(7));
        row.stopped();
        row.crashed(true, true);
        return row;
    }

    // whoever kills workers for reasons of his own hits one that reads a record alone sooner or later, and in a bad
    // minute twice
    @Test
    void twoCrashesWithAnElementAloneCondemnNothingAndItIsReadAgain() {
        for (SuspectRow each : List.of(row, crashedAgain(row))) {
            assertThat(each.condemned()).isEmpty();
            assertThat(each.next(RoaringBitmap.bitmapOf(7, 8, 9))).isEqualTo(RoaringBitmap.bitmapOf(7));
        }
    }

    @Test
    void theThirdCrashCondemnsItAlsoForWhoReadsTheRow() {
        SuspectRow read = crashedAgain(crashedAgain(row));

        assertThat(read.condemned()).hasValue(7);
        assertThat(SuspectRow.decode(read.encode()).condemned()).hasValue(7);
    }

    @Test
    void anElementThatComesThroughIsCleared() {
        row.reads(5, RoaringBitmap.bitmapOf(7));
        row.passed();
        row.reads(6, RoaringBitmap.bitmapOf(8));
        row.stopped();
        row.crashed(true, true);

        assertThat(row.condemned()).isEmpty();
        assertThat(row.next(RoaringBitmap.bitmapOf(7, 8, 9))).isEqualTo(RoaringBitmap.bitmapOf(8));
    }
}
