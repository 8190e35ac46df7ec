package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.ordering.function.Effects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * What a function of one element {@code (x, y)} becomes for a batch: a node is named {@code out}, or what its user calls it, and
 * gives {@code o}. Shown as it is calculated, with the constants that it is told, whatever nodes are called.
 */
class VectoriseTest {
    private static final DataType INT = DataType.DT_INT32;
    private static final DataType FLOAT = DataType.DT_FLOAT;

    private static final ElementComponent NUMBER = of(FLOAT);
    private static final ElementComponent ROW = of(FLOAT, 6);
    private static final ElementComponent TABLE = of(FLOAT, 4, 5);
    private static final ElementComponent PICTURE = of(FLOAT, 4, 5, 3);
    private static final ElementComponent ANY_ROW = of(FLOAT, -1);

    /** Each op gives one thing, or as many as a node says. */
    private static final OpInference OPS = new OpInference() {
        @Override
        public OpDef op(String name) {
            OpDef.ArgDef.Builder output = OpDef.ArgDef.newBuilder().setName("o");
            Optional.ofNullable(Map.of("Split", "num_split", "Unpack", "num").get(name))
                    .ifPresent(output::setNumberAttr);
            return OpDef.newBuilder().setName(name).addOutputArg(output).build();
        }

        @Override
        public List<ElementComponent> outputs(GraphDef graph, List<String> refs) {
            throw new AssertionError("nobody asks for " + refs);
        }
    };

