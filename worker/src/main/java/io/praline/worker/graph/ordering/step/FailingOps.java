package io.praline.worker.graph.ordering.step;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.ordering.function.Flows;
import io.praline.worker.graph.ordering.function.Flows.From;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Whether there are elements on which an op fails, of the types and shapes that the graph says.
 *
 * @param types of all that the function calculates, as far as they are known
 */
public record FailingOps(Flows flows, Map<String, ElementComponent> types) {
    /** Of whole numbers they fail where one is divided by zero. */
    private static final Set<String> DIVIDING =
            Set.of("Div", "FloorDiv", "FloorMod", "Mod", "RealDiv", "TruncateDiv", "TruncateMod");

    /** Of places and sizes that they are told, not all are there. */
    private static final Set<String> TOLD_WHERE = Set.of(
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
            "Transpose");

    private static final Set<DataType> OF_FRACTIONS = Set.of(
            DataType.DT_HALF,
            DataType.DT_BFLOAT16,
            DataType.DT_FLOAT,
            DataType.DT_DOUBLE,
            DataType.DT_COMPLEX64,
            DataType.DT_COMPLEX128);

    /** What calculates with shapes and draws only can be left out of the ops, but not what it may fail on. */
    public boolean besideValues(NodeDef node) {
        return !flows.of(node.getName()).isEmpty() && (isUnknown(node) || onSizes(node));
    }

    private static boolean isUnknown(NodeDef node) {
        return OpKinds.of(node).isEmpty()
                && !Flows.SHAPES.contains(node.getOp())
                && OpTraits.of(node).family() == OpTraits.Family.PURE
                && !node.getOp().startsWith("Stateless");
    }

    /** Whether it fails on sizes that an element may have: no draw lies in an empty range, and nothing is divided by zero. */
    private boolean onSizes(NodeDef node) {
        List<String> inputs = node.getInputList();
        if (DIVIDING.contains(node.getOp())) {
            return isSize(inputs.get(1)) && !OF_FRACTIONS.contains(typeOf(node).dtype());
        }
        if (node.getOp().equals("StridedSlice")) {
            boolean shrinks = OpKinds.mask(node, "shrink_axis_mask") != 0;
            return isSize(inputs.get(3))
                    || (shrinks && (isSize(inputs.get(1)) || !typeOf(node).isStatic()));
        }
        if (TOLD_WHERE.contains(node.getOp())) {
            return inputs.stream().skip(1).anyMatch(this::isSize);
        }
        // the least and the first one too large come last
        return node.getOp().contains("UniformInt")
                && inputs.subList(inputs.size() - 2, inputs.size()).stream().anyMatch(this::isSize);
    }

    private boolean isSize(String ref) {
        return flows.of(ref).contains(From.SHAPES);
    }

    /**
     * Whether it fails on values that an element may have.
     *
     * @param beside what its other operands than the element's values follow from
     */
    public boolean onValues(NodeDef node, Set<From> beside) {
        ElementComponent input = typeOf(node);
        boolean known = beside.isEmpty()
                && node.getInputList().stream()
                        .filter(ref -> flows.of(ref).contains(From.VALUES))
                        .allMatch(ref -> typeOf(ref).isStatic());
        boolean shrinks = OpKinds.mask(node, "shrink_axis_mask") != 0;
        StepKind kind = OpKinds.of(node).orElse(StepKind.OPAQUE);
        if (kind == StepKind.GEOMETRIC && !input.rankKnown()) {
            return true;
        }
        if (kind == StepKind.ELEMENTWISE && !Broadcasts.fit(node, types)) {
            return true;
        }
        return switch (node.getOp()) {
            // what fails on a static shape would have failed when the shape was inferred
            case "StridedSlice" ->
                !flows.of(node.getInput(3)).isEmpty() || (shrinks && !known && !OpKinds.isNeutral(node, input));
            case "EnsureShape" -> !isEnsured(node, input);
            case "ExpandDims", "Pad", "PadV2", "ReverseV2", "Roll", "Tile", "Transpose" -> !beside.isEmpty();
            case "Slice",
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
                    // these two take tensors of one shape only, of nothing there is no largest, and some bytes make no
                    // number
                    "AddN",
                    "Select",
                    "ArgMax",
                    "ArgMin",
                    "Bitcast" -> !known;
            // whole numbers have no power below zero
            case "Pow" -> !OF_FRACTIONS.contains(input.dtype());
            case "All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum" ->
                !input.rankKnown() || !beside.isEmpty();
            case "OneHot", "RegexReplace" -> !flows.of(node.getInput(1)).isEmpty();
            // pictures of another number of channels
            case "AdjustContrastv2", "AdjustHue", "AdjustSaturation", "HSVToRGB", "RGBToHSV" -> !saysItsLast(input);
            default ->
                DIVIDING.contains(node.getOp()) ? !OF_FRACTIONS.contains(input.dtype()) : OpKinds.alwaysMayFail(node);
        };
    }

    private static boolean saysItsLast(ElementComponent type) {
        return type.rankKnown()
                && !type.shape().isEmpty()
                && type.shape().get(type.shape().size() - 1) >= 0;
    }

    private static boolean isEnsured(NodeDef node, ElementComponent input) {
        List<TensorShapeProto.Dim> wanted =
                node.getAttrOrThrow("shape").getShape().getDimList();
        boolean ensured = input.rankKnown() && wanted.size() == input.shape().size();
        for (int i = 0; ensured && i < wanted.size(); i++) {
            ensured = wanted.get(i).getSize() < 0
                    || wanted.get(i).getSize() == input.shape().get(i);
        }
        return ensured || node.getAttrOrThrow("shape").getShape().getUnknownRank();
    }

    public ElementComponent typeOf(NodeDef node) {
        return typeOf(node.getInput(0));
    }

    /** Of what a branch calculates nothing is known. */
    private ElementComponent typeOf(String ref) {
        return types.getOrDefault(ref, new ElementComponent(DataType.DT_INVALID, false, List.of()));
    }
}
