package io.praline.worker.graph.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;

/** What is made of a record, and of the first ticket of its split: each component of the element, and its own ticket. */
class EntryReadingTest {
    private static String read(String... components) {
        List<ElementComponent> element =
                new ArrayList<>(Stream.of(components).map(Written::component).toList());
        EntryLayout layout = EntryLayout.of(element);
        element.add(Written.component("int64"));
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .addInputArg(Protos.arg("record", DataType.DT_STRING))
                .addInputArg(Protos.arg("base", DataType.DT_INT64));
        return FunctionText.shown(new EntryReading(function, layout).of(element).build(), List.of("record", "base"));
    }

    private static String bytes(String head, int from, int length) {
        return "Slice(DecodeRaw<uint8>(" + head + "), [" + from + "], [" + length + "])";
    }

    /** The number in a place behind the head's fields. */
    private static String number(String numbers, int place) {
        return "Reshape(Slice(" + numbers + ", [" + place + "], [1]), [])";
    }

    private static String longs(String bytes, int count) {
        return "Bitcast(Reshape(" + bytes + ", [" + count + ",8]))";
    }

    // 3 float32 in 12 bytes; the number of the element from 64 on
    @Test
    void valuesOfAFixedSizeAreCutOutOfTheRecord() {
        String numbers = longs(bytes("record", 64, 8), 1);
        assertThat(read("float32[3]"))
                .isEqualTo("Reshape(Bitcast(Reshape(" + bytes("record", 0, 12) + ", [3,4])), [3]), AddV2(base, "
                        + number(numbers, 0) + ")");
        assertThat(read("uint8[2,2]"))
                .isEqualTo("Reshape(" + bytes("record", 0, 4) + ", [2,2]), AddV2(base, " + number(numbers, 0) + ")");
        assertThat(read("bool[2]"))
                .isEqualTo("Reshape(Cast<bool>(" + bytes("record", 0, 2) + "), [2]), AddV2(base, " + number(numbers, 0)
                        + ")");
    }

    // the number of the element and the lengths of both in 24 bytes; the first lies behind these, the second behind it
    @Test
    void theOthersLieOneBehindTheOther() {
        String head = "Substr<unit=BYTE>(record, 0, 24)";
        String numbers = longs(bytes(head, 0, 24), 3);
        String first = number(numbers, 1);
        assertThat(read("string", "int64[-1]"))
                .isEqualTo("ParseTensor<string>(Substr<unit=BYTE>(record, 24, " + first + ")), "
                        + "ParseTensor<int64>(Substr<unit=BYTE>(record, AddV2(24, " + first + "), " + number(numbers, 2)
                        + ")), AddV2(base, " + number(numbers, 0) + ")");
    }
}
