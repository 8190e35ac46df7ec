package io.praline.worker.graph.ticket;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.RowFlow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Whether the rows of a batch are still those that were batched, in their order, where the batch is taken apart: so the first
 * row has the first ticket. A function on whole batches may turn, mix or choose them.
 */
final class Rows {
    /** Ops that make of each row one row, whatever is in it. */
    private static final Set<String> ROW_BY_ROW = Set.of(
            "Abs",
            "Add",
            "AddV2",
            "AsString",
            "Bucketize",
            "Cast",
            "Ceil",
            "Const",
            "DecodeRaw",
            "Div",
            "Equal",
            "Exp",
            "Floor",
            "FloorDiv",
            "FloorMod",
            "Greater",
            "GreaterEqual",
            "Identity",
            "IdentityN",
            "Less",
            "LessEqual",
            "Log",
            "LookupTableFindV2",
            "LogicalAnd",
            "LogicalNot",
            "LogicalOr",
            "Maximum",
            "Minimum",
            "Mul",
            "Neg",
            "NoOp",
            "NotEqual",
            "OneHot",
            "ParseExampleV2",
            "Pow",
            "RealDiv",
            "Relu",
            "Round",
            "Rsqrt",
            "Select",
            "SelectV2",
            "Sigmoid",
            "Sign",
            "Sqrt",
            "Square",
            "SquaredDifference",
            "StaticRegexReplace",
            "StringLength",
            "StringLower",
            "StringStrip",
            "StringToHashBucketFast",
            "StringToNumber",
            "StringUpper",
            "Sub",
            "Substr",
            "Tanh");

    private Rows() {}

    /**
     * The step that may have changed the rows on their way from where they were batched; empty where none did.
     *
     * @param ref of the batches that are taken apart
     */
    static Optional<NodeDef> changed(Scope scope, String ref, Map<String, FunctionDef> functions) {
        return changed(scope, ref, functions, 1);
    }

    /** @param batches in how many batches the rows are, one in another */
    private static Optional<NodeDef> changed(Scope scope, String ref, Map<String, FunctionDef> functions, int batches) {
        Optional<NodeDef> node = scope.producer(ref);
        if (node.isEmpty() || batches == 0) {
            return Optional.empty();
        }
        NodeDef step = node.get();
        int below = batches;
        boolean several = false;
        switch (OpTraits.of(step).family()) {
            case BATCH, PADDED_BATCH, GROUP -> below--;
            case UNBATCH -> below++;
            case ZIP, CONCATENATE, CHOOSE -> several = true;
            case MAP -> {
                FunctionDef function =
                        functions.get(step.getAttrOrThrow("f").getFunc().getName());
                if (function == null || !keeps(function, scope, step, functions, batches)) {
                    return node;
                }
            }
            default -> {}
        }
        int inputs = several ? step.getInputCount() : Math.min(1, step.getInputCount());
        for (String input : step.getInputList().subList(0, inputs)) {
            Optional<NodeDef> changed = changed(scope, input, functions, below);
            if (changed.isPresent()) {
                return changed;
            }
        }
        return Optional.empty();
    }

    /** Whether a node makes of each row one row, whatever is in it. */
    static boolean keeps(NodeDef node) {
        return ROW_BY_ROW.contains(node.getOp());
    }

    /** @param step that may have changed the rows of batches which {@code node} takes apart */
    static Untrackable untold(NodeDef node, NodeDef step) {
        return new Untrackable(
                Widening.named(node) + " takes batches apart whose rows may be others than were batched, since "
                        + Widening.named(step) + " works on whole batches");
    }

    private static boolean keeps(
            FunctionDef function, Scope scope, NodeDef map, Map<String, FunctionDef> functions, int batches) {
        if (EarlyBatches.isByRows(function)) {
            return true;
        }
        List<ElementComponent> components = scope.components(map.getInput(0));
        List<Optional<TensorProto>> captured = map.getInputList().stream()
                .skip(1)
                .map(input -> Constants.value(scope, input))
                .toList();
        return IntStream.range(0, batches)
                // how long the longest of them is changes no row's place
                .mapToObj(axis -> new RowFlow.Rows(components, axis, Set.of(), Set.of(), Set.of(), captured, Set.of()))
                .allMatch(rows -> RowFlow.keepsPlaces(function, rows, functions));
    }
}
