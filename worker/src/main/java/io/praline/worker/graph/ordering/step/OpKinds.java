package io.praline.worker.graph.ordering.step;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Elementwise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/** What single ops do to the values that pass them. What is not named here is understood by nothing. */
public final class OpKinds {
    /** Arithmetic with which two neighbours make one step: scaling by constants. */
    public static final Set<String> AFFINE = Set.of("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv");

    public static final Set<String> CLIPS = Set.of("Minimum", "Maximum", "ClipByValue");

    /** Change at most how many dimensions of size 1 there are, or how the same values in the same order are counted. */
    static final Set<String> NEUTRAL = Set.of(
            "Identity",
            "IdentityN",
            "EnsureShape",
            "ExpandDims",
            "Squeeze",
            "Reshape",
            "StopGradient",
            "PreventGradient");

    public static final Set<String> SELECTS = Set.of("Select", "SelectV2");

    /** Take pictures by the batch only, so that a single one is given a dimension more for them. */
    private static final Set<String> OF_PICTURES = Set.of(
            "ScaleAndTranslate",
            "CropAndResize",
            "ImageProjectiveTransformV2",
            "ImageProjectiveTransformV3",
            "Conv2D",
            "DepthwiseConv2dNative",
            "AvgPool",
            "MaxPool",
            "MatMul");

    private static final Map<String, StepKind> KINDS = new HashMap<>();

    static {
        put(StepKind.ELEMENTWISE, List.copyOf(Elementwise.OPS));
        put(
                StepKind.GEOMETRIC,
                List.of(
                        "BroadcastTo",
                        "ConcatV2",
                        "ImageProjectiveTransformV2",
                        "ImageProjectiveTransformV3",
                        "MirrorPad",
                        "Pack",
                        "Pad",
                        "PadV2",
                        "ReverseV2",
                        "Roll",
                        "Slice",
                        "Split",
                        "SplitV",
                        "StridedSlice",
                        "Tile",
                        "Transpose",
                        "Unpack",
                        "GatherV2"));
        NEUTRAL.forEach(op -> KINDS.put(op, StepKind.GEOMETRIC));
        put(
                StepKind.RESAMPLE,
                List.of("ResizeArea", "ResizeBicubic", "ResizeBilinear", "ResizeNearestNeighbor", "ScaleAndTranslate"));
        put(
                StepKind.DECODE,
                List.of(
                        "DecodeAndCropJpeg",
                        "DecodeBmp",
                        "DecodeGif",
                        "DecodeImage",
                        "DecodeJpeg",
                        "DecodePng",
                        "DecodeRaw",
                        "DecodePaddedRaw",
                        "DecodeWav",
                        "DecodeWebP",
                        "DecodeCompressed"));
        put(
                StepKind.PARSE,
                List.of(
                        "DecodeCSV",
                        "DecodeJSONExample",
                        "ParseExample",
                        "ParseExampleV2",
                        "ParseSequenceExample",
                        "ParseSequenceExampleV2",
                        "ParseSingleExample",
                        "ParseSingleSequenceExample",
                        "ParseTensor",
                        "StringToNumber"));
        put(
                StepKind.COLOUR,
                List.of(
                        "AdjustContrastv2",
                        "AdjustHue",
                        "AdjustSaturation",
                        "HSVToRGB",
                        "MatMul",
                        "BatchMatMulV2",
                        "RGBToHSV"));
        put(
                StepKind.REDUCE,
                List.of("All", "Any", "ArgMax", "ArgMin", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"));
    }

    private OpKinds() {}

    private static void put(StepKind kind, List<String> ops) {
        ops.forEach(op -> KINDS.put(op, kind));
    }

    public static Optional<StepKind> of(NodeDef node) {
        return Optional.ofNullable(KINDS.get(node.getOp()));
    }

    /** Whether it takes pictures by the batch only. */
    public static boolean takesBatches(NodeDef node) {
        return node.getOp().startsWith("Resize") || OF_PICTURES.contains(node.getOp());
    }

    /**
     * Whether at most dimensions of size 1 come or go, or values are counted another way.
     *
     * @param input what is known of its first input
     */
    public static boolean isNeutral(NodeDef node, ElementComponent input) {
        if (NEUTRAL.contains(node.getOp())) {
            return true;
        }
        // x[None] and x[0] on the first dimension, as people write them
        boolean plain = node.getOp().equals("StridedSlice")
                && mask(node, "ellipsis_mask") == 0
                && mask(node, "begin_mask") + mask(node, "end_mask") == 0;
        boolean adds = mask(node, "new_axis_mask") == 1 && mask(node, "shrink_axis_mask") == 0;
        boolean drops = mask(node, "shrink_axis_mask") == 1
                && mask(node, "new_axis_mask") == 0
                && !input.shape().isEmpty()
                && input.shape().get(0) == 1;
        return plain && (adds || drops);
    }

    /** Whether there are inputs of the right types and known shapes that it fails on. */
    static boolean alwaysMayFail(NodeDef node) {
        StepKind kind = KINDS.get(node.getOp());
        return kind == null
                || kind == StepKind.DECODE
                || kind == StepKind.PARSE
                || node.getOp().equals("Substr");
    }

    public static long mask(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getI();
    }
}
