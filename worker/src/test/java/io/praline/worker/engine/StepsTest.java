package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.ordering.SplitPipeline;
import io.praline.worker.graph.ordering.SplitPipeline.Link;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;

/**
 * What a map is said to do, of functions of an element {@code (x, y)}: a node is named {@code out}, or what its user calls it.
 */
class StepsTest {
    private static final DataType INT = DataType.DT_INT32;
    private static final DataType FLOAT = DataType.DT_FLOAT;
    private static final DataType STRING = DataType.DT_STRING;

    /**
     * A function that is called on an element.
     *
     * @param words what it does
     * @param fails whether there are elements of these types and shapes that it fails on
     */
    private record Case(
            String words, boolean fails, ElementComponent x, ElementComponent y, String result, List<NodeDef> nodes) {
        @Override
        public String toString() {
            return words + (fails ? " may fail" : " cannot fail");
        }
    }

    private static Case fails(
            String words, ElementComponent x, ElementComponent y, String result, NodeDef.Builder... nodes) {
        return new Case(
                words,
                true,
                x,
                y,
                result,
                Stream.of(nodes).map(NodeDef.Builder::build).toList());
    }

    private static Case passes(
            String words, ElementComponent x, ElementComponent y, String result, NodeDef.Builder... nodes) {
        Case fails = fails(words, x, y, result, nodes);
        return new Case(words, false, x, y, result, fails.nodes());
    }

    private static ElementComponent of(DataType type, long... sizes) {
        return ElementComponent.of(type, Protos.shape(sizes));
    }

    private static NodeDef.Builder node(String name, String op, DataType type, String... inputs) {
        return Protos.node(name, op, inputs).putAttr("T", Protos.type(type));
    }

    private static NodeDef.Builder out(String op, DataType type, String... inputs) {
        return node("out", op, type, inputs);
    }

    private static NodeDef.Builder int32(String name, int value) {
        return Protos.constant(name, Protos.int32(value));
    }

    private static NodeDef.Builder ones(String name, long... sizes) {
        return Protos.constant(
                name,
                TensorProto.newBuilder()
                        .setDtype(FLOAT)
                        .setTensorShape(Protos.shape(sizes))
                        .addFloatVal(1)
                        .build());
    }

    private static NodeDef.Builder size(String of, DataType type) {
        return node("size", "Size", type, of).putAttr("out_type", Protos.type(INT));
    }

    private static NodeDef.Builder largest() {
        return out("ArgMax", FLOAT, "x", "axis:output:0")
                .putAttr("Tidx", Protos.type(INT))
                .putAttr("output_type", Protos.type(DataType.DT_INT64));
    }

    private static NodeDef.Builder split() {
        return out("Split", FLOAT, "axis:output:0", "x").putAttr("num_split", Protos.number(3));
    }

    private static NodeDef.Builder pack() {
        return out("Pack", FLOAT, "x", "y").putAttr("N", Protos.number(2)).putAttr("axis", Protos.number(0));
    }

    private static NodeDef.Builder hues() {
        return out("AdjustHue", FLOAT, "x", "by:output:0");
    }

    private static NodeDef.Builder product() {
        return out("BatchMatMulV2", FLOAT, "x", "by:output:0")
                .putAttr("adj_x", Protos.bool(false))
                .putAttr("adj_y", Protos.bool(false));
    }

    private static NodeDef.Builder text(String name, String value) {
        return Protos.constant(name, Protos.bytes(ByteString.copyFromUtf8(value)));
    }

    private static NodeDef.Builder replaced(String text, String pattern) {
        return Protos.node("out", "RegexReplace", text, pattern, "by:output:0")
                .putAttr("replace_global", Protos.bool(true));
    }

    private static NodeDef.Builder drawn(String most) {
        return Protos.node(
                        "drawn", "StatelessRandomUniformInt", "shape:output:0", "seed:output:0", "least:output:0", most)
                .putAttr("dtype", Protos.type(INT))
                .putAttr("T", Protos.type(INT))
                .putAttr("Tseed", Protos.type(INT));
    }

