package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Functions of a batch of matrices {@code x} of four lines of three values each, that cut them into lines. */
class RowLinesTest {
    private static final ElementComponent MATRICES =
            new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L, 4L, 3L));

    private static RowFlow.Course course(Set<Integer> padded, ElementComponent batch, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", DataType.DT_FLOAT))
                .addOutputArg(Protos.arg("y", DataType.DT_FLOAT));
        Stream.of(nodes).forEach(function::addNodeDef);
        return RowFlow.course(
                function.putRet("y", "out:o:0").build(),
                new RowFlow.Rows(List.of(batch), 0, padded, Set.of(), Set.of(), List.of(), Set.of()),
                List.of(),
                Map.of());
    }

    private static boolean kept(NodeDef.Builder... nodes) {
        return course(Set.of(), MATRICES, nodes) == RowFlow.Course.KEPT;
    }

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder numbers(String name, Integer... numbers) {
        return Protos.constant(name, Protos.int32s(numbers));
    }

    private static NodeDef.Builder number(String name, int number) {
        return Protos.constant(name, Protos.int32(number));
    }

    /** With {@code shape} of the batch, its {@code count} of rows, and a {@code matrix} of three by two. */
    private static NodeDef.Builder[] with(NodeDef.Builder... more) {
        List<NodeDef.Builder> nodes = new ArrayList<>(List.of(
                number("zero", 0),
                number("two", 2),
                number("four", 4),
                numbers("zeroes", 0),
                numbers("ones", 1),
                numbers("in_lines", -1, 3),
                Protos.constant(
                        "matrix",
                        Protos.int32s(1, 2, 3, 4, 5, 6).toBuilder()
                                .setTensorShape(Protos.shape(List.of(3L, 2L)))
                                .build()),
                node("shape", "Shape", "x"),
                node("count", "StridedSlice", "shape:o:0", "zeroes:o:0", "ones:o:0", "ones:o:0")
                        .putAttr("shrink_axis_mask", Protos.number(1)),
                node("lines", "Reshape", "x", "in_lines:o:0")));
        nodes.addAll(List.of(more));
        return nodes.toArray(NodeDef.Builder[]::new);
    }

    private static NodeDef.Builder whole(String lines) {
        return node("out", "Reshape", lines, "shape:o:0");
    }

    @Test
    void linesThatAreWorkedOnEachByItselfAndPutTogetherAgainMakeRows() {
        NodeDef.Builder product = node("product", "MatMul", "lines:o:0", "matrix:o:0");
        NodeDef.Builder size = node("size", "Pack", "count:o:0", "four:o:0", "two:o:0");
        assertThat(kept(with(whole("lines:o:0")))).isTrue();
        assertThat(kept(with(product, size, node("out", "Reshape", "product:o:0", "size:o:0"))))
                .isTrue();
        assertThat(kept(with(
                        node("both", "AddV2", "lines:o:0", "lines:o:0"),
                        numbers("back", -1, 12),
                        node("out", "Reshape", "both:o:0", "back:o:0"))))
                .isTrue();
    }

    @Test
    void asManyLinesAsAreTheRowsTimesANumberAreOnesOfRows() {
        NodeDef.Builder many = node("many", "Mul", "count:o:0", "four:o:0");
        NodeDef.Builder size = node("size", "Pack", "many:o:0", "three:o:0");
        NodeDef.Builder three = number("three", 3);
        NodeDef.Builder cut = node("cut", "Reshape", "x", "size:o:0");
        assertThat(kept(with(many, three, size, cut, whole("cut:o:0")))).isTrue();
        assertThat(kept(with(node("many", "AddV2", "count:o:0", "four:o:0"), three, size, cut, whole("cut:o:0"))))
                .isFalse();
        assertThat(kept(with(node("many", "Mul", "count:o:0", "count:o:0"), three, size, cut, whole("cut:o:0"))))
                .isFalse();
    }

    /** As TensorFlow writes {@code tensordot(x, matrix, 1)}. */
    @Test
    void productsAlongTheLastDimensionAreMadeRowByRow() {
        NodeDef.Builder[] nodes = with(
                numbers("free", 0, 1),
                numbers("axes", 2),
                numbers("columns", 2),
                node("free_sizes", "GatherV2", "shape:o:0", "free:o:0", "zero:o:0"),
                node("axes_sizes", "GatherV2", "shape:o:0", "axes:o:0", "zero:o:0"),
                node("lines_in_all", "Prod", "free_sizes:o:0", "zeroes:o:0"),
                node("values", "Prod", "axes_sizes:o:0", "zeroes:o:0"),
                node("order", "ConcatV2", "free:o:0", "axes:o:0", "zero:o:0"),
                node("size", "Pack", "lines_in_all:o:0", "values:o:0"),
                node("turned", "Transpose", "x", "order:o:0"),
                node("cut", "Reshape", "turned:o:0", "size:o:0"),
                node("product", "MatMul", "cut:o:0", "matrix:o:0"),
                node("back", "ConcatV2", "free_sizes:o:0", "columns:o:0", "zero:o:0"),
                node("made", "Reshape", "product:o:0", "back:o:0"),
                node("last", "ExpandDims", "made:o:0", "behind:o:0"),
                number("behind", -1),
                node("out", "Squeeze", "last:o:0")
                        .putAttr(
                                "squeeze_dims",
                                AttrValue.newBuilder()
                                        .setList(
                                                AttrValue.ListValue.newBuilder().addI(3))
                                        .build()));
        assertThat(kept(nodes)).isTrue();
        assertThat(course(Set.of(0), new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L, -1L, 3L)), nodes))
                .isEqualTo(RowFlow.Course.MIXED);
    }

    @Test
    void linesAreNoRows() {
        assertThat(kept(with(node("out", "Identity", "lines:o:0")))).isFalse();
        assertThat(kept(with(
                        node("half", "Identity", "lines:o:0"),
                        numbers("back", -1, 6),
                        node("out", "Reshape", "half:o:0", "back:o:0"))))
                .isFalse();
        assertThat(kept(with(numbers("other", -1, 5), node("cut", "Reshape", "x", "other:o:0"), whole("cut:o:0"))))
                .isFalse();
    }

    @Test
    void linesThatAreNotWhereTheyWereMixRows() {
        NodeDef.Builder places = node("places", "Range", "zero:o:0", "count:o:0", "one:o:0");
        NodeDef.Builder one = number("one", 1);
        assertThat(kept(with(node("turned", "ReverseV2", "lines:o:0", "zeroes:o:0"), whole("turned:o:0"))))
                .isFalse();
        assertThat(kept(with(one, places, node("out", "GatherV2", "lines:o:0", "places:o:0", "zero:o:0"))))
                .isFalse();
        assertThat(kept(with(node("summed", "Cumsum", "lines:o:0", "zero:o:0"), whole("summed:o:0"))))
                .isFalse();
        assertThat(kept(with(node("most", "Max", "lines:o:0", "zeroes:o:0"), node("out", "Sub", "x", "most:o:0"))))
                .isFalse();
        assertThat(kept(with(
                        node("met", "MatMul", "lines:o:0", "lines:o:0").putAttr("transpose_b", Protos.bool(true)),
                        whole("met:o:0"))))
                .isFalse();
    }

    /** What opens them, or takes some of them, would have to know how many each row has. */
    @ParameterizedTest
    @ValueSource(strings = {"TensorSliceDataset", "TensorListFromTensor", "Tile", "Slice", "MakeSomething", "Where"})
    void ofOtherOpsOnLinesNothingIsKnown(String op) {
        assertThat(kept(with(node("out", op, "lines:o:0", "zeroes:o:0")))).isFalse();
    }

    @Test
    void aRowForEachOfItsNumbersIsLookedUpLineByLine() {
        NodeDef.Builder all = numbers("all", -1, 1);
        NodeDef.Builder cut = node("cut", "Reshape", "x", "all:o:0");
        NodeDef.Builder found = node("found", "GatherV2", "matrix:o:0", "cut:o:0", "zero:o:0");
        NodeDef.Builder size = node("size", "Pack", "count:o:0", "four:o:0", "six:o:0");
        assertThat(kept(with(all, cut, found, number("six", 6), size, node("out", "Reshape", "found:o:0", "size:o:0"))))
                .isTrue();
    }

    private static NodeDef.Builder sums(String equation, String... inputs) {
        return node("out", "Einsum", inputs).putAttr("equation", Protos.string(equation));
    }

    @Test
    void dotsInAnEquationStandForDimensionsOfRowsToo() {
        assertThat(kept(with(sums("...ij,jk->...ik", "x", "matrix:o:0")))).isTrue();
        assertThat(kept(with(sums("...ij->...ji", "x")))).isTrue();
        assertThat(kept(with(sums("b...j,b...k->bjk", "x", "x")))).isTrue();
        assertThat(kept(with(sums("...ij->ij", "x")))).isFalse();
        assertThat(kept(with(sums("b...,b...->...", "x", "x")))).isFalse();
        assertThat(kept(with(sums("...ij,...jk->...ik", "x", "matrix:o:0")))).isTrue();
        assertThat(kept(with(numbers("weights", 1, 2, 3, 4), sums("...ij,...->...ij", "x", "weights:o:0"))))
                .isFalse();
    }

    // a contrast is that of three dimensions, of which the first are rows here
    @Test
    void coloursOfAnyShapeAreChangedEachByItselfAndContrastsPictureByPicture() {
        assertThat(kept(with(node("out", "RGBToHSV", "x")))).isTrue();
        assertThat(kept(with(node("out", "AdjustHue", "x", "zero:o:0")))).isTrue();
        assertThat(kept(with(node("out", "AdjustContrastv2", "x", "zero:o:0")))).isFalse();
        assertThat(kept(with(
                        numbers("axis", 1),
                        node("pictures", "ExpandDims", "x", "axis:o:0"),
                        node("out", "AdjustContrastv2", "pictures:o:0", "zero:o:0"))))
                .isTrue();
    }

    @Test
    void matricesAreSolvedEachByItself() {
        NodeDef.Builder turned = node("turned", "ReverseV2", "x", "zeroes:o:0");
        assertThat(kept(with(node("out", "MatrixSolve", "x", "x")))).isTrue();
        assertThat(kept(with(node("out", "Qr", "x")))).isTrue();
        assertThat(kept(with(turned, node("out", "MatrixSolve", "x", "turned:o:0"))))
                .isFalse();
        assertThat(kept(with(node("out", "MatrixSolve", "lines:o:0", "lines:o:0"))))
                .isFalse();
        assertThat(kept(with(node("out", "MatrixSetDiagV3", "x", "matrix:o:0", "zero:o:0"))))
                .isFalse();
        assertThat(kept(with(node("out", "MatrixSetDiagV3", "x", "two:o:0", "zero:o:0"))))
                .isTrue();
    }

    // of each chain of shapes that is followed, the last has the batch's number of rows, whichever that is
    @Test
    void shapesOneBehindAnotherAreFollowedToAsManyRowsOnly() {
        List<List<Integer>> shapes = List.of(
                List.of(-1, 1),
                List.of(-1, 2),
                List.of(-1, 3),
                List.of(-1, 6),
                List.of(-1, 12),
                List.of(-1, 24),
                List.of(-1, 2, 3),
                List.of(-1, 4, 3),
                List.of(-1, 3, 4),
                List.of(2, -1, 3));
        int followed = 0;
        for (List<Integer> first : shapes) {
            for (List<Integer> second : shapes) {
                for (List<Integer> third : shapes) {
                    boolean kept = kept(
                            numbers("first", first.toArray(Integer[]::new)),
                            numbers("second", second.toArray(Integer[]::new)),
                            numbers("third", third.toArray(Integer[]::new)),
                            node("one", "Reshape", "x", "first:o:0"),
                            node("other", "Reshape", "one:o:0", "second:o:0"),
                            node("out", "Reshape", "other:o:0", "third:o:0"));
                    if (kept) {
                        followed++;
                        assertThat(third.get(0) == -1 && values(third) == 12)
                                .as(first + " " + second + " " + third)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(followed).isGreaterThan(20);
    }

    private static int values(List<Integer> shape) {
        return shape.stream().skip(1).reduce(1, (a, b) -> a * b);
    }
}
