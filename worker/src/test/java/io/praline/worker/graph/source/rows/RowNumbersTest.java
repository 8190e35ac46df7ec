package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Functions of a batch of single values {@code x} and of vectors of four {@code v}: are there numbers of rows of which they fail? */
class RowNumbersTest {
    private static final ElementComponent VALUES = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));
    private static final ElementComponent VECTORS = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, 4L));

    private static FunctionDef function(String name, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("v", DataType.DT_INT64))
                .addOutputArg(Protos.arg("y", DataType.DT_INT64));
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        return function.putRet("y", nodes[nodes.length - 1].getName() + ":o:0").build();
    }

    private static boolean asked(Map<String, FunctionDef> functions, NodeDef.Builder... nodes) {
        return RowNumbers.areAsked(function("f", nodes), List.of(VALUES, VECTORS), functions);
    }

    private static boolean asked(NodeDef.Builder... nodes) {
        return asked(Map.of(), nodes);
    }

    private static NodeDef.Builder node(String op, String... inputs) {
        return Protos.node("out", op, inputs);
    }

    private static NodeDef.Builder numbers(String name, Integer... numbers) {
        return Protos.constant(name, Protos.int32s(numbers));
    }

    private static boolean shaped(String value, Integer... shape) {
        return asked(numbers("shape", shape), node("Reshape", value, "shape:o:0"));
    }

    @Test
    void aShapeThatIsWrittenDownFitsSomeNumbersUnlessItTakesNothingOfAnotherRow() {
        assertThat(shaped("x", -1, 2)).isTrue();
        assertThat(shaped("x", 2, -1)).isTrue();
        assertThat(shaped("x", 10)).isTrue();
        assertThat(shaped("v", -1, 8)).isTrue();
        assertThat(shaped("v", 5, 4)).isTrue();

        assertThat(shaped("x", -1)).isFalse();
        assertThat(shaped("x", -1, 1)).isFalse();
        assertThat(shaped("x", 1, -1)).isFalse();
        assertThat(shaped("v", -1, 4)).isFalse();
        assertThat(shaped("v", -1, 2)).isFalse();
        assertThat(shaped("v", -1, 2, 2)).isFalse();
    }

    @Test
    void whatTwoOfEachRowAreMadeOfCanBeLaidOutInPairs() {
        assertThat(asked(
                        numbers("axis", 0),
                        Protos.node("both", "ConcatV2", "x", "x", "axis:o:0").putAttr("N", Protos.number(2)),
                        numbers("shape", -1, 2),
                        node("Reshape", "both:o:0", "shape:o:0")))
                .isFalse();
        assertThat(asked(
                        Protos.node("pairs", "Pack", "x", "x").putAttr("axis", Protos.number(1)),
                        numbers("shape", -1, 4),
                        node("Reshape", "pairs:o:0", "shape:o:0")))
                .isTrue();
    }

    @Test
    void aBatchIsCutAlongItsRows() {
        NodeDef.Builder rows = numbers("axis", 0);
        NodeDef.Builder columns = numbers("axis", 1);
        NodeDef.Builder halves = node("Split", "axis:o:0", "v").putAttr("num_split", Protos.number(2));
        assertThat(asked(rows, halves)).isTrue();
        assertThat(asked(columns, halves)).isFalse();

        NodeDef.Builder pieces = node("SplitV", "v", "sizes:o:0", "axis:o:0");
        assertThat(asked(numbers("sizes", 3, 7), rows, pieces)).isTrue();
        assertThat(asked(numbers("sizes", 3, -1), rows, pieces)).isTrue();
        assertThat(asked(numbers("sizes", 3, 1), columns, pieces)).isFalse();

        assertThat(asked(node("Unpack", "v").putAttr("num", Protos.number(10)))).isTrue();
        assertThat(asked(node("Unpack", "v").putAttr("axis", Protos.number(1)).putAttr("num", Protos.number(4))))
                .isFalse();
    }

    @Test
    void someRowsAreTakenByTheirNumbers() {
        NodeDef.Builder row = node("StridedSlice", "x", "from:o:0", "to:o:0", "step:o:0")
                .putAttr("shrink_axis_mask", Protos.number(1));
        assertThat(asked(numbers("from", 7), numbers("to", 8), numbers("step", 1), row))
                .isTrue();
        assertThat(asked(numbers("from", 0), numbers("to", 1), numbers("step", 1), row))
                .isFalse();
        assertThat(asked(numbers("from", -1), numbers("to", 0), numbers("step", 1), row))
                .isFalse();

        assertThat(asked(numbers("from", 0, 0), numbers("size", 8, 2), node("Slice", "v", "from:o:0", "size:o:0")))
                .isTrue();
        assertThat(asked(numbers("from", 0, 2), numbers("size", -1, 2), node("Slice", "v", "from:o:0", "size:o:0")))
                .isFalse();

        NodeDef.Builder gathered = node("GatherV2", "v", "places:o:0", "axis:o:0");
        assertThat(asked(numbers("places", 1, 0), numbers("axis", 0), gathered)).isTrue();
        assertThat(asked(numbers("places", 0), numbers("axis", 0), gathered)).isFalse();
        assertThat(asked(numbers("places", 3, 0), numbers("axis", 1), gathered)).isFalse();
    }

    @Test
    void whatStandsBesideRowsIsOfASize() {
        NodeDef.Builder ten = numbers("ten", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        NodeDef.Builder four = numbers("four", 0, 1, 2, 3);
        assertThat(asked(ten, node("AddV2", "x", "ten:o:0"))).isTrue();
        assertThat(asked(four, node("AddV2", "v", "four:o:0"))).isFalse();
        assertThat(asked(numbers("one", 1), node("AddV2", "x", "one:o:0"))).isFalse();
        assertThat(asked(ten, node("Pack", "x", "ten:o:0"))).isTrue();
        assertThat(asked(
                        numbers("axis", 1),
                        Protos.node("column", "ExpandDims", "x", "axis:o:0"),
                        numbers("shape", 10, 1),
                        numbers("zero", 0),
                        Protos.node("beside", "Fill", "shape:o:0", "zero:o:0"),
                        node("ConcatV2", "column:o:0", "beside:o:0", "axis:o:0")))
                .isTrue();
    }

    @Test
    void aFunctionThatIsCalledIsAskedToo() {
        FunctionDef pairs = function("pairs", numbers("shape", -1, 2), node("Reshape", "x", "shape:o:0"));
        NodeDef.Builder call = node("PartitionedCall", "x", "v").putAttr("f", Protos.function("pairs"));
        NodeDef.Builder turned = node("PartitionedCall", "v", "x").putAttr("f", Protos.function("pairs"));
        assertThat(asked(Map.of("pairs", pairs), call)).isTrue();
        assertThat(asked(Map.of("pairs", pairs), turned)).isFalse();
    }

    @Test
    void ofWhatIsNotKnownNothingIsSaid() {
        assertThat(asked(
                        Protos.node("some", "Where", "x"),
                        numbers("shape", -1, 2),
                        node("Reshape", "some:o:0", "shape:o:0")))
                .isFalse();
    }

    // an index that is drawn may be the last of a whole batch; one that the batch tells is in it
    @Test
    void placesThatAreComputedFitABatchThatTheyAreMadeOf() {
        for (String op : List.of("GatherV2", "GatherNd")) {
            assertThat(asked(
                            numbers("axis", 0),
                            numbers("all", 0, 1, 2),
                            Protos.node("places", "RandomShuffle", "all:output:0"),
                            node(op, "v", "places:output:0", "axis:output:0")))
                    .as(op)
                    .isTrue();
            assertThat(asked(
                            numbers("axis", 0),
                            Protos.node("size", "Size", "x"),
                            Protos.node("all", "Range", "axis:output:0", "size:output:0", "axis:output:0"),
                            Protos.node("places", "RandomShuffle", "all:output:0"),
                            node(op, "v", "places:output:0", "axis:output:0")))
                    .as(op)
                    .isFalse();
        }
    }

    @Test
    void whatAFunctionIsCalledWithIsOfTheBatchOnlyWhereItIsMadeOfIt() {
        FunctionDef taken =
                function("taken", numbers("axis", 0), Protos.node("y", "GatherV2", "v", "x", "axis:output:0"));
        NodeDef.Builder call =
                Protos.node("out", "PartitionedCall", "places:output:0", "v").putAttr("f", Protos.function("taken"));

        assertThat(asked(
                        Map.of("taken", taken),
                        numbers("all", 0, 1, 2),
                        Protos.node("places", "RandomShuffle", "all:output:0"),
                        call))
                .isTrue();
        assertThat(asked(Map.of("taken", taken), Protos.node("places", "RandomShuffle", "x"), call))
                .isFalse();
    }
}