    private static NodeDef.Builder numbers(String name, Integer... values) {
        return Protos.constant(name, Protos.int32s(values));
    }

    static Stream<Case> cases() {
        ElementComponent one = of(INT);
        ElementComponent row = of(FLOAT, -1);
        ElementComponent picture = of(FLOAT, -1, -1, -1);
        NodeDef.Builder axis = int32("axis", 0);
        return Stream.of(
                fails("2^x", one, one, "out:z:0", int32("two", 2), out("Pow", INT, "two:output:0", "x")),
                passes("x^y of fractions", row, of(FLOAT), "out:z:0", out("Pow", FLOAT, "x", "y")),
                fails("the largest of none", row, one, "out:output:0", axis, largest()),
                passes("the largest of six", of(FLOAT, 6), one, "out:output:0", axis, largest()),
                fails("thirds of a row", row, one, "out:output:0", axis, split()),
                passes("thirds of six", of(FLOAT, 6), one, "out:output:0", axis, split()),
                fails("three and some", of(FLOAT, 3), row, "out:output:0", pack()),
                passes("three and three", of(FLOAT, 3), of(FLOAT, 3), "out:output:0", pack()),
                fails(
                        "bytes as numbers",
                        of(DataType.DT_UINT8, -1),
                        one,
                        "out:output:0",
                        out("Bitcast", DataType.DT_UINT8, "x").putAttr("type", Protos.type(INT))),
                fails("hues", picture, one, "out:output:0", ones("by"), hues()),
                passes("hues of colours", of(FLOAT, -1, -1, 3), one, "out:output:0", ones("by"), hues()),
                fails("hues of a picture", picture, one, "out:output:0", out("RGBToHSV", FLOAT, "x")),
                fails("a product of matrices", picture, one, "out:output:0", ones("by", 3, 2), product()),
                passes("one of known sizes", of(FLOAT, 4, 4, 3), one, "out:output:0", ones("by", 3, 2), product()),
                fails(
                        "a sum of one shape",
                        row,
                        one,
                        "out:sum:0",
                        ones("by", 1),
                        out("AddN", FLOAT, "x", "by:output:0").putAttr("N", Protos.number(2))),
                fails(
                        "a row of so many",
                        one,
                        one,
                        "out:output:0",
                        ones("on"),
                        ones("off"),
                        out("OneHot", FLOAT, "y", "x", "on:output:0", "off:output:0")
                                .putAttr("TI", Protos.type(INT))
                                .putAttr("axis", Protos.number(-1))),
                fails(
                        "an element's pattern",
                        of(STRING),
                        one,
                        "out:output:0",
                        text("by", "b"),
                        replaced("by:output:0", "x")),
                passes(
                        "a pattern in an element",
                        of(STRING),
                        one,
                        "out:output:0",
                        text("by", "b"),
                        replaced("x", "by:output:0")),
                fails(
                        "a draw below a size",
                        one,
                        row,
                        "out:z:0",
                        size("y", FLOAT),
                        numbers("shape"),
                        numbers("seed", 1, 2),
                        int32("least", 0),
                        drawn("size:output:0"),
                        out("AddV2", INT, "x", "drawn:output:0")),
                passes(
                        "a draw below a number",
                        one,
                        row,
                        "out:z:0",
                        numbers("shape"),
                        numbers("seed", 1, 2),
                        int32("least", 0),
                        int32("most", 9),
                        drawn("most:output:0"),
                        out("AddV2", INT, "x", "drawn:output:0")),
                fails(
                        "a share of a size",
                        one,
                        row,
                        "out:z:0",
                        size("y", FLOAT),
                        int32("all", 100),
                        node("share", "FloorDiv", INT, "all:output:0", "size:output:0"),
                        out("AddV2", INT, "x", "share:z:0")),
                passes(
                        "half a size",
                        one,
                        row,
                        "out:z:0",
                        size("y", FLOAT),
                        int32("two", 2),
                        node("half", "FloorDiv", INT, "size:output:0", "two:output:0"),
                        out("AddV2", INT, "x", "half:z:0")),
                fails("a row of a table by a size", one, row, "out:z:0", lookedUp("size:output:0", size("y", FLOAT))),
                passes("a row of a table by a number", one, row, "out:z:0", lookedUp("at:output:0", int32("at", 1))),
                fails("a value of a table at a size", one, row, "out:z:0", cut(true, size("y", FLOAT), "place", "one")),
                passes(
                        "what of a table stands behind",
                        one,
                        row,
                        "out:z:0",
                        cut(false, size("y", FLOAT), "place", "one")),
                fails("every so many of a table", one, row, "out:z:0", cut(false, size("y", FLOAT), "one", "place")),
                fails("one of two of many lengths", row, row, "out:output:0", chosen()),
                passes("one of two of a length", of(FLOAT, 3), of(FLOAT, 3), "out:output:0", chosen()));
    }

