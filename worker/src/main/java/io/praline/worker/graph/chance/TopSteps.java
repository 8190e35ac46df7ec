package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.spelling.Optimizations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Which steps TensorFlow does not read as they are written, of those that no function makes or captures.
 *
 * @param scope of the pipeline
 * @param functions of the pipeline
 */
record TopSteps(Scope scope, Map<String, FunctionDef> functions, Optimizations optimizations) {
    /** Whether it leaves one out, since that changes nothing. */
    boolean leaveOut(NodeDef step) {
        return optimizations.leaveOutWhatChangesNothing() && changesNothing(step);
    }

    /** The shuffle of which, and of a {@code repeat}, it makes one step, which knows when it is over. */
    Optional<NodeDef> shuffle(NodeDef repeat) {
        NodeDef below = scope.node(Scope.nodeOf(repeat.getInput(0)));
        while (below.getOp().equals("Identity") || leaveOut(below)) {
            below = scope.node(Scope.nodeOf(below.getInput(0)));
        }
        return Optional.of(below)
                .filter(node -> node.getOp().startsWith("ShuffleDataset") && optimizations.fuseShuffles());
    }

    private boolean changesNothing(NodeDef step) {
        OpTraits.Family family = OpTraits.of(step).family();
        LongPredicate nothing =
                switch (family) {
                    case REPEAT, SHARD -> count -> count == 1;
                    case TAKE -> count -> count < 0;
                    case SKIP -> count -> count == 0;
                    default -> count -> false;
                };
        return family == OpTraits.Family.MAP
                ? givesBack(step)
                : DatasetOps.number(step, OpTraits.Input.COUNT, scope)
                        .filter(nothing::test)
                        .isPresent();
    }

    /** Whether the function of a map gives what it is given, as it is. */
    private boolean givesBack(NodeDef map) {
        AttrValue none = AttrValue.getDefaultInstance();
        FunctionDef function =
                functions.get(map.getAttrOrDefault("f", none).getFunc().getName());
        if (function == null
                || map.getAttrOrDefault("Targuments", none).getList().getTypeCount() > 0) {
            return false;
        }
        List<OpDef.ArgDef> given = function.getSignature().getInputArgList();
        Scope body = Scope.ofFunction(function);
        return given.size() == function.getSignature().getOutputArgCount()
                && IntStream.range(0, given.size()).allMatch(i -> body.behindIdentities(Scope.result(function, i))
                        .equals(given.get(i).getName()));
    }
}
