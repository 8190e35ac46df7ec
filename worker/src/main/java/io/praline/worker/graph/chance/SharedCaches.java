package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Caches of what is drawn that two read at a time. Nothing is kept yet when the second one begins: in the epoch that fills the
 * cache, one process draws for each of them, and in later ones it hands both the same. A job's epochs are other tasks, each of
 * which fills its own: all are alike. It is said.
 */
public final class SharedCaches {
    private SharedCaches() {}

    /**
     * A line that names them; empty where there are none.
     *
     * @param stamped the pipeline as tasks read it, with its draws stamped
     * @param names of transformations, by the names of their nodes
     */
    public static Optional<String> note(PipelineGraph stamped, Map<String, String> names) {
        Scope scope = stamped.scope();
        Set<String> kept = ReadToTheEnd.in(stamped, scope);
        Set<String> shared = new LinkedHashSet<>();
        for (NodeDef node : scope.nodes()) {
            Set<String> before = new HashSet<>();
            for (String input : together(node)) {
                Set<String> caches = caches(scope, input);
                caches.stream().filter(before::contains).forEach(shared::add);
                before.addAll(caches);
            }
            if (opensSeveral(node)) {
                node.getInputList().stream()
                        .skip(1)
                        .map(input -> caches(scope, input))
                        .forEach(shared::addAll);
            }
        }
        shared.removeIf(cache -> !kept.contains(cache) || !draws(stamped, scope, cache));
        return StepNote.of(
                shared.stream().map(cache -> names.getOrDefault(cache, "cache")).toList(),
                "two read at a time what is drawn before it; one process draws for each of them in its"
                        + " first epoch, and hands both the same in later ones; here all epochs are alike in this. Draw behind"
                        + " it what is to be apart");
    }

    /** Inputs of which elements are taken in turns. */
    private static List<String> together(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case ZIP, CHOOSE -> node.getInputList();
            default -> List.of();
        };
    }

    /** Whether several datasets that a function makes are open at a time, which may all read what it captures. */
    private static boolean opensSeveral(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.INTERLEAVE
                && !node.getOp().startsWith("FlatMap");
    }

    private static Set<String> caches(Scope scope, String ref) {
        Set<String> caches = new LinkedHashSet<>();
        for (String name : scope.madeOf(ref)) {
            if (OpTraits.of(scope.node(name)).isCache()) {
                caches.add(name);
            }
        }
        return caches;
    }

    /** Whether what a cache keeps is drawn, so that another reading would be another. */
    static boolean draws(PipelineGraph pipeline, Scope scope, String cache) {
        return scope.madeOf(scope.node(cache).getInput(0)).stream()
                .map(scope::node)
                .anyMatch(node -> DatasetOps.isDrawn(node)
                        ? DatasetOps.drawsAnew(node)
                        : pipeline.workOf(node).anyMatch(Readings::drawsOthers));
    }
}
