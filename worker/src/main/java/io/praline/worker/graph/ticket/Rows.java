package io.praline.worker.graph.ticket;

import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

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
                if (function == null || !keeps(function)) {
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

    private static boolean keeps(FunctionDef function) {
        return EarlyBatches.isByRows(function)
                || function.getNodeDefList().stream().allMatch(Rows::keeps);
    }
}
