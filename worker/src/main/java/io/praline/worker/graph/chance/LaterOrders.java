package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Datasets that draw anew each time by seeds of the user's, and that an epoch reads more than once, or that repeat themselves. One
 * process goes on with the next of its orders; here each epoch begins again, and what it draws is another order than that. It is said.
 */
public final class LaterOrders {
    private LaterOrders() {}

    /**
     * A line that names them; empty where there are none.
     *
     * @param bound the pipeline as a task reads it
     * @param names of transformations, by the names of their nodes
     */
    public static Optional<String> note(PipelineGraph bound, Map<String, String> names) {
        Scope scope = bound.scope();
        Set<String> alone = Readings.alone(scope, bound.root());
        Map<String, Long> epochs = StampDraws.epochs(bound, scope);
        Set<String> steps = new LinkedHashSet<>();
        for (NodeDef node : scope.nodes()) {
            if (DatasetOps.drawsAnew(node)
                    && !DatasetOps.isUnseeded(node, scope)
                    && (!alone.contains(node.getName()) || !isKnown(node) || LaterIteration.isRepeated(node, scope))
                    && epochs.getOrDefault(node.getName(), 1L) == StampDraws.ALWAYS_ANEW) {
                steps.add(StepNote.named(node, names));
            }
        }
        return StepNote.of(
                steps,
                "an epoch reads it more than once, or it shuffles globally: behind the first epoch"
                        + " it is in other orders than in one process");
    }

    /** Whether it is known by which seeds TensorFlow goes on in a later iteration: a global shuffle has a way of its own. */
    static boolean isKnown(NodeDef dataset) {
        return !dataset.getOp().equals("GlobalShuffleDataset");
    }
}
