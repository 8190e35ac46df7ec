package io.praline.worker.graph.chance;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Caches of what is drawn that are left before their end, as far as a graph tells: what is drawn before them is another in each
 * epoch. One process keeps it as soon as anything reads the cache to its end: of files nobody knows whether fewer elements are
 * there than are taken, or than a shuffle has room for, and another dataset of the program may read it too, which is another
 * job's. It is said.
 */
public final class LeftCaches {
    private LeftCaches() {}

    /**
     * A line that names them; empty where there are none.
     *
     * @param pipeline as tasks read it, before its draws are keyed
     * @param names of transformations, by the names of their nodes
     */
    public static Optional<String> note(PipelineGraph pipeline, Map<String, String> names) {
        PipelineGraph stamped = new StampDraws().apply(pipeline);
        Scope scope = stamped.scope();
        Set<String> ended = ReadToTheEnd.in(stamped, scope);
        return stamped.nodes().values().stream()
                .filter(node -> OpTraits.of(node).isCache() && !ended.contains(node.getName()))
                .map(NodeDef::getName)
                .filter(cache -> SharedCaches.draws(stamped, scope, cache))
                .map(cache -> names.getOrDefault(cache, "cache"))
                .distinct()
                .reduce((first, next) -> first + " and " + next)
                .map(caches -> caches
                        + ": taken to be left before its end, so that what is drawn before it is another in each epoch; one"
                        + " process keeps it once the cache was read to its end, as where there are fewer elements than are taken or"
                        + " than a shuffle has room for, or by another dataset of the program");
    }
}
