package io.praline.worker.graph.ordering.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.Flows;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * Whether there are elements on which the node {@code out} fails, in a function of an element {@code x} and of something
 * {@code captured}; {@code size} is one of the element's.
 */
class FailingOpsTest {
    private static final DataType INT = DataType.DT_INT32;
    private static final DataType FLOAT = DataType.DT_FLOAT;

    private static final ElementComponent TABLE = of(FLOAT, 4, 5);
    private static final ElementComponent OPEN = of(FLOAT, -1, 5);
    private static final ElementComponent ANY = new ElementComponent(FLOAT, false, List.of());

    private static final OpInference NONE = new OpInference() {
        @Override
        public OpDef op(String name) {
            throw new AssertionError("nobody asks for " + name);
        }

        @Override
        public List<ElementComponent> outputs(GraphDef graph, List<String> refs) {
            throw new AssertionError("nobody asks for " + refs);
        }
    };

    private static ElementComponent of(DataType type, long... sizes) {
        return ElementComponent.of(type, Protos.shape(sizes));
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return Protos.node("out", op, inputs);
    }

    /** What is known of the function, where its last node is looked at. */
    private record Known(FailingOps failing, Flows flows, NodeDef out) {
        boolean onValues() {
            Set<Flows.From> beside = EnumSet.noneOf(Flows.From.class);
            for (String input : out.getInputList()) {
                if (!flows.of(input).contains(Flows.From.VALUES)) {
                    beside.addAll(flows.of(input));
                }
            }
            return failing.onValues(out, beside);
        }
    }

    private static Known known(ElementComponent x, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", x.dtype()))
                .addInputArg(Protos.arg("captured", INT))
                .addOutputArg(Protos.arg("result", FLOAT));
        function.addNodeDef(Protos.constant("zero", Protos.int32(0)))
                .addNodeDef(Protos.constant("ones", Protos.int32s(1)))
                .addNodeDef(Protos.constant("table", Protos.int32s(7, 8, 9)))
                .addNodeDef(Protos.constant("half", Protos.float32(0.5f)))
                .addNodeDef(Protos.node("size", "Size", "x"));
        Map<String, ElementComponent> types = new HashMap<>();
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        for (NodeDef node : function.getNodeDefList()) {
            if (node.getOp().equals("Const")) {
                TensorProto value = node.getAttrOrThrow("value").getTensor();
                types.put(node.getName() + ":o:0", ElementComponent.of(value.getDtype(), value.getTensorShape()));
            }
        }
        types.put("x", x);
        types.put("captured", of(INT));
        types.put("size:o:0", of(INT));
        FunctionDef made = function.putRet("result", "out:o:0").build();
        Effects effects = new Effects(Map.of("f", made), NONE);
        Body body = Body.of(made, effects);
        Flows flows = Flows.ofMap(body, effects, 1);
        return new Known(
                new FailingOps(flows, types), flows, body.producer("out").orElseThrow());
    }

    private static boolean fails(ElementComponent x, NodeDef.Builder... nodes) {
        return known(x, nodes).onValues();
    }

    private static boolean failsBeside(NodeDef.Builder... nodes) {
        Known known = known(OPEN, nodes);
        return known.failing().besideValues(known.out());
    }

    // ---- on values

