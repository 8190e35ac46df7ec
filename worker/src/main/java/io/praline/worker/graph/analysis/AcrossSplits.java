package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.Sources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Steps that look across splits: that mix or group the elements of several, pair them with others, or drop what is left at
 * the end. Where there is none, a task may end behind any split and another may go on, and the elements are the same: all
 * that shows is a batch that comes short.
 */
final class AcrossSplits {
    private AcrossSplits() {}

    /**
     * The first such step, from the source on; empty where there is none.
     *
     * @param names of transformations, by the names of their nodes
     */
    static Optional<String> first(PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        Scope scope = pipeline.scope();
        List<String> batches = new ArrayList<>();
        for (NodeDef node : behindSplits(pipeline, sources)) {
            boolean across =
                    switch (OpTraits.of(node).family()) {
                        case MAP, FILTER, TRANSPARENT, ASSERT, PARSE, INTERLEAVE -> false;
                        case BATCH, PADDED_BATCH -> {
                            batches.add(node.getName());
                            // a short batch within a batch would not fit to the others
                            yield batches.size() > 1
                                    || DatasetOps.dropsRemainder(node, scope).orElse(true);
                        }
                        case UNBATCH -> {
                            batches.clear();
                            yield false;
                        }
                        default -> true;
                    };
            if (across) {
                return Optional.of(names.getOrDefault(node.getName(), node.getName()));
            }
        }
        return Optional.empty();
    }

    /** The steps of the path that see elements of several splits, from the source on. */
    static List<NodeDef> behindSplits(PipelineGraph pipeline, Sources sources) {
        Set<String> within = new HashSet<>(sources.inside());
        sources.found().forEach(found -> within.add(found.node()));
        sources.bypassed().forEach(within::add);
        Birth.of(pipeline, sources).forEach(birth -> within.addAll(birth.steps()));
        return sources.path().stream()
                .filter(node -> !within.contains(node.getName()))
                .toList();
    }
}
