package io.praline.worker.graph.ordering.function;

import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What nodes do besides calculating, with the functions that they call. */
public final class Effects {
    private final Map<String, FunctionDef> functions;
    private final OpInference ops;

    public Effects(Map<String, FunctionDef> functions, OpInference ops) {
        this.functions = functions;
        this.ops = ops;
    }

    public Map<String, FunctionDef> functions() {
        return functions;
    }

    public OpInference ops() {
        return ops;
    }

    public boolean draws(NodeDef node) {
        return any(node, each -> OpTraits.of(each).draws() != OpTraits.Draws.NOTHING);
    }

    /** Whether it draws numbers that follow from no key: they would be others in another place. */
    public boolean drawsUnkeyed(NodeDef node) {
        return any(node, each -> OpTraits.of(each).draws() == OpTraits.Draws.UNKEYABLE);
    }

    /** Whether it reads or changes what lives longer than a call. */
    public boolean isStateful(NodeDef node) {
        return any(node, each -> switch (OpTraits.of(each).family()) {
            case STATE, RESOURCE -> true;
            case DRAW, CHECK, CALL, TABLE, ARRAY, PURE -> false;
            // a dataset within a function
            default -> true;
        });
    }

    /** Whether it reads or changes an array that lives as long as a call: pieces of a function have each its own. */
    public boolean keepsArrays(NodeDef node) {
        return any(node, each -> OpTraits.of(each).family() == OpTraits.Family.ARRAY);
    }

    /** Whether it is to run although nothing uses what it gives. */
    public boolean mustRun(NodeDef node) {
        return any(node, each -> OpTraits.of(each).family() == OpTraits.Family.CHECK) || isStateful(node);
    }

    public boolean checks(NodeDef node) {
        return any(node, each -> OpTraits.of(each).family() == OpTraits.Family.CHECK);
    }

    /** What a function that holds the nodes is to say of itself. */
    public boolean isDeclaredStateful(Iterable<NodeDef> nodes) {
        for (NodeDef node : nodes) {
            if (any(node, each -> ops.op(each.getOp()).getIsStateful())) {
                return true;
            }
        }
        return false;
    }

    private boolean any(NodeDef node, Predicate<NodeDef> what) {
        return any(node, what, new HashSet<>());
    }

    private boolean any(NodeDef node, Predicate<NodeDef> what, Set<String> seen) {
        if (!functions.containsKey(node.getOp()) && what.test(node)) {
            return true;
        }
        return PipelineGraph.functionsOf(node)
                .filter(called -> functions.containsKey(called) && seen.add(called))
                .flatMap(called -> functions.get(called).getNodeDefList().stream())
                .anyMatch(inner -> any(inner, what, seen));
    }
}
