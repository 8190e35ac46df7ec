package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.epoch.SuspectRow.Crash;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class SuspectRowTest {
    private static final Instant AT = Instant.ofEpochSecond(1_000_000);
    private final SuspectRow row = suspected();

    /** Open at three crashes, and at a fourth with its element 7 alone. */
    private static SuspectRow suspected() {
        SuspectRow row = new SuspectRow();
        for (int crash = 0; crash < SuspectRow.ALONE; crash++) {
            row.crashed(new Crash(false, true, 0, AT));
        }
        return crashedAgain(row);
    }

    private static SuspectRow crashedAgain(SuspectRow before) {
        SuspectRow row = SuspectRow.decode(before.encode());
        row.reads(5, RoaringBitmap.bitmapOf(7));
        row.stopped();
        row.crashed(new Crash(true, true, 0, AT));
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
        row.crashed(new Crash(true, true, 0, AT));

        assertThat(row.condemned()).isEmpty();
        assertThat(row.next(RoaringBitmap.bitmapOf(7, 8, 9))).isEqualTo(RoaringBitmap.bitmapOf(8));
    }

    private static SuspectRow crashed(SuspectRow before, long moved, long minute) {
        SuspectRow row = SuspectRow.decode(before.encode());
        row.crashed(new Crash(false, false, moved, AT.plusSeconds(60 * minute)));
        return row;
    }

    // a worker is lost every twenty minutes, for a week: no more than three an hour
    @Test
    void crashesNowAndThenAreNotAddedUpWhereTheEpochGetsOn() {
        SuspectRow often = new SuspectRow();
        for (int crash = 0; crash < 7 * 24 * 3; crash++) {
            often = crashed(often, crash, 20L * crash);
        }
        assertThat(often.crashes()).isEqualTo(3);
    }

    // whoever gets to what crashes him only after two hours crashes there each time
    @Test
    void timeInWhichNothingMovedIsNoPartOfTheHour() {
        SuspectRow slow = new SuspectRow();
        for (int crash = 0; crash < 6; crash++) {
            slow = crashed(slow, 5, 120L * crash);
        }
        assertThat(slow.crashes()).isEqualTo(6);
        assertThat(crashed(slow, 6, 120 * 5 + 59).crashes()).isEqualTo(7);
        assertThat(crashed(slow, 6, 120 * 5 + 60).crashes()).isOne();
    }

    @Test
    void whatIsReadAloneStaysSo() {
        row.crashed(new Crash(false, true, 1, AT.plusSeconds(100_000)));

        assertThat(row.crashes()).isOne();
        assertThat(row.alone()).isTrue();
    }

    // two crashes, not alone, nothing suspicious, condemned, read or cleared, nobody reads it, no crash of one
    @Test
    void aRowOfAnOlderDispatcherDoesNotTellWhenItsCrashesWere() {
        SuspectRow older = SuspectRow.decode(new RowWriter()
                .number(2)
                .flag(false)
                .number(0)
                .flag(false)
                .number(0)
                .bitmap(new RoaringBitmap())
                .bitmap(new RoaringBitmap())
                .number(0)
                .bytes());

        assertThat(older.crashes()).isEqualTo(2);
        assertThat(crashed(older, 3, 2).crashes()).isOne();
    }
}
