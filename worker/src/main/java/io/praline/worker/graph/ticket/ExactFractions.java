package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Whether numbers with a fraction come out alike to the last bit on every machine, so that they can be compared: they were
 * read, moved, or made by the operations whose result IEEE 754 fixes. Sums over several, and functions such as the exponential,
 * hang on how many threads and how wide registers a machine has.
 */
final class ExactFractions {
    /** Of ops that take or give such numbers, those that are known; any other one is not exact. */
    private static final Set<String> OPS = Set.of(
            "Add",
            "AddV2",
            "Bitcast",
            "BroadcastTo",
            "Cast",
            "ConcatV2",
            "Const",
            "DecodeCSV",
            "DecodePaddedRaw",
            "DecodeRaw",
            "EnsureShape",
            "Equal",
            "ExpandDims",
            "Fill",
            "GatherNd",
            "GatherV2",
            "Greater",
            "GreaterEqual",
            "Identity",
            "IdentityN",
            "Less",
            "LessEqual",
            "Maximum",
            "Merge",
            "Minimum",
            "Mul",
            "Neg",
            "OnesLike",
            "Pack",
            "Pad",
            "PadV2",
            "ParseExample",
            "ParseExampleV2",
            "ParseSequenceExampleV2",
            "ParseSingleExample",
            "ParseSingleSequenceExample",
            "ParseTensor",
            "RealDiv",
            "Reshape",
            "ReverseV2",
            "SelectV2",
            "Shape",
            "Size",
            "Slice",
            "Split",
            "SplitV",
            "Squeeze",
            "StridedSlice",
            "StringToNumber",
            "Sub",
            "Switch",
            "Tile",
            "Transpose",
            "Unpack",
            "ZerosLike");

    private ExactFractions() {}

    /** Whether all that some nodes and the functions that they call do is exact. */
    static boolean in(Iterable<NodeDef> nodes, Map<String, FunctionDef> functions) {
        for (NodeDef node : nodes) {
            if (!isExact(node)) {
                return false;
            }
        }
        return PipelineGraph.reachedFunctions(nodes, functions).stream()
                .flatMap(name -> functions.get(name).getNodeDefList().stream())
                .allMatch(ExactFractions::isExact);
    }

    private static boolean isExact(NodeDef node) {
        List<DataType> types = node.getAttrMap().values().stream()
                .flatMap(ExactFractions::types)
                .toList();
        if (types.stream().anyMatch(ExactFractions::isComplex)) {
            return false;
        }
        // what datasets and calls do with numbers is in their functions
        return OPS.contains(node.getOp())
                || DatasetOps.isDataset(node)
                || OpTraits.of(node).family() == OpTraits.Family.CALL
                || types.stream().noneMatch(ExactFractions::isFraction);
    }

    private static Stream<DataType> types(AttrValue value) {
        List<DataType> several = value.getList().getTypeList();
        return several.isEmpty() ? Stream.of(value.getType()) : several.stream();
    }

    static boolean isFraction(DataType dtype) {
        return switch (dtype) {
            case DT_HALF, DT_BFLOAT16, DT_FLOAT, DT_DOUBLE -> true;
            default -> false;
        };
    }

    private static boolean isComplex(DataType dtype) {
        return dtype == DataType.DT_COMPLEX64 || dtype == DataType.DT_COMPLEX128;
    }
}