    @ParameterizedTest
    @ValueSource(strings = {"ExpandDims", "Pad", "PadV2", "ReverseV2", "Roll", "Tile", "Transpose"})
    void whatIsToldWhereByAConstantTakesEveryElement(String op) {
        assertThat(fails(OPEN, out(op, "x", "zero:o:0"))).isFalse();
        assertThat(fails(OPEN, out(op, "x", "captured"))).isTrue();
        assertThat(fails(OPEN, out(op, "x", "size:o:0"))).isTrue();
        assertThat(fails(ANY, out(op, "x", "zero:o:0"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Slice",
                "ImageProjectiveTransformV2",
                "ImageProjectiveTransformV3",
                "MirrorPad",
                "ResizeArea",
                "ResizeBicubic",
                "ResizeBilinear",
                "ResizeNearestNeighbor",
                "ScaleAndTranslate",
                "Reshape",
                "Squeeze",
                "GatherV2",
                "Pack",
                "ConcatV2",
                "Split",
                "SplitV",
                "Unpack",
                "BroadcastTo",
                "MatMul",
                "BatchMatMulV2",
                "AddN",
                "ArgMax",
                "ArgMin",
                "Bitcast",
            })
    void whatHangsOnSizesTakesThoseThatAreKnown(String op) {
        assertThat(fails(TABLE, out(op, "x", "zero:o:0"))).isFalse();
        assertThat(fails(OPEN, out(op, "x", "zero:o:0"))).isTrue();
        assertThat(fails(TABLE, out(op, "x", "captured"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"})
    void whatIsSummedUpHasItsAxes(String op) {
        assertThat(fails(OPEN, out(op, "x", "zero:o:0"))).isFalse();
        assertThat(fails(ANY, out(op, "x", "zero:o:0"))).isTrue();
        assertThat(fails(OPEN, out(op, "x", "captured"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Div", "FloorDiv", "FloorMod", "Mod", "RealDiv", "TruncateDiv", "TruncateMod", "Pow"})
    void wholeNumbersAreNotDividedByZeroNorHaveTheyPowersBelowIt(String op) {
        assertThat(fails(of(INT, 3), out(op, "x", "zero:o:0"))).isTrue();
        assertThat(fails(of(DataType.DT_INT64, 3), out(op, "x", "zero:o:0"))).isTrue();
        for (DataType fraction : List.of(FLOAT, DataType.DT_DOUBLE, DataType.DT_HALF, DataType.DT_BFLOAT16)) {
            assertThat(fails(of(fraction, 3), out(op, "x", "zero:o:0"))).isFalse();
        }
    }

    @Test
    void operandsThatTheGraphLeavesOpenMayNotMeet() {
        assertThat(fails(OPEN, out("AddV2", "x", "zero:o:0"))).isFalse();
        assertThat(fails(of(FLOAT, -1), out("AddV2", "x", "table:o:0"))).isTrue();
        assertThat(fails(of(FLOAT, 3), out("AddV2", "x", "table:o:0"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OneHot", "RegexReplace"})
    void aPatternOrANumberOfValuesIsAConstant(String op) {
        assertThat(fails(TABLE, out(op, "x", "zero:o:0"))).isFalse();
        assertThat(fails(TABLE, out(op, "x", "captured"))).isTrue();
        assertThat(fails(TABLE, out(op, "x", "size:o:0"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AdjustContrastv2", "AdjustHue", "AdjustSaturation", "HSVToRGB", "RGBToHSV"})
    void picturesOfAnotherNumberOfChannelsAreNotTaken(String op) {
        assertThat(fails(of(FLOAT, -1, -1, 3), out(op, "x"))).isFalse();
        assertThat(fails(of(FLOAT, -1, -1, 0), out(op, "x"))).isFalse();
        assertThat(fails(of(FLOAT, 4, 5, -1), out(op, "x"))).isTrue();
        assertThat(fails(of(FLOAT), out(op, "x"))).isTrue();
        assertThat(fails(ANY, out(op, "x"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Abs, false",
        "Cast, false",
        "StringLower, false",
        "DecodeJpeg, true",
        "ParseTensor, true",
        "StringToNumber, true",
        "Substr, true",
        "NobodyKnowsIt, true",
    })
    void whatReadsBytesMayNotReadThem(String op, boolean fails) {
        assertThat(fails(of(DataType.DT_STRING), out(op, "x"))).isEqualTo(fails);
    }

    private static AttrValue shape(long... sizes) {
        return AttrValue.newBuilder().setShape(Protos.shape(sizes)).build();
    }

    @Test
    void aShapeThatIsAssertedIsTheOneThatIsKnown() {
        NodeDef.Builder ensured = out("EnsureShape", "x");
        assertThat(fails(TABLE, ensured.putAttr("shape", shape(4, 5)))).isFalse();
        assertThat(fails(TABLE, ensured.putAttr("shape", shape(4, -1)))).isFalse();
        assertThat(fails(TABLE, ensured.putAttr("shape", shape(4, 6)))).isTrue();
        assertThat(fails(TABLE, ensured.putAttr("shape", shape(6, 5)))).isTrue();
        assertThat(fails(TABLE, ensured.putAttr("shape", shape(4)))).isTrue();
        assertThat(fails(OPEN, ensured.putAttr("shape", shape(4, 5)))).isTrue();
        assertThat(fails(OPEN, ensured.putAttr("shape", shape(-1, 5)))).isFalse();
        AttrValue any = AttrValue.newBuilder()
                .setShape(TensorShapeProto.newBuilder().setUnknownRank(true))
                .build();
        assertThat(fails(OPEN, ensured.putAttr("shape", any))).isFalse();
    }

    private static NodeDef.Builder slice(String of, String begin, String strides, long shrink) {
        return out("StridedSlice", of, begin, "ones:o:0", strides).putAttr("shrink_axis_mask", Protos.number(shrink));
    }

    @Test
    void aSliceCutsWhatIsThereAndASingleValueMustBeThere() {
        assertThat(fails(OPEN, slice("x", "captured", "ones:o:0", 0))).isFalse();
        assertThat(fails(OPEN, slice("x", "ones:o:0", "captured", 0))).isTrue();
        assertThat(fails(TABLE, slice("x", "ones:o:0", "ones:o:0", 1))).isFalse();
        assertThat(fails(OPEN, slice("x", "ones:o:0", "ones:o:0", 1))).isTrue();
        assertThat(fails(TABLE, slice("x", "captured", "ones:o:0", 1))).isTrue();
        // the first of one
        assertThat(fails(of(FLOAT, 1, -1), slice("x", "ones:o:0", "ones:o:0", 1)))
                .isFalse();
        assertThat(fails(of(FLOAT, 2, -1), slice("x", "ones:o:0", "ones:o:0", 1)))
                .isTrue();
    }

    // ---- beside them

    @Test
    void whatIsCalculatedFromConstantsFailedBefore() {
        assertThat(failsBeside(out("NobodyKnowsIt", "zero:o:0"))).isFalse();
        assertThat(failsBeside(out("NobodyKnowsIt", "captured"))).isTrue();
        assertThat(failsBeside(out("NobodyKnowsIt", "size:o:0"))).isTrue();
        assertThat(failsBeside(out("Neg", "size:o:0"))).isFalse();
        assertThat(failsBeside(out("Shape", "x"))).isFalse();
        assertThat(failsBeside(out("StatelessRandomUniformV2", "captured"))).isFalse();
    }

    @Test
    void nothingIsDividedByASizeThatMayBeZero() {
        for (String op : List.of("Div", "FloorDiv", "FloorMod", "Mod", "TruncateDiv", "TruncateMod")) {
            assertThat(failsBeside(out(op, "zero:o:0", "size:o:0"))).as(op).isTrue();
            assertThat(failsBeside(out(op, "size:o:0", "zero:o:0"))).as(op).isFalse();
            assertThat(failsBeside(out(op, "half:o:0", "size:o:0"))).as(op).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ArgMax",
                "ArgMin",
                "BroadcastTo",
                "ExpandDims",
                "GatherV2",
                "OneHot",
                "Pad",
                "PadV2",
                "Pow",
                "Reshape",
                "ReverseV2",
                "Roll",
                "Slice",
                "SplitV",
                "Tile",
                "Transpose",
            })
    void whatIsToldWhereByASizeMayBeToldWhatIsNotThere(String op) {
        assertThat(failsBeside(out(op, "table:o:0", "size:o:0"))).isTrue();
        assertThat(failsBeside(out(op, "table:o:0", "zero:o:0", "size:o:0"))).isTrue();
        assertThat(failsBeside(out(op, "size:o:0", "zero:o:0"))).isFalse();
    }

    @Test
    void aSliceOfATableHasNoSizeForItsStepNorForASingleValue() {
        assertThat(failsBeside(slice("table:o:0", "size:o:0", "ones:o:0", 0))).isFalse();
        assertThat(failsBeside(slice("table:o:0", "size:o:0", "ones:o:0", 1))).isTrue();
        assertThat(failsBeside(slice("table:o:0", "ones:o:0", "size:o:0", 0))).isTrue();
        // of what has as many values as nobody knows, not all are there
        assertThat(failsBeside(
                        Protos.node("range", "Range", "zero:o:0", "size:o:0", "ones:o:0"),
                        slice("range:o:0", "ones:o:0", "ones:o:0", 1)))
                .isTrue();
        assertThat(failsBeside(
                        Protos.node("range", "Range", "zero:o:0", "size:o:0", "ones:o:0"),
                        slice("range:o:0", "ones:o:0", "ones:o:0", 0)))
                .isFalse();
    }

    // the least and the first that is too large come last
    @Test
    void noDrawLiesInARangeThatMayBeEmpty() {
        assertThat(failsBeside(out("RandomUniformInt", "ones:o:0", "zero:o:0", "size:o:0")))
                .isTrue();
        assertThat(failsBeside(out("RandomUniformInt", "ones:o:0", "size:o:0", "zero:o:0")))
                .isTrue();
        assertThat(failsBeside(out("RandomUniformInt", "size:o:0", "zero:o:0", "ones:o:0")))
                .isFalse();
        assertThat(failsBeside(out("RandomUniform", "size:o:0"))).isFalse();
    }
}
