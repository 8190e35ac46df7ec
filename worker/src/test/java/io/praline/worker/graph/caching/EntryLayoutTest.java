package io.praline.worker.graph.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.caching.EntryLayout.Field;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;

/** Where the components of an element lie in a record: programs of one number on one store must agree on it. */
class EntryLayoutTest {
    private static ElementComponent of(DataType type, Long... shape) {
        return new ElementComponent(type, true, List.of(shape));
    }

    // 3 float32 in 12 bytes, then 64 uint8 from 64 on, then a float64 from 128 on; the number of the element behind it
    @Test
    void thoseOfAFixedSizeLieFromMultiplesOf64On() {
        ElementComponent floats = of(DataType.DT_FLOAT, 3L);
        ElementComponent bytes = of(DataType.DT_UINT8, 8L, 8L);
        ElementComponent number = of(DataType.DT_DOUBLE);

        EntryLayout layout = EntryLayout.of(List.of(floats, bytes, number));

        assertThat(layout)
                .isEqualTo(new EntryLayout(
                        List.of(new Field(floats, 12, 0), new Field(bytes, 64, 64), new Field(number, 8, 128)), 192));
        assertThat(layout.varying()).isZero();
        assertThat(layout.headEnd()).isEqualTo(200);
    }

    // two lengths behind the element's number: 64 + 8 + 2 * 8
    @Test
    void theOthersLieBehindTheirLengths() {
        ElementComponent text = of(DataType.DT_STRING);
        ElementComponent number = of(DataType.DT_INT64);
        ElementComponent row = of(DataType.DT_INT64, -1L);

        EntryLayout layout = EntryLayout.of(List.of(text, number, row));

        assertThat(layout)
                .isEqualTo(new EntryLayout(
                        List.of(new Field(text, -1, 0), new Field(number, 8, 0), new Field(row, -1, 1)), 64));
        assertThat(layout.varying()).isEqualTo(2);
        assertThat(layout.headEnd()).isEqualTo(88);
        assertThat(layout.fields()).extracting(Field::fixed).containsExactly(false, true, false);
    }

    @Test
    void whatHasNoValuesTakesNoRoom() {
        ElementComponent none = of(DataType.DT_INT64, 0L, 5L);
        ElementComponent number = of(DataType.DT_INT64);

        assertThat(EntryLayout.of(List.of(none, number)))
                .isEqualTo(new EntryLayout(List.of(new Field(none, 0, 0), new Field(number, 8, 0)), 64));
        assertThat(EntryLayout.of(List.of())).isEqualTo(new EntryLayout(List.of(), 0));
    }

    // a GiB is what a proto may have
    @Test
    void moreThanAGibibyteIsNotOfAFixedSize() {
        ElementComponent most = of(DataType.DT_UINT8, 1L << 30);
        ElementComponent more = of(DataType.DT_UINT8, (1L << 30) + 1);
        ElementComponent overflowing = of(DataType.DT_INT64, 1L << 31, 1L << 31);
        ElementComponent number = of(DataType.DT_INT64);

        assertThat(EntryLayout.of(List.of(most)).fields()).containsExactly(new Field(most, 1 << 30, 0));
        assertThat(EntryLayout.of(List.of(more)).fields()).containsExactly(new Field(more, -1, 0));
        assertThat(EntryLayout.of(List.of(overflowing)).fields()).containsExactly(new Field(overflowing, -1, 0));
        assertThat(EntryLayout.of(List.of(number, most)).fields())
                .containsExactly(new Field(number, 8, 0), new Field(most, -1, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "DT_BOOL, 1, true",
        "DT_INT8, 1, true",
        "DT_UINT8, 1, true",
        "DT_HALF, 2, true",
        "DT_BFLOAT16, 2, true",
        "DT_UINT16, 2, true",
        "DT_FLOAT, 4, true",
        "DT_UINT32, 4, true",
        "DT_DOUBLE, 8, true",
        "DT_COMPLEX64, 8, true",
        "DT_COMPLEX128, 16, true",
        "DT_STRING, 0, true",
        "DT_QINT8, 0, false",
        "DT_VARIANT, 0, false",
    })
    void aTypeIsHeldByItsBytesOrByTensorFlowsOwn(DataType type, int width, boolean holds) {
        assertThat(EntryLayout.width(type)).isEqualTo(width);
        assertThat(EntryLayout.holds(type)).isEqualTo(holds);
    }

    @Test
    void anUnknownRankVaries() {
        ElementComponent any = new ElementComponent(DataType.DT_FLOAT, false, List.of());

        assertThat(EntryLayout.of(List.of(any)).fields()).containsExactly(new Field(any, -1, 0));
    }
}
