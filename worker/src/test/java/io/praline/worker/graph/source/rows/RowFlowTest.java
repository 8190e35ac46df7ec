package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;

/**
 * Functions of a batch of single values {@code x} and of vectors {@code v}: is a row of what they make made of several rows? A node
 * is named {@code out}, or what its user calls it.
 */
class RowFlowTest {
    private static final ElementComponent VALUES = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));
    private static final ElementComponent VECTORS = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, 3L));

    private static FunctionDef.Builder function(List<String> returned, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("v", DataType.DT_INT64))
                .addInputArg(Protos.arg("captured", DataType.DT_INT64));
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        for (int i = 0; i < returned.size(); i++) {
            function.getSignatureBuilder().addOutputArg(Protos.arg("y" + i, DataType.DT_INT64));
            function.putRet("y" + i, returned.get(i));
        }
        return function;
    }

    private static boolean mixes(List<String> returned, NodeDef.Builder... nodes) {
        return RowFlow.mixes(function(returned, nodes).build(), List.of(VALUES, VECTORS), List.of(), Map.of());
    }

    private static boolean mixes(NodeDef.Builder... nodes) {
        return mixes(List.of("out:o:0"), nodes);
    }

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return node("out", op, inputs);
    }

    private static NodeDef.Builder numbers(String name, Integer... numbers) {
        return Protos.constant(name, Protos.int32s(numbers));
    }

    private static NodeDef.Builder minusRow() {
        return node("turned", "ReverseV2", "x", "axis:o:0");
    }

    // ---- value by value

    @Test
    void valuesOfOneRowMakeARow() {
        assertThat(mixes(node("square", "Mul", "x", "x"), out("Sub", "square:o:0", "captured")))
                .isFalse();
        assertThat(mixes(out("SelectV2", "x", "x", "captured"))).isFalse();
        assertThat(mixes(numbers("axis", 1), node("each", "ExpandDims", "x", "axis:o:0"), out("Mul", "v", "each:o:0")))
                .isFalse();
    }

    @Test
    void eachRowWithEachOtherMixesThem() {
        assertThat(mixes(numbers("axis", 1), node("each", "ExpandDims", "x", "axis:o:0"), out("Sub", "each:o:0", "x")))
                .isTrue();
        assertThat(mixes(out("Sub", "v", "x"))).isTrue();
    }

    @Test
    void rowsWithThoseInAnotherOrderAreMixedAndTurnedTwiceTheyAreNot() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder again = node("again", "ReverseV2", "turned:o:0", "axis:o:0");
        assertThat(mixes(axis, minusRow(), out("AddV2", "x", "turned:o:0"))).isTrue();
        assertThat(mixes(List.of("x", "turned:o:0"), axis, minusRow())).isTrue();

        assertThat(mixes(List.of("turned:o:0"), axis, minusRow())).isFalse();
        assertThat(mixes(axis, minusRow(), again, out("AddV2", "x", "again:o:0")))
                .isFalse();
        assertThat(mixes(
                        numbers("axis", 1),
                        node("turned", "ReverseV2", "v", "axis:o:0"),
                        out("AddV2", "v", "turned:o:0")))
                .isFalse();
    }

    // ---- along an axis

    @ParameterizedTest
    @ValueSource(strings = {"Cumsum", "Cumprod", "UniqueV2", "Sum", "Mean", "ArgMax"})
    void whatGoesAlongTheRowsMixesThemAndAlongOthersDoesNot(String op) {
        assertThat(mixes(numbers("axis", 0), out(op, "v", "axis:o:0"))).isTrue();
        assertThat(mixes(numbers("axis", -2), out(op, "v", "axis:o:0"))).isTrue();
        assertThat(mixes(numbers("axis", 1), out(op, "v", "axis:o:0"))).isFalse();
        assertThat(mixes(numbers("axis", -1), out(op, "v", "axis:o:0"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Softmax", "LogSoftmax", "TopKV2", "FFT"})
    void alongTheLastAxisSingleValuesAreMixed(String op) {
        assertThat(mixes(out(op, "x"))).isTrue();
        assertThat(mixes(out(op, "v"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unique", "L2Loss", "Bincount", "HistogramFixedWidth", "UnsortedSegmentSum"})
    void whatIsMadeOfAllMixesThem(String op) {
        assertThat(mixes(out(op, "x", "captured"))).isTrue();
        assertThat(mixes(out(op, "captured", "captured"))).isFalse();
    }

    @Test
    void rollingMixesThemWithTheirNeighbours() {
        assertThat(mixes(numbers("axis", 0), out("Roll", "v", "captured", "axis:o:0")))
                .isTrue();
        assertThat(mixes(numbers("axis", 1), out("Roll", "v", "captured", "axis:o:0")))
                .isFalse();
        assertThat(mixes(out("Roll", "v", "captured", "captured"))).isFalse();
    }

    @Test
    void axesAreFollowedWhereTensorsAreTurned() {
        NodeDef.Builder turned = node("turned", "Transpose", "v", "order:o:0");
        assertThat(mixes(numbers("order", 1, 0), numbers("axis", 0), turned, out("Sum", "turned:o:0", "axis:o:0")))
                .isFalse();
        assertThat(mixes(numbers("order", 1, 0), numbers("axis", 1), turned, out("Sum", "turned:o:0", "axis:o:0")))
                .isTrue();
        assertThat(mixes(numbers("order", 1, 0), turned, out("Softmax", "turned:o:0")))
                .isTrue();
    }

    @Test
    void axesAreFollowedWhereDimensionsComeAndGo() {
        NodeDef.Builder before = node("before", "ExpandDims", "x", "axis:o:0");
        assertThat(mixes(numbers("axis", 0), before, out("Softmax", "before:o:0")))
                .isTrue();
        assertThat(mixes(numbers("axis", -1), before, out("Softmax", "before:o:0")))
                .isFalse();
        NodeDef.Builder gone = node("gone", "Squeeze", "before:o:0").putAttr("squeeze_dims", integers(0));
        assertThat(mixes(numbers("axis", 0), numbers("sum", 0), before, gone, out("Sum", "gone:o:0", "sum:o:0")))
                .isTrue();
        NodeDef.Builder pack = node("pack", "Pack", "x", "x").putAttr("axis", Protos.number(0));
        assertThat(mixes(numbers("axis", 0), pack, out("Sum", "pack:o:0", "axis:o:0")))
                .isFalse();
        assertThat(mixes(numbers("axis", 1), pack, out("Sum", "pack:o:0", "axis:o:0")))
                .isTrue();
        NodeDef.Builder kept = node("kept", "Sum", "v", "axis:o:0").putAttr("keep_dims", Protos.bool(true));
        assertThat(mixes(numbers("axis", 1), kept, out("Softmax", "kept:o:0"))).isFalse();
        NodeDef.Builder least = node("least", "Min", "v", "axis:o:0");
        assertThat(mixes(numbers("axis", 1), least, out("Softmax", "least:o:0")))
                .isTrue();
        NodeDef.Builder hot =
                node("hot", "OneHot", "x", "captured", "captured", "captured").putAttr("axis", Protos.number(-1));
        assertThat(mixes(hot, out("Softmax", "hot:o:0"))).isFalse();
    }

    private static AttrValue integers(long... numbers) {
        AttrValue.Builder list = AttrValue.newBuilder();
        for (long number : numbers) {
            list.getListBuilder().addI(number);
        }
        return list.build();
    }

    // ---- products

    @Test
    void productsOfRowsWithEachOtherMixThem() {
        assertThat(mixes(out("MatMul", "v", "v").putAttr("transpose_b", Protos.bool(true))))
                .isTrue();
        assertThat(mixes(out("BatchMatMulV2", "v", "v").putAttr("adj_y", Protos.bool(true))))
                .isTrue();
        assertThat(mixes(out("Einsum", "x", "x").putAttr("equation", Protos.string("i,j->ij"))))
                .isTrue();
        assertThat(mixes(out("Einsum", "v", "x").putAttr("equation", Protos.string("bi,b->i"))))
                .isTrue();
    }

    @Test
    void productsWithWeightsDoNot() {
        assertThat(mixes(out("MatMul", "v", "captured"))).isFalse();
        assertThat(mixes(out("MatMul", "captured", "v").putAttr("transpose_b", Protos.bool(true))))
                .isFalse();
        assertThat(mixes(out("Einsum", "v", "v").putAttr("equation", Protos.string("bi,bi->b"))))
                .isFalse();
        assertThat(mixes(out("Einsum", "v", "captured").putAttr("equation", Protos.string("bi,io->bo"))))
                .isFalse();

        assertThat(mixes(out("MatMul", "captured", "v"))).isTrue();
        assertThat(mixes(out("MatMul", "v", "captured").putAttr("transpose_a", Protos.bool(true))))
                .isTrue();
    }

    // ---- parts

    private static NodeDef.Builder strided(String value, long begins, long ends, long drops, long adds) {
        return out("StridedSlice", value, "begin:o:0", "end:o:0", "step:o:0")
                .putAttr("begin_mask", Protos.number(begins))
                .putAttr("end_mask", Protos.number(ends))
                .putAttr("shrink_axis_mask", Protos.number(drops))
                .putAttr("new_axis_mask", Protos.number(adds));
    }

    private static boolean takes(NodeDef.Builder slice) {
        return mixes(
                node("of", "Cast", "v"), numbers("begin", 0, 1), numbers("end", 0, 2), numbers("step", 1, 1), slice);
    }

    @Test
    void rowsThatAreTakenByTheirPlacesMixThemBehindOtherStepsToo() {
        assertThat(takes(strided("of:o:0", 1, 1, 0, 0))).isFalse();
        assertThat(takes(strided("of:o:0", 0, 1, 0, 0))).isFalse(); // from 0 on
        assertThat(takes(strided("of:o:0", 1, 0, 0, 0))).isTrue();
        assertThat(takes(strided("of:o:0", 1, 1, 1, 0))).isTrue();
        assertThat(takes(strided("of:o:0", 1, 1, 2, 0))).isFalse();
        // a new dimension before them: the second entry is of the rows
        assertThat(takes(strided("of:o:0", 0, 0, 0, 1))).isTrue();
        assertThat(takes(strided("of:o:0", 2, 2, 0, 1))).isFalse();
    }

    @Test
    void anEllipsisStandsForAsManyDimensionsAsThereAre() {
        NodeDef.Builder last = strided("of:o:0", 0, 0, 2, 0).putAttr("ellipsis_mask", Protos.number(1));
        assertThat(takes(last)).isFalse();
        NodeDef.Builder firstOfAll = strided("of:o:0", 0, 0, 1, 0).putAttr("ellipsis_mask", Protos.number(2));
        assertThat(takes(firstOfAll)).isTrue();
    }

    @Test
    void aSliceOfSomeRowsMixesThemAndOneOfAllDoesNot() {
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder count = node("count", "StridedSlice", "shape:o:0", "zero:o:0", "one:o:0", "one:o:0");
        NodeDef.Builder half = node("half", "FloorDiv", "count:o:0", "captured");
        NodeDef.Builder all = node("size", "Pack", "count:o:0");
        NodeDef.Builder some = node("size", "Pack", "half:o:0");
        NodeDef.Builder zero = numbers("zero", 0);
        NodeDef.Builder one = numbers("one", 1);
        assertThat(mixes(zero, one, shape, count, all, out("Slice", "x", "zero:o:0", "size:o:0")))
                .isFalse();
        assertThat(mixes(zero, one, shape, count, half, some, out("Slice", "x", "zero:o:0", "size:o:0")))
                .isTrue();
        assertThat(mixes(zero, one, out("Slice", "x", "zero:o:0", "one:o:0"))).isTrue();
        assertThat(mixes(zero, numbers("rest", -1), out("Slice", "x", "zero:o:0", "rest:o:0")))
                .isFalse();
        assertThat(mixes(numbers("rest", -1), out("Slice", "x", "captured", "rest:o:0")))
                .isFalse();
    }

    @Test
    void rowsThatAreTakenApartOrGatheredByConstantPlacesAreMixed() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder halves = out("Split", "axis:o:0", "v").putAttr("num_split", Protos.number(2));
        assertThat(mixes(axis, halves)).isTrue();
        assertThat(mixes(numbers("axis", 1), halves)).isFalse();
        assertThat(mixes(out("Unpack", "v").putAttr("axis", Protos.number(0)))).isTrue();
        assertThat(mixes(out("Unpack", "v").putAttr("axis", Protos.number(1)))).isFalse();
        assertThat(mixes(axis, numbers("places", 2, 0), out("GatherV2", "v", "places:o:0", "axis:o:0")))
                .isTrue();
        assertThat(mixes(numbers("axis", 1), numbers("places", 2, 0), out("GatherV2", "v", "places:o:0", "axis:o:0")))
                .isFalse();
        // chance may have made them
        assertThat(mixes(axis, out("GatherV2", "v", "captured", "axis:o:0"))).isFalse();
    }

    @Test
    void valuesThatComeTogetherInALongerRowAreMixed() {
        assertThat(mixes(numbers("shape", -1, 2), out("Reshape", "x", "shape:o:0")))
                .isTrue();
        assertThat(mixes(numbers("shape", -1, 1), out("Reshape", "x", "shape:o:0")))
                .isFalse();
        assertThat(mixes(numbers("shape", -1, 3, 1), out("Reshape", "v", "shape:o:0")))
                .isFalse();
    }

    @Test
    void rowsBehindRowsStayOnes() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder both = node("both", "ConcatV2", "x", "x", "axis:o:0");
        NodeDef.Builder again = node("again", "ConcatV2", "x", "x", "axis:o:0");
        assertThat(mixes(List.of("both:o:0", "again:o:0"), axis, both, again)).isFalse();
        NodeDef.Builder wide = out("ConcatV2", "v", "v", "axis:o:0");
        assertThat(mixes(numbers("axis", 1), wide)).isFalse();
        NodeDef.Builder turned = node("turned", "ReverseV2", "v", "first:o:0");
        assertThat(mixes(
                        numbers("first", 0),
                        numbers("axis", 1),
                        turned,
                        out("ConcatV2", "v", "turned:o:0", "axis:o:0")))
                .isTrue();
    }

    // ---- what is followed to the end

    private static boolean follows(NodeDef.Builder... nodes) {
        return RowFlow.follows(function(List.of("out:o:0"), nodes).build(), List.of(VALUES, VECTORS), Map.of());
    }

    @Test
    void rowsThatAreMadeOfTheSameRowAreFollowed() {
        assertThat(follows(out("Mul", "x", "captured"))).isTrue();
        assertThat(follows(
                        node("shape", "Shape", "v"),
                        node("noise", "StatelessRandomUniformV2", "shape:o:0"),
                        out("AddV2", "v", "noise:o:0")))
                .isTrue();
    }

    @Test
    void whatNothingIsKnownOfAndWhatIsMixedIsNotFollowed() {
        assertThat(follows(out("MakeSomething", "x"))).isFalse();
        assertThat(follows(out("StatelessWhile", "x", "v"))).isFalse();
        assertThat(follows(out("TopKV2", "x"))).isFalse();
    }

    @Test
    void placesInTheBatchAreNotFollowedAndPlacesInARowAre() {
        NodeDef.Builder shape = node("shape", "Shape", "v");
        assertThat(follows(shape, node("rows", "Range", "captured", "shape:o:0"), out("Mul", "x", "rows:o:0")))
                .isFalse();
        assertThat(follows(shape, out("Range", "captured", "shape:o:0"))).isFalse();
        assertThat(follows(
                        shape,
                        numbers("second", 1),
                        node("columns", "StridedSlice", "shape:o:0", "second:o:0"),
                        node("places", "Range", "captured", "columns:o:0"),
                        out("AddV2", "v", "places:o:0")))
                .isTrue();
    }

    // ---- what is not known, calls, branches

    @Test
    void whatIsNotKnownMixesNothingAndWhatIsMixedStaysSo() {
        assertThat(mixes(out("MakeSomething", "x"))).isFalse();
        assertThat(mixes(
                        numbers("axis", 0),
                        node("made", "MakeSomething", "x"),
                        out("Roll", "made:o:0", "captured", "axis:o:0")))
                .isFalse();
        assertThat(mixes(node("sorted", "TopKV2", "x"), out("MakeSomething", "sorted:o:0")))
                .isTrue();
        assertThat(mixes(
                        node("sorted", "TopKV2", "x"),
                        node("shape", "Shape", "sorted:o:0"),
                        out("AddV2", "x", "shape:o:0")))
                .isFalse();
    }

    @Test
    void oneValueThatIsMadeOfTheBatchIsMadeOfAllOfIt() {
        ElementComponent single = new ElementComponent(DataType.DT_INT64, true, List.of());
        FunctionDef made =
                function(List.of("out:o:0"), out("MakeSomething", "x")).build();
        FunctionDef size = function(List.of("out:o:0"), out("Size", "x")).build();
        assertThat(RowFlow.mixes(made, List.of(VALUES, VECTORS), List.of(single), Map.of()))
                .isTrue();
        assertThat(RowFlow.mixes(made, List.of(VALUES, VECTORS), List.of(VALUES), Map.of()))
                .isFalse();
        assertThat(RowFlow.mixes(size, List.of(VALUES, VECTORS), List.of(single), Map.of()))
                .isFalse();
    }

    @Test
    void callsAndBranchesAreLookedInto() {
        FunctionDef kept = function(List.of("x", "v")).build();
        FunctionDef sorted =
                function(List.of("x", "out:o:0"), out("TopKV2", "x")).build();
        Map<String, FunctionDef> functions = Map.of("kept", kept, "sorted", sorted);
        NodeDef.Builder call =
                node("call", "PartitionedCall", "x", "v", "captured").putAttr("f", Protos.function("sorted"));
        NodeDef.Builder byName = node("call", "sorted", "x", "v", "captured");
        NodeDef.Builder branch = node("call", "StatelessIf", "captured", "x", "v", "captured")
                .putAttr("then_branch", Protos.function("kept"))
                .putAttr("else_branch", Protos.function("sorted"));
        assertThat(mixes(functions, "call:output:0", call)).isFalse();
        assertThat(mixes(functions, "call:output:1", call)).isTrue();
        assertThat(mixes(functions, "call:y0:0", byName)).isFalse();
        assertThat(mixes(functions, "call:y1:0", byName)).isTrue();
        assertThat(mixes(functions, "call:output:0", branch)).isFalse();
        assertThat(mixes(functions, "call:output:1", branch)).isTrue();
        NodeDef.Builder decided = node("call", "StatelessIf", "largest:o:0", "x", "v", "captured")
                .putAttr("then_branch", Protos.function("kept"))
                .putAttr("else_branch", Protos.function("kept"));
        assertThat(mixes(functions, "call:output:0", node("largest", "TopKV2", "x"), decided))
                .isTrue();
        NodeDef.Builder cases = node("call", "StatelessCase", "captured", "x", "v", "captured")
                .putAttr(
                        "branches",
                        AttrValue.newBuilder()
                                .setList(AttrValue.ListValue.newBuilder()
                                        .addFunc(NameAttrList.newBuilder().setName("kept"))
                                        .addFunc(NameAttrList.newBuilder().setName("sorted")))
                                .build());
        assertThat(mixes(functions, "call:output:1", cases)).isTrue();
    }

    private static boolean mixes(Map<String, FunctionDef> functions, String returned, NodeDef.Builder... nodes) {
        FunctionDef function = function(List.of(returned), nodes).build();
        return RowFlow.mixes(function, List.of(VALUES, VECTORS), List.of(), functions);
    }

    @Test
    void aFunctionOfManyOpsIsFollowedToItsEnd() {
        List<NodeDef.Builder> nodes = new ArrayList<>();
        String last = "x";
        for (int i = 0; i < 20_000; i++) {
            nodes.add(node("n" + i, "Neg", last));
            last = "n" + i + ":o:0";
        }
        nodes.add(out("TopKV2", last));
        assertThat(mixes(nodes.toArray(NodeDef.Builder[]::new))).isTrue();
    }
}
