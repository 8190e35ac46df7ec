package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.tensorflow.proto.NodeDef;

/**
 * What is left out with an element that fails. In one process TensorFlow makes one step of a map and the batch behind it, which
 * loses all that share a batch with one that fails; of the two as they were written, the batch loses what it holds already, and
 * begins anew behind what failed. Here steps are as they were written.
 */
final class FusedErrors {
    private static final String NOTE =
            ": where an element fails in a map in front of a batch, those are left out that stand before it in the batch, and not"
                    + " those behind it; one process leaves out the whole batch, since TensorFlow makes one step of the two";

    private FusedErrors() {}

    /**
     * A line for each step that leaves out what fails behind a map and a batch.
     *
     * @param names of transformations, by the names of their nodes
     */
    static List<String> notes(PipelineGraph pipeline, Map<String, String> names) {
        Scope scope = pipeline.scope();
        List<String> notes = new ArrayList<>();
        names.forEach((node, name) -> {
            Optional<NodeDef> step = scope.producer(node);
            boolean leavesOut = step.filter(each -> OpTraits.of(each).drops() == OpTraits.Drops.ERRORS)
                    .isPresent();
            if (leavesOut && isFused(pipeline, node, scope)) {
                notes.add(name + NOTE);
            }
        });
        return notes;
    }

    /** Whether anywhere below a step stands a batch of what a map makes. */
    private static boolean isFused(PipelineGraph pipeline, String step, Scope scope) {
        PipelineGraph part = new PipelineGraph(
                pipeline.nodes().values(), pipeline.functions().values(), step, pipeline.versions());
        return part.nodes().values().stream()
                .filter(node -> DatasetOps.isDataset(node) && node.getOp().startsWith("Batch"))
                .flatMap(batch -> inputs(batch, scope))
                .anyMatch(map -> OpTraits.of(map).family() == OpTraits.Family.MAP);
    }

    private static Stream<NodeDef> inputs(NodeDef step, Scope scope) {
        return step.getInputList().stream()
                .flatMap(input -> scope.producer(scope.behindIdentities(input)).stream())
                .filter(DatasetOps::isDataset);
    }
}