    private static NodeDef.Builder[] lookedUp(String place, NodeDef.Builder said) {
        return new NodeDef.Builder[] {
            said,
            numbers("table", 1, 2, 3),
            int32("axis", 0),
            Protos.node("row", "GatherV2", "table:output:0", place, "axis:output:0")
                    .putAttr("Tparams", Protos.type(INT))
                    .putAttr("Tindices", Protos.type(INT))
                    .putAttr("Taxis", Protos.type(INT))
                    .putAttr("batch_dims", Protos.number(0)),
            out("AddV2", INT, "x", "row:output:0")
        };
    }

    /** Of a table from a place on, the one value there or every so many. */
    private static NodeDef.Builder[] cut(boolean one, NodeDef.Builder said, String from, String step) {
        return new NodeDef.Builder[] {
            said,
            int32("axis", 0),
            node("place", "ExpandDims", INT, "size:output:0", "axis:output:0").putAttr("Tdim", Protos.type(INT)),
            numbers("one", 1),
            numbers("nine", 9),
            numbers("table", 1, 2, 3),
            node("cut", "StridedSlice", INT, "table:output:0", from + ":output:0", "nine:output:0", step + ":output:0")
                    .putAttr("Index", Protos.type(INT))
                    .putAttr("begin_mask", Protos.number(0))
                    .putAttr("end_mask", Protos.number(0))
                    .putAttr("ellipsis_mask", Protos.number(0))
                    .putAttr("new_axis_mask", Protos.number(0))
                    .putAttr("shrink_axis_mask", Protos.number(one ? 1 : 0)),
            node("length", "Size", INT, "cut:output:0").putAttr("out_type", Protos.type(INT)),
            out("AddV2", INT, "x", "length:output:0")
        };
    }

    private static NodeDef.Builder[] chosen() {
        return new NodeDef.Builder[] {
            numbers("shape"),
            int32("least", 0),
            int32("most", 2),
            Protos.node("drawn", "RandomUniformInt", "shape:output:0", "least:output:0", "most:output:0")
                    .putAttr("T", Protos.type(INT))
                    .putAttr("Tout", Protos.type(INT)),
            node("first", "Less", INT, "drawn:output:0", "most:output:0"),
            out("SelectV2", FLOAT, "first:z:0", "x", "y")
        };
    }

    // of (1, 2, 3) two from the first on, whatever is done with that number before
    @Test
    void whatIsCutWhereAnElementSaysIsNoCopyOfTheElement() {
        NodeDef.Builder slice =
                out("Slice", INT, "table:output:0", "x", "two:output:0").putAttr("Index", Protos.type(INT));
        List<NodeDef> nodes = Stream.of(numbers("table", 1, 2, 3), numbers("two", 2), slice)
                .map(NodeDef.Builder::build)
                .toList();

        StepDescription step = described(of(INT, 1), of(INT), "out:output:0", nodes);

        assertThat(step.kind()).isEqualTo(StepKind.OPAQUE);
        assertThat(step.mayFail()).isTrue();
    }