    private static ElementComponent of(DataType type, long... sizes) {
        return ElementComponent.of(type, Protos.shape(sizes));
    }

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return node("out", op, inputs);
    }

    private static NodeDef.Builder numbers(String name, Integer... values) {
        return Protos.constant(name, Protos.int32s(values));
    }

    private static NodeDef.Builder number(String name, int value) {
        return Protos.constant(name, Protos.int32(value));
    }

    private static NodeDef.Builder grid(String name, long rows, long columns, Integer... values) {
        TensorProto.Builder tensor = Protos.int32s(values).toBuilder().setTensorShape(Protos.shape(rows, columns));
        return Protos.constant(name, tensor.build());
    }

    /** The function for a batch of elements {@code (x, y)}; of what nodes give, shapes are those of {@code known}. */
    private static FunctionDef batched(
            ElementComponent x, ElementComponent y, Map<String, ElementComponent> known, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", x.dtype()))
                .addInputArg(Protos.arg("y", y.dtype()))
                .addInputArg(Protos.arg("captured", FLOAT))
                .addOutputArg(Protos.arg("result", FLOAT));
        Map<String, ElementComponent> types = new HashMap<>(known);
        types.put("x", x);
        types.put("y", y);
        types.put("captured", NUMBER);
        types.putIfAbsent("out:o:0", NUMBER);
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
            if (node.getOp().equals("Const")) {
                TensorProto value = node.getAttrOrThrow("value").getTensor();
                types.put(node.getName() + ":o:0", ElementComponent.of(value.getDtype(), value.getTensorShape()));
            }
        }
        FunctionDef made = function.putRet("result", "out:o:0").build();
        return new Vectorise(made, 2, types, new Effects(Map.of("f", made), OPS)).function();
    }

    private static String shown(
            ElementComponent x, ElementComponent y, Map<String, ElementComponent> known, NodeDef.Builder... nodes) {
        FunctionDef function = batched(x, y, known, nodes);
        return shown(function.getRetOrThrow("result"), function);
    }

    private static String shown(ElementComponent x, NodeDef.Builder... nodes) {
        return shown(x, NUMBER, Map.of(), nodes);
    }

    private static String shown(String ref, FunctionDef function) {
        String name = ref.replaceFirst(":.*", "");
        Optional<NodeDef> node = function.getNodeDefList().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst();
        if (node.isEmpty()) {
            return ref;
        }
        if (node.get().getOp().equals("Const")) {
            return shown(node.get().getAttrOrThrow("value").getTensor());
        }
        String inputs = node.get().getInputList().stream()
                .map(input -> shown(input, function))
                .collect(Collectors.joining(", ", "(", ")"));
        String place = ref.endsWith(":1") ? "[1]" : "";
        return node.get().getOp() + inputs + place + said(node.get());
    }

    private static String shown(TensorProto value) {
        List<TensorShapeProto.Dim> sizes = value.getTensorShape().getDimList();
        List<?> values = value.getDtype() == DataType.DT_STRING ? Constants.strings(value) : Constants.integers(value);
        String shape = sizes.size() < 2
                ? ""
                : " as " + sizes.get(0).getSize() + "x" + sizes.get(1).getSize();
        return (sizes.isEmpty() ? values.get(0).toString() : values.toString()) + shape;
    }

    /** The attributes that say where: numbers other than 0, lists of them, shapes. */
    private static String said(NodeDef node) {
        Map<String, String> said = new TreeMap<>();
        node.getAttrMap().forEach((key, value) -> {
            if (value.getI() != 0 && !key.equals("N") && !key.startsWith("num")) {
                said.put(key, Long.toString(value.getI()));
            }
            if (value.getList().getICount() > 0) {
                said.put(key, value.getList().getIList().toString());
            }
            if (value.hasShape()) {
                said.put(
                        key,
                        value.getShape().getUnknownRank()
                                ? "any"
                                : value.getShape().getDimList().stream()
                                        .map(TensorShapeProto.Dim::getSize)
                                        .toList()
                                        .toString());
            }
        });
        return said.isEmpty() ? "" : " " + said;
    }

    private static void refused(String why, ElementComponent x, ElementComponent y, NodeDef.Builder... nodes) {
        assertThatThrownBy(() -> batched(x, y, Map.of(), nodes))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage(why);
    }

    private static void hasNoRule(ElementComponent x, ElementComponent y, NodeDef.Builder... nodes) {
        String op = nodes[nodes.length - 1].getOp();
        refused(op + " has no rule for batches as it is used here", x, y, nodes);
    }

    // ---- value by value

    @Test
    void whatIsOfOneTensorIsOfItsBatch() {
        assertThat(shown(PICTURE, out("Abs", "x"))).isEqualTo("Abs(x)");
        assertThat(shown(of(DataType.DT_STRING), out("StringToNumber", "x"))).isEqualTo("StringToNumber(x)");
        assertThat(shown(of(DataType.DT_STRING), out("DecodeRaw", "x"))).isEqualTo("DecodeRaw(x)");
        hasNoRule(PICTURE, NUMBER, out("Cumsum", "x"));
    }

    // 4 x 5 and one: the one stands for all of an element's values, and not for all elements
    @Test
    void operandsMeetByTheirLastDimensionsBehindTheBatchs() {
        assertThat(shown(PICTURE, number("two", 2), out("AddV2", "x", "two:o:0")))
                .isEqualTo("AddV2(x, 2)");
        assertThat(shown(TABLE, out("AddV2", "x", "y"))).isEqualTo("AddV2(x, ExpandDims(ExpandDims(y, 1), 1))");
        assertThat(shown(NUMBER, TABLE, Map.of(), out("AddV2", "x", "y")))
                .isEqualTo("AddV2(ExpandDims(ExpandDims(x, 1), 1), y)");
        assertThat(shown(ROW, ROW, Map.of(), out("AddV2", "x", "y"))).isEqualTo("AddV2(x, y)");
        assertThat(shown(NUMBER, numbers("two", 2, 3), out("AddV2", "x", "two:o:0")))
                .isEqualTo("AddV2(ExpandDims(x, 1), [2, 3])");
        assertThat(shown(NUMBER, out("AddV2", "x", "captured"))).isEqualTo("AddV2(x, captured)");
        refused(
                "what AddV2 is given has an unknown number of dimensions",
                new ElementComponent(FLOAT, false, List.of()),
                NUMBER,
                out("AddV2", "x", "y"));
    }

    @Test
    void whatChoosesBetweenWholeElementsChoosesForEach() {
        ElementComponent flag = of(DataType.DT_BOOL);
        assertThat(shown(ROW, flag, Map.of(), out("Select", "y", "x", "x")))
                .isEqualTo("SelectV2(ExpandDims(y, 1), x, x)");
        assertThat(shown(ROW, of(DataType.DT_BOOL, 6), Map.of(), out("Select", "y", "x", "x")))
                .isEqualTo("SelectV2(y, x, x)");
        // the older op takes one for each row
        hasNoRule(TABLE, of(DataType.DT_BOOL, 4), out("Select", "y", "x", "x"));
    }

    @Test
    void boundsAndPlacesAreSingleNumbers() {
        for (String op : List.of("ClipByValue", "Substr", "RegexReplace")) {
            assertThat(shown(ROW, number("from", 0), number("to", 1), out(op, "x", "from:o:0", "to:o:0")))
                    .isEqualTo(op + "(x, 0, 1)");
            hasNoRule(ROW, NUMBER, numbers("from", 0, 1), number("to", 1), out(op, "x", "from:o:0", "to:o:0"));
            hasNoRule(ROW, NUMBER, number("from", 0), numbers("to", 1), out(op, "x", "from:o:0", "to:o:0"));
            hasNoRule(ROW, NUMBER, number("from", 0), out(op, "x", "from:o:0", "y"));
        }
    }

    @Test
    void aSumOfSeveralIsOneOfRowsOnly() {
        assertThat(shown(ROW, ROW, Map.of(), out("AddN", "x", "y"))).isEqualTo("AddN(x, y)");
        hasNoRule(NUMBER, NUMBER, out("AddN", "x", "captured"));
    }

    // ---- along dimensions

    @ParameterizedTest
    @ValueSource(strings = {"Sum", "Max", "ArgMax", "All", "ReverseV2"})
    void anAxisIsCountedBehindTheBatchsUnlessFromTheLast(String op) {
        assertThat(shown(PICTURE, number("axis", 0), out(op, "x", "axis:o:0"))).isEqualTo(op + "(x, 1)");
        assertThat(shown(PICTURE, numbers("axes", 1, -1), out(op, "x", "axes:o:0")))
                .isEqualTo(op + "(x, [2, -1])");
        refused(
                op + " is told where by what is no constant, which has no rule for batches",
                PICTURE,
                NUMBER,
                out(op, "x", "captured"));
        hasNoRule(PICTURE, of(INT), out(op, "x", "y"));
    }

    @Test
    void severalArePutTogetherAlongTheirOwnDimension() {
        assertThat(shown(ROW, ROW, Map.of(), number("axis", 0), out("ConcatV2", "x", "y", "axis:o:0")))
                .isEqualTo("ConcatV2(x, y, 1)");
        hasNoRule(NUMBER, NUMBER, number("axis", 0), out("ConcatV2", "x", "captured", "axis:o:0"));
        assertThat(shown(ROW, ROW, Map.of(), out("Pack", "x", "y").putAttr("axis", Protos.number(1))))
                .isEqualTo("Pack(x, y) {axis=2}");
        assertThat(shown(ROW, ROW, Map.of(), out("Pack", "x", "y").putAttr("axis", Protos.number(-1))))
                .isEqualTo("Pack(x, y) {axis=-1}");
        assertThat(shown(ROW, ROW, Map.of(), out("Pack", "x", "y"))).isEqualTo("Pack(x, y) {axis=1}");
        hasNoRule(NUMBER, NUMBER, out("Pack", "x", "captured"));
    }

    @Test
    void oneIsTakenApartAlongItsOwnDimension() {
        NodeDef.Builder parts = node("parts", "Split", "axis:o:0", "x").putAttr("num_split", Protos.number(2));
        NodeDef.Builder unpack = node("parts", "Unpack", "x").putAttr("num", Protos.number(2));
        Map<String, ElementComponent> second = Map.of("parts:o:1", ROW);
        assertThat(shown(ROW, NUMBER, second, number("axis", 0), parts, out("Abs", "parts:o:1")))
                .isEqualTo("Abs(Split(1, x)[1])");
        assertThat(shown(ROW, NUMBER, second, unpack, out("Abs", "parts:o:1"))).isEqualTo("Abs(Unpack(x)[1] {axis=1})");
        assertThat(shown(ROW, numbers("sizes", 2, 4), number("axis", 0), out("SplitV", "x", "sizes:o:0", "axis:o:0")))
                .isEqualTo("SplitV(x, [2, 4], 1)");
        hasNoRule(ROW, of(INT), out("Split", "y", "x").putAttr("num_split", Protos.number(2)));
        hasNoRule(ROW, of(INT, 2), number("axis", 0), out("SplitV", "x", "y", "axis:o:0"));
    }

    // behind the last dimension where nothing is said, as TensorFlow does
    @Test
    void aRowForEachValueStandsWhereItStoodInAnElement() {
        NodeDef.Builder[] row = {number("six", 6), number("on", 1), number("off", 0), null};
        for (int axis = -1; axis <= 1; axis++) {
            row[3] = out("OneHot", "x", "six:o:0", "on:o:0", "off:o:0").putAttr("axis", Protos.number(axis));
            assertThat(shown(of(INT, 3), row))
                    .isEqualTo("OneHot(x, 6, 1, 0) {axis=" + (axis < 0 ? axis : axis + 1) + "}");
        }
        row[3] = out("OneHot", "x", "six:o:0", "on:o:0", "off:o:0");
        assertThat(shown(of(INT, 3), row)).isEqualTo("OneHot(x, 6, 1, 0) {axis=-1}");
        hasNoRule(of(INT, 3), NUMBER, number("six", 6), out("OneHot", "x", "six:o:0", "y", "y"));
    }

    @Test
    void operandsWithANumberForEachDimensionHaveOneForTheBatchs() {
        assertThat(shown(
                        TABLE,
                        numbers("from", 1, 0),
                        numbers("size", 2, -1),
                        out("Slice", "x", "from:o:0", "size:o:0")))
                .isEqualTo("Slice(x, [0, 1, 0], [-1, 2, -1])");
        assertThat(shown(TABLE, numbers("times", 2, 1), out("Tile", "x", "times:o:0")))
                .isEqualTo("Tile(x, [1, 2, 1])");
        assertThat(shown(TABLE, grid("by", 2, 2, 1, 1, 0, 3), out("Pad", "x", "by:o:0")))
                .isEqualTo("Pad(x, [0, 0, 1, 1, 0, 3] as 3x2)");
        assertThat(shown(TABLE, numbers("order", 1, 0), out("Transpose", "x", "order:o:0")))
                .isEqualTo("Transpose(x, [0, 2, 1])");
        assertThat(shown(PICTURE, numbers("order", -1, 0, -2), out("Transpose", "x", "order:o:0")))
                .isEqualTo("Transpose(x, [0, 3, 1, 2])");
    }

    @Test
    void whatIsNoConstantButKnownInSizeIsPutBehindOne() {
        Map<String, ElementComponent> two = Map.of("times:o:0", of(INT, 2));
        assertThat(shown(
                        TABLE,
                        NUMBER,
                        two,
                        numbers("a", 2, 1),
                        node("times", "Neg", "a:o:0"),
                        out("Tile", "x", "times:o:0")))
                .isEqualTo("Tile(x, ConcatV2([1], Neg([2, 1]), 0))");
        assertThatThrownBy(() -> batched(
                        TABLE,
                        NUMBER,
                        Map.of("times:o:0", of(INT, -1)),
                        numbers("a", 2, 1),
                        node("times", "Neg", "a:o:0"),
                        out("Tile", "x", "times:o:0")))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage("Tile is told where by what follows from the element");
    }

    // ---- how many dimensions there are

    @Test
    void aNewDimensionStandsWhereItStoodInAnElement() {
        assertThat(shown(TABLE, number("axis", 1), out("ExpandDims", "x", "axis:o:0")))
                .isEqualTo("ExpandDims(x, 2)");
        assertThat(shown(TABLE, number("axis", -1), out("ExpandDims", "x", "axis:o:0")))
                .isEqualTo("ExpandDims(x, -1)");
        assertThat(shown(TABLE, number("axis", 0), out("ExpandDims", "x", "axis:o:0")))
                .isEqualTo("ExpandDims(x, 1)");
        assertThat(shown(TABLE, number("axis", -3), out("ExpandDims", "x", "axis:o:0")))
                .isEqualTo("ExpandDims(x, 1)");
        assertThat(shown(TABLE, number("axis", -2), out("ExpandDims", "x", "axis:o:0")))
                .isEqualTo("ExpandDims(x, -2)");
    }

    private static AttrValue dims(long... dims) {
        AttrValue.Builder list = AttrValue.newBuilder();
        for (long dim : dims) {
            list.getListBuilder().addI(dim);
        }
        return list.build();
    }

    @Test
    void aDimensionThatIsTakenAwayIsTheElements() {
        ElementComponent ones = of(FLOAT, 1, 4, 1);
        assertThat(shown(ones, out("Squeeze", "x").putAttr("squeeze_dims", dims(0, -1))))
                .isEqualTo("Squeeze(x) {squeeze_dims=[1, -1]}");
        // where none is said, all that the element has, and never the batch's
        assertThat(shown(ones, out("Squeeze", "x"))).isEqualTo("Squeeze(x) {squeeze_dims=[1, 3]}");
        assertThat(shown(TABLE, out("Squeeze", "x"))).isEqualTo("x");
        hasNoRule(of(FLOAT, 1, -1), NUMBER, out("Squeeze", "x"));
    }

    /** A picture is given a dimension for the resize, which takes pictures by the batch, and loses it again. */
    @Test
    void pictureByPictureIsAllPicturesAtOnce() {
        Map<String, ElementComponent> known =
                Map.of("one:o:0", of(FLOAT, 1, 4, 5, 3), "large:o:0", of(FLOAT, 1, 8, 8, 3));
        NodeDef.Builder one = node("one", "ExpandDims", "x", "axis:o:0");
        NodeDef.Builder large = node("large", "ResizeBilinear", "one:o:0", "size:o:0");
        NodeDef.Builder axis = number("axis", 0);
        NodeDef.Builder size = numbers("size", 8, 8);
        assertThat(shown(
                        PICTURE,
                        NUMBER,
                        known,
                        axis,
                        size,
                        one,
                        large,
                        out("Squeeze", "large:o:0").putAttr("squeeze_dims", dims(0))))
                .isEqualTo("ResizeBilinear(x, [8, 8])");
        NodeDef.Builder first = slice("large:o:0", 0, 0, 0, 0, 1);
        assertThat(shown(
                        PICTURE,
                        NUMBER,
                        known,
                        axis,
                        size,
                        one,
                        large,
                        numbers("from", 0),
                        numbers("until", 1),
                        numbers("by", 1),
                        first))
                .isEqualTo("ResizeBilinear(x, [8, 8])");
        // by one number a picture it is what it is for one
        assertThat(shown(PICTURE, NUMBER, known, axis, size, one, large, out("Abs", "large:o:0")))
                .isEqualTo("ExpandDims(Abs(ResizeBilinear(x, [8, 8])), 1)");
        assertThat(shown(
                        PICTURE,
                        NUMBER,
                        known,
                        axis,
                        size,
                        one,
                        large,
                        out("Squeeze", "large:o:0").putAttr("squeeze_dims", dims(1))))
                .isEqualTo("Squeeze(ExpandDims(ResizeBilinear(x, [8, 8]), 1)) {squeeze_dims=[2]}");
        hasNoRule(of(FLOAT, 1, 4, 5, 3), NUMBER, size, out("ResizeBilinear", "x", "size:o:0"));
    }

    /** {@code from:until:by} along the first dimensions, with masks as TensorFlow writes them. */
    private static NodeDef.Builder slice(
            String of, long beginMask, long endMask, long ellipsis, long newAxis, long shrink) {
        return out("StridedSlice", of, "from:o:0", "until:o:0", "by:o:0")
                .putAttr("begin_mask", Protos.number(beginMask))
                .putAttr("end_mask", Protos.number(endMask))
                .putAttr("ellipsis_mask", Protos.number(ellipsis))
                .putAttr("new_axis_mask", Protos.number(newAxis))
                .putAttr("shrink_axis_mask", Protos.number(shrink));
    }

    @Test
    void aSliceIsOneOfEachElementsDimensions() {
        NodeDef.Builder[] bounds = {numbers("from", 1), numbers("until", 3), numbers("by", 1), null};
        bounds[3] = slice("x", 0, 0, 0, 0, 0);
        assertThat(shown(TABLE, bounds))
                .isEqualTo("StridedSlice(x, [0, 1], [0, 3], [1, 1]) {begin_mask=1, end_mask=1}");
        bounds[3] = slice("x", 1, 0, 0, 0, 1);
        assertThat(shown(TABLE, bounds))
                .isEqualTo("StridedSlice(x, [0, 1], [0, 3], [1, 1]) {begin_mask=3, end_mask=1, shrink_axis_mask=2}");
        bounds[3] = slice("x", 0, 1, 0, 0, 0);
        assertThat(shown(TABLE, bounds))
                .isEqualTo("StridedSlice(x, [0, 1], [0, 3], [1, 1]) {begin_mask=1, end_mask=3}");
        bounds[3] = slice("x", 0, 0, 1, 0, 0);
        assertThat(shown(TABLE, bounds))
                .isEqualTo("StridedSlice(x, [0, 1], [0, 3], [1, 1]) {begin_mask=1, ellipsis_mask=2, end_mask=1}");
        bounds[3] = slice("x", 0, 0, 0, 1, 0);
        assertThat(shown(TABLE, bounds)).isEqualTo("ExpandDims(x, 1)");
        // the first of rows of which there is one
        bounds[3] = slice("x", 0, 0, 0, 0, 1);
        assertThat(shown(of(FLOAT, 1, 5), bounds))
                .isEqualTo("StridedSlice(x, [0, 1], [0, 3], [1, 1]) {begin_mask=1, end_mask=1, shrink_axis_mask=2}");
    }

    @Test
    void aNewDimensionBesideASliceIsNoPictureOfItsOwn() {
        NodeDef.Builder[] bounds = {
            numbers("from", 0, 1), numbers("until", 0, 3), numbers("by", 1, 1), slice("x", 0, 0, 0, 1, 0)
        };
        assertThat(shown(TABLE, bounds))
                .isEqualTo(
                        "StridedSlice(x, [0, 0, 1], [0, 0, 3], [1, 1, 1]) {begin_mask=1, end_mask=1, new_axis_mask=2}");
    }

    @Test
    void aShapeIsThatOfEachElement() {
        assertThat(shown(PICTURE, numbers("shape", 20, 3), out("Reshape", "x", "shape:o:0")))
                .isEqualTo("Reshape(x, [-1, 20, 3])");
        assertThat(shown(PICTURE, numbers("shape", -1, 3), out("Reshape", "x", "shape:o:0")))
                .isEqualTo("Reshape(x, [-1, 20, 3])");
        assertThat(shown(of(FLOAT, 1), numbers("shape"), out("Reshape", "x", "shape:o:0")))
                .isEqualTo("Reshape(x, [-1])");
        hasNoRule(of(FLOAT, 0, 3), NUMBER, numbers("shape", -1), out("Reshape", "x", "shape:o:0"));
        hasNoRule(of(FLOAT, 2), NUMBER, numbers("shape", 0), out("Reshape", "x", "shape:o:0"));
    }

    // rows of other lengths could make as many values together
    @Test
    void aShapeThatSaysHowManyValuesThereAreIsHeldAgainstEach() {
        assertThat(shown(ANY_ROW, numbers("shape", 2, 3), out("Reshape", "x", "shape:o:0")))
                .isEqualTo("Reshape(EnsureShape(x) {shape=[-1, 6]}, [-1, 2, 3])");
        hasNoRule(ANY_ROW, NUMBER, numbers("shape", 2, -1), out("Reshape", "x", "shape:o:0"));
        hasNoRule(of(FLOAT, -1, 3), NUMBER, numbers("shape", 6), out("Reshape", "x", "shape:o:0"));
        hasNoRule(
                new ElementComponent(FLOAT, false, List.of()),
                NUMBER,
                numbers("shape", 6),
                out("Reshape", "x", "shape:o:0"));
    }

    @Test
    void aShapeThatIsAssertedIsThatOfEachElement() {
        AttrValue shape = AttrValue.newBuilder().setShape(Protos.shape(4, -1)).build();
        AttrValue any = AttrValue.newBuilder()
                .setShape(TensorShapeProto.newBuilder().setUnknownRank(true))
                .build();
        assertThat(shown(TABLE, out("EnsureShape", "x").putAttr("shape", shape)))
                .isEqualTo("EnsureShape(x) {shape=[-1, 4, -1]}");
        assertThat(shown(TABLE, out("EnsureShape", "x").putAttr("shape", any))).isEqualTo("EnsureShape(x) {shape=any}");
    }

    @ParameterizedTest
    @CsvSource({"Shape, '[4, 5, 3]'", "Size, 60", "Rank, 3"})
    void whatIsAskedOfAShapeIsWhatAnElementAnswers(String op, String said) {
        assertThat(shown(PICTURE, node("asked", op, "x"), out("FloorDiv", "captured", "asked:o:0")))
                .startsWith("BroadcastTo(FloorDiv(captured, " + said + "), ");
    }

    @Test
    void ofAnOpenShapeOnlyTheNumberOfDimensionsIsKnown() {
        ElementComponent open = of(FLOAT, -1, 5);
        assertThat(shown(open, node("asked", "Rank", "x"), out("FloorDiv", "captured", "asked:o:0")))
                .startsWith("BroadcastTo(FloorDiv(captured, 2), ");
        refused("Size has no rule for batches as it is used here", open, NUMBER, out("Size", "x"));
        refused("Shape has no rule for batches as it is used here", open, NUMBER, out("Shape", "x"));
        refused(
                "Rank has no rule for batches as it is used here",
                new ElementComponent(FLOAT, false, List.of()),
                NUMBER,
                out("Rank", "x"));
    }

    // ---- looked up

    @Test
    void rowsOfATableAreLookedUpForEachAndValuesOfEachAlongItsOwnDimension() {
        NodeDef.Builder table = numbers("table", 7, 8, 9);
        NodeDef.Builder places = numbers("places", 2, 0);
        NodeDef.Builder axis = number("axis", 0);
        assertThat(shown(of(INT), table, axis, out("GatherV2", "table:o:0", "x", "axis:o:0")))
                .isEqualTo("GatherV2([7, 8, 9], x, 0)");
        assertThat(shown(TABLE, places, axis, out("GatherV2", "x", "places:o:0", "axis:o:0")))
                .isEqualTo("GatherV2(x, [2, 0], 1)");
        hasNoRule(of(INT), NUMBER, table, number("axis", 1), out("GatherV2", "table:o:0", "x", "axis:o:0"));
        hasNoRule(TABLE, of(INT), axis, out("GatherV2", "x", "y", "axis:o:0"));
        hasNoRule(TABLE, of(INT), places, out("GatherV2", "x", "places:o:0", "y"));
        hasNoRule(
                TABLE,
                NUMBER,
                places,
                axis,
                out("GatherV2", "x", "places:o:0", "axis:o:0").putAttr("batch_dims", Protos.number(1)));
    }

    // ---- parsed

    private static NodeDef.Builder parse(TensorShapeProto shape) {
        return out("ParseExampleV2", "x", "names:o:0").putAttr("dense_shapes", Protos.shapes(List.of(shape)));
    }

    @Test
    void recordsAreParsedTogetherWhereTheirFeaturesHaveOneShape() {
        ElementComponent record = of(DataType.DT_STRING);
        NodeDef.Builder names = numbers("names");
        TensorShapeProto any =
                TensorShapeProto.newBuilder().setUnknownRank(true).build();
        AttrValue ragged = Protos.types(List.of(FLOAT));
        assertThat(shown(record, names, parse(Protos.shape(2)))).isEqualTo("ParseExampleV2(x, [])");
        hasNoRule(record, NUMBER, names, parse(Protos.shape(-1)));
        hasNoRule(record, NUMBER, names, parse(any));
        hasNoRule(record, NUMBER, names, parse(Protos.shape(2)).putAttr("num_sparse", Protos.number(1)));
        hasNoRule(record, NUMBER, names, parse(Protos.shape(2)).putAttr("ragged_value_types", ragged));
        assertThat(shown(record, names, parse(Protos.shape(2)).putAttr("ragged_value_types", Protos.types(List.of()))))
                .isEqualTo("ParseExampleV2(x, [])");
        // those of an element that are several are a batch already
        hasNoRule(of(DataType.DT_STRING, 2), NUMBER, names, parse(Protos.shape(2)));
    }

    @Test
    void aSingleRecordIsParsedByTheOpForSeveral() {
        AttrValue.Builder keys = AttrValue.newBuilder();
        keys.getListBuilder().addS(ByteString.copyFromUtf8("id"));
        NodeDef.Builder parse = out("ParseSingleExample", "x", "default:o:0")
                .putAttr("dense_keys", keys.build())
                .putAttr("Tdense", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("dense_shapes", Protos.shapes(List.of(Protos.SCALAR)));
        ElementComponent record = of(DataType.DT_STRING);

        assertThat(shown(record, numbers("default", 0), parse)).isEqualTo("ParseExampleV2(x, [], [], [id], [], [0])");
        hasNoRule(record, NUMBER, numbers("default", 0), parse.clone().putAttr("num_sparse", Protos.number(1)));
        hasNoRule(record, NUMBER, parse.clone().setInput(1, "y"));
    }

    // ---- the whole

    @Test
    void whatIsTheSameForAllComesAsOftenAsThereAreElements() {
        assertThat(shown(PICTURE, numbers("row", 7, 8), out("Neg", "row:o:0")))
                .isEqualTo("BroadcastTo(Neg([7, 8]), ConcatV2(Slice(Shape(x), [0], [1]), Shape(Neg([7, 8])), 0))");
    }

    @Test
    void whatDrawsOrMustRunIsForSingleElements() {
        refused(
                "it draws by RandomUniform, which is for single elements",
                ROW,
                NUMBER,
                numbers("shape", 2),
                out("RandomUniform", "shape:o:0"));
        hasNoRule(ROW, NUMBER, out("CheckNumerics", "x"));
    }

    @Test
    void nothingIsMadeOfWhatNothingIsKnownOf() {
        refused("nothing is known of gone:o:0", ROW, NUMBER, out("Abs", "gone:o:0"));
    }

    @Test
    void theFunctionSaysOfItselfThatItMakesRowsOfRows() {
        assertThat(batched(ROW, NUMBER, Map.of(), out("Abs", "x")).getAttrMap().keySet())
                .contains("_praline_rows");
    }
}
