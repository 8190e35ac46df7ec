package io.praline.dispatcher.ledger.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.MapRows;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Fields as bytes and back, at the bounds of what they hold, and keys. */
class RowFieldsTest {
    private final RowWriter out = new RowWriter();

    private RowReader in() {
        return new RowReader(out.bytes());
    }

    @Test
    void numbersTakeABytePerSevenBits() {
        for (long number : new long[] {0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, Long.MAX_VALUE}) {
            byte[] row = new RowWriter().number(number).bytes();
            int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(number));
            assertThat(row).hasSize((bits + 6) / 7);
            assertThat(new RowReader(row).number()).isEqualTo(number);
        }
    }

    @Test
    void numbersOfEitherSignAreShortWhereTheyAreSmall() {
        for (long number : new long[] {0, -1, 1, 63, -64, Long.MAX_VALUE, Long.MIN_VALUE}) {
            byte[] row = new RowWriter().signed(number).bytes();
            assertThat(row).hasSize(number >= -64 && number < 64 ? 1 : 10);
            assertThat(new RowReader(row).signed()).isEqualTo(number);
        }
    }

    @Test
    void realsKeepEachBit() {
        for (double real : new double[] {0, -0.0, 1.5, Math.PI, Double.MIN_VALUE, Double.POSITIVE_INFINITY}) {
            assertThat(new RowReader(new RowWriter().real(real).bytes()).real()).isEqualTo(real);
        }
    }

    @Test
    void whatCannotBeReadThrows() {
        assertThatThrownBy(() -> out.number(-1)).hasMessage("a row's number must not be negative, is -1");
        byte[] endless = new byte[11];
        Arrays.fill(endless, (byte) 0x80);
        assertThatThrownBy(() -> new RowReader(endless).number()).hasMessage("a number in a row has more than 64 bits");
        assertThatThrownBy(() -> new RowReader(new byte[] {3, 'a', 'b'}).text())
                .hasMessage("a row tells of 3 bytes behind it and has 2");
        byte[] negative = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
        assertThatThrownBy(() -> new RowReader(negative).length())
                .hasMessage("a row tells of -1 bytes behind it and has 0");
    }

    @Test
    void textsAndFlagsAndBitmapsFollowEachOther() {
        RoaringBitmap some = RoaringBitmap.bitmapOf(1, 5, 70_000);
        out.text("")
                .text("\u00fcber")
                .flag(true)
                .flag(false)
                .texts(List.of("a", "bc"))
                .texts(List.of());
        out.bitmap(new RoaringBitmap()).bitmap(some).number(9);

        RowReader in = in();
        assertThat(in.text()).isEmpty();
        assertThat(in.text()).isEqualTo("\u00fcber");
        assertThat(in.flag()).isTrue();
        assertThat(in.flag()).isFalse();
        assertThat(in.texts()).containsExactly("a", "bc");
        assertThat(in.texts()).isEmpty();
        assertThat(in.bitmap()).isEqualTo(new RoaringBitmap());
        assertThat(in.bitmap()).isEqualTo(some);
        assertThat(in.hasMore()).isTrue();
        assertThat(in.number()).isEqualTo(9);
        assertThat(in.hasMore()).isFalse();
    }

    // a run of a million elements: a few bytes in place of 125,000
    @Test
    void runsOfABitmapAreShort() {
        RoaringBitmap run = new RoaringBitmap();
        run.add(0L, 1L << 20);

        assertThat(out.bitmap(run).bytes()).hasSizeLessThan(300);
        assertThat(in().bitmap()).isEqualTo(run);
        assertThat(new RowWriter().bitmap(new RoaringBitmap()).bytes()).containsExactly(0);
    }

    @Test
    void aBitmapThatIsNoneThrows() {
        assertThatThrownBy(() -> new RowReader(new byte[] {4, 1, 2, 3, 4}).bitmap())
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void aReaderGoesOnWhereItIsTold() {
        out.raw("abcd".getBytes(StandardCharsets.UTF_8), 1).number(5);
        RowReader in = in();
        byte[] into = new byte[5];
        in.raw(into, 2, 3);

        assertThat(into).containsExactly(0, 0, 'b', 'c', 'd');
        assertThat(in.at()).isEqualTo(3);
        in.go(1);
        assertThat(in.at()).isEqualTo(1);
        in.go(3);
        assertThat(in.small()).isEqualTo(5);
    }

    @Test
    void aPlaceReadsBack() {
        Place place = new Place("w1", "i1", "h1", List.of("tcp://h1:1", "unix:/x"), true);

        assertThat(Place.decode(place.encode())).isEqualTo(place);
    }

    @Test
    void keysTellWhatTheyWereMadeOf() {
        byte[] one = RowKey.of(RowKey.JOB, "job");
        byte[] two = RowKey.of(RowKey.WORKER, "pool", "w1");
        byte[] numbers = RowKey.of(RowKey.ATTEMPT, "job", 3, 70_000);

        assertThat(RowKey.name(one)).isEqualTo("job");
        assertThat(RowKey.owner(one)).isEqualTo("job");
        assertThat(RowKey.owner(two)).isEqualTo("pool");
        assertThat(RowKey.names(two)).containsExactly("pool", "w1");
        assertThat(RowKey.owner(numbers)).isEqualTo("job");
        assertThat(RowKey.lastNumber(numbers)).isEqualTo(70_000);
        assertThat(RowKey.lastNumber(RowKey.of(RowKey.EPOCH, "job", 4))).isEqualTo(4);
        assertThat(RowKey.alone(RowKey.CLOCK)).containsExactly('l');
        assertThat(Arrays.copyOf(numbers, 5)).isEqualTo(RowKey.under(RowKey.ATTEMPT, "job"));
        assertThat(Arrays.copyOf(numbers, 9)).isEqualTo(RowKey.of(RowKey.ATTEMPT, "job", 3));
    }

    // the most is half of the largest number
    @Test
    void sumsStayWhereTheyAreTheMostThatARowHolds() {
        long most = Long.MAX_VALUE / 2;

        assertThat(Sums.plus(2, 3)).isEqualTo(5);
        assertThat(Sums.plus(most - 1, 5)).isEqualTo(most);
        assertThat(Sums.plus(most - 5, 4)).isEqualTo(most - 1);
        assertThat(Sums.plus(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(most);
    }

    @Test
    void theFirstRowThatIsLargerThanItMayBeIsTold() {
        BufferedRows rows = new BufferedRows(new MapRows());
        IntStream.range(0, 3).forEach(each -> rows.put(RowKey.of(RowKey.JOB, "j" + each), new byte[10 * each]));
        rows.delete(RowKey.of(RowKey.JOB, "j9"));

        assertThat(rows.largerThan(20)).isEmpty();
        assertThat(rows.largerThan(19)).contains(new BufferedRows.Large("j2", 20));
        assertThat(rows.largerThan(5)).contains(new BufferedRows.Large("j1", 10));
    }
}