    private static StepDescription described(
            ElementComponent x, ElementComponent y, String result, List<NodeDef> nodes) {
        DataType type = result.equals("out:z:0") ? x.dtype() : DataType.DT_INVALID;
        FunctionDef.Builder function =
                FunctionDef.newBuilder().putRet("first", result).putRet("second", "y");
        NodeDef last = nodes.get(nodes.size() - 1);
        DataType yielded =
                switch (last.getOp()) {
                    case "ArgMax" -> DataType.DT_INT64;
                    case "Bitcast", "Const", "Shape", "Slice" -> INT;
                    case "RegexReplace" -> STRING;
                    default -> type == DataType.DT_INVALID ? FLOAT : type;
                };
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", x.dtype()))
                .addInputArg(Protos.arg("y", y.dtype()))
                .addOutputArg(Protos.arg("first", yielded))
                .addOutputArg(Protos.arg("second", y.dtype()));
        nodes.forEach(function::addNodeDef);
        NodeDef source = Protos.node("source", "TensorDataset")
                .putAttr("Toutput_types", Protos.types(List.of(x.dtype(), y.dtype())))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.shape(x.shape()), Protos.shape(y.shape()))))
                .build();
        NodeDef map = Protos.node("map", "MapDataset", "source")
                .putAttr("f", Protos.function("f"))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("output_types", Protos.types(List.of(yielded, y.dtype())))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.shape(x.shape()), Protos.shape(y.shape()))))
                .build();
        PipelineGraph graph = new PipelineGraph(
                List.of(source, map),
                List.of(function.build()),
                "map",
                VersionDef.newBuilder().setProducer(1882).setMinConsumer(12).build());
        return new Steps(new TensorFlowInference())
                .of(new SplitPipeline(graph, List.of(new Link("map", "map", "map"))))
                .get(0);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatThereAreElementsForThatItFailsOnMayFail(Case each) {
        StepDescription step = described(each.x(), each.y(), each.result(), each.nodes());

        assertThat(step.kind()).isNotEqualTo(StepKind.OPAQUE);
        assertThat(step.mayFail()).isEqualTo(each.fails());
    }

    private static Map<String, String> settings(ElementComponent x, ElementComponent y, NodeDef.Builder... nodes) {
        List<NodeDef> built = Stream.of(nodes).map(NodeDef.Builder::build).toList();
        return described(x, y, "out:z:0", built).ops().get(0).settings();
    }

    // of (4, 5, 6) that is 3, and 1 of the first of them, which is no part of 3
    @Test
    void whatIsMadeOfSizesOrOfNothingIsNoCopyOfTheElement() {
        NodeDef.Builder shape = out("Shape", FLOAT, "x").putAttr("out_type", Protos.type(INT));

        assertThat(kind("out:output:0", shape)).isEqualTo(StepKind.OPAQUE);
        assertThat(kind("out:output:0", int32("out", 3))).isEqualTo(StepKind.OPAQUE);
        assertThat(kind("out:y:0", out("Neg", FLOAT, "x"))).isEqualTo(StepKind.ELEMENTWISE);
    }

    private static StepKind kind(String result, NodeDef.Builder node) {
        return described(of(FLOAT, -1), of(FLOAT), result, List.of(node.build()))
                .kind();
    }

    // of (1, 2, 3) that is (4, 5, 6), and of its first two values alone (3, 4)
    @Test
    void anOperandThatFollowsFromSizesIsNoConstant() {
        ElementComponent row = of(INT, -1);

        assertThat(settings(row, row, size("x", INT), out("AddV2", INT, "x", "size:output:0")))
                .containsEntry("operand", "shape");
        assertThat(settings(row, row, int32("three", 3), out("AddV2", INT, "x", "three:output:0")))
                .containsEntry("operand", "scalar");
    }

    @Test
    void twoThatMayBeNoNumbersAreToldOf() {
        ElementComponent row = of(FLOAT, 3);

        assertThat(settings(row, of(FLOAT), out("AddV2", FLOAT, "x", "y"))).containsEntry("not_a_number", "true");
        assertThat(settings(row, row, out("AddV2", FLOAT, "x", "x"))).doesNotContainKey("not_a_number");
        assertThat(settings(of(INT, 3), of(INT), out("AddV2", INT, "x", "y"))).doesNotContainKey("not_a_number");
    }
}
