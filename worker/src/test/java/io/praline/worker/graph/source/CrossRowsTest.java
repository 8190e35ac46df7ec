package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Functions of a batch of vectors {@code x}: does a row of what they make hold something of other rows? */
class CrossRowsTest {
    private static final ElementComponent VECTORS = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, 3L));

    private static boolean mixed(String returned, NodeDef.Builder... nodes) {
        return mixed(VECTORS, returned, nodes);
    }

    private static boolean mixed(ElementComponent batch, String returned, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .addInputArg(Protos.arg("x", batch.dtype()))
                .addInputArg(Protos.arg("captured", DataType.DT_INT64))
                .addOutputArg(Protos.arg("y", DataType.DT_INT64));
        function.addNodeDef(Protos.constant("first", Protos.int32s(0)))
                .addNodeDef(Protos.constant("second", Protos.int32s(1)))
                .addNodeDef(Protos.constant("both", Protos.int64s(List.of(0L, 1L))))
                .addNodeDef(Protos.constant("last", Protos.int32(-1)))
                .addNodeDef(Protos.constant("last_but_one", Protos.int32(-2)));
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        return CrossRows.in(function.putRet("y", returned).build(), List.of(batch));
    }

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Sum", "Mean", "Max", "Min", "Prod", "Any", "All", "ArgMax", "Cumsum", "Cumprod", "UniqueV2"})
    void whatGoesAlongTheRowsMixesThem(String op) {
        NodeDef.Builder made = node("made", op, "x", "first:output:0");
        assertThat(mixed("less:z:0", made, node("less", "Sub", "x", "made:output:0")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unique", "UniqueWithCounts"})
    void whatIsLeftOfRepeatedOnesHangsOnAll(String op) {
        assertThat(mixed("made:y:0", node("made", op, "x"))).isTrue();
    }

    @Test
    void theNumberOfARowIsItsPlaceAmongThem() {
        NodeDef.Builder[] numbers = {
            node("shape", "Shape", "x"),
            node("size", "StridedSlice", "shape:output:0", "first:output:0", "second:output:0", "second:output:0"),
            node("numbers", "Range", "last:output:0", "size:output:0", "second:output:0")
        };
        assertThat(mixed("numbers:output:0", numbers)).isTrue();
        assertThat(mixed("size:output:0", numbers[0], numbers[1])).isFalse();
        // as tf.vectorized_map takes each
        assertThat(mixed(
                        "row:output:0",
                        numbers[0],
                        numbers[1],
                        numbers[2],
                        node("row", "GatherV2", "x", "numbers:output:0", "first:output:0")))
                .isFalse();
        assertThat(mixed(
                        "mixed:output:0",
                        numbers[0],
                        numbers[1],
                        numbers[2],
                        node("mixed", "RandomShuffle", "numbers:output:0")))
                .isFalse();
        assertThat(mixed("numbers:output:0", node("numbers", "Range", "last:output:0", "captured", "second:output:0")))
                .isFalse();
    }

    @Test
    void itDependsOnTheAxis() {
        assertThat(mixed("made:output:0", node("made", "Sum", "x", "second:output:0")))
                .isFalse();
        assertThat(mixed("made:output:0", node("made", "Sum", "x", "last:output:0")))
                .isFalse();

        assertThat(mixed("made:output:0", node("made", "Sum", "x", "both:output:0")))
                .isTrue();
        assertThat(mixed("made:output:0", node("made", "Sum", "x", "last_but_one:output:0")))
                .isTrue();
    }

    @Test
    void axesThatOnlyRunningItWouldTellAreAll() {
        assertThat(mixed("made:output:0", node("made", "Sum", "x", "captured"))).isTrue();
    }

    @Test
    void ofSingleValuesTheLastAxisIsTheFirst() {
        ElementComponent values = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));
        assertThat(mixed(values, "made:output:0", node("made", "Max", "x", "last:output:0")))
                .isTrue();
    }

    @Test
    void whatIsMadeOfRowsOneByOneIsFollowed() {
        assertThat(mixed(
                        "made:output:0",
                        node("twice", "Mul", "x", "captured"),
                        node("made", "Sum", "twice:z:0", "first:output:0")))
                .isTrue();
    }

    @Test
    void sizesAreNotOfTheRows() {
        assertThat(mixed(
                        "made:output:0",
                        node("shape", "Shape", "x"),
                        node("count", "Prod", "shape:output:0", "first:output:0"),
                        node("made", "Reshape", "x", "count:output:0")))
                .isFalse();
    }

    @Test
    void otherAxesMayBeTheFirstOfWhatIsTurned() {
        assertThat(mixed(
                        "made:output:0",
                        node("turned", "Transpose", "x", "both:output:0"),
                        node("made", "Sum", "turned:y:0", "first:output:0")))
                .isFalse();
    }

    @Test
    void whatIsOnlyCheckedOrNotOfTheBatchMixesNothing() {
        NodeDef.Builder all = node("all", "All", "x", "first:output:0");
        assertThat(mixed(
                        "kept:output:0",
                        all,
                        node("check", "Assert", "all:output:0"),
                        node("kept", "Identity", "x", "^check")))
                .isFalse();
        assertThat(mixed(
                        "made:z:0",
                        node("sum", "Sum", "captured", "first:output:0"),
                        node("made", "Sub", "x", "sum:output:0")))
                .isFalse();
    }

    @Test
    void whatIsNoTensorHasNoAxes() {
        ElementComponent ragged = new ElementComponent(DataType.DT_VARIANT, true, List.of(-1L));
        assertThat(mixed(ragged, "made:output:0", node("made", "Max", "x", "first:output:0")))
                .isFalse();
    }
}
