package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Datasets that draw anew each time by seeds of the user's, and that an epoch reads more than once. One process goes on with
 * the next of its orders; here each epoch begins again, and what it draws is another order than that. It is said.
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
        Set<String> kept = kept(scope);
        Set<String> steps = new LinkedHashSet<>();
        for (NodeDef node : scope.nodes()) {
            if (DatasetOps.drawsAnew(node)
                    && !DatasetOps.isUnseeded(node, scope)
                    && !alone.contains(node.getName())
                    && !kept.contains(node.getName())) {
                steps.add(names.getOrDefault(node.getName(), DatasetOps.word(node.getOp())));
            }
        }
        return steps.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        String.join(" and ", steps) + ": an epoch reads it more than once: behind the first epoch it"
                                + " is in other orders than in one process");
    }

    /** What a cache reads, which it does once. */
    private static Set<String> kept(Scope scope) {
        Set<String> kept = new HashSet<>();
        Deque<NodeDef> open = new ArrayDeque<>();
        for (NodeDef node : scope.nodes()) {
            if (OpTraits.of(node).isCache()) {
                open.add(node);
            }
        }
        while (!open.isEmpty()) {
            for (String input : open.remove().getInputList()) {
                scope.producer(input).filter(each -> kept.add(each.getName())).ifPresent(open::add);
            }
        }
        return kept;
    }
}
