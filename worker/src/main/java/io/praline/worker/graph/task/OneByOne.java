package io.praline.worker.graph.task;

import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.NodeDef;

/**
 * Lets maps and batches that work on several elements at a time work on one after the other, so that what a step costs can be
 * told from what it waits for.
 */
final class OneByOne implements Pass {

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        for (NodeDef node : scope.nodes()) {
            switch (node.getOp()) {
                case "ParallelMapDataset", "ParallelMapDatasetV2" ->
                    scope.put(without(node, node.getInputCount() - 1)
                            .setOp("MapDataset")
                            .removeAttr("deterministic")
                            .removeAttr("sloppy")
                            .removeAttr("use_unbounded_threadpool")
                            .build());
                case "ParallelBatchDataset" ->
                    scope.put(without(node, 2)
                            .setOp("BatchDatasetV2")
                            .removeAttr("deterministic")
                            .build());
                default -> {}
            }
        }
        return new PipelineGraph(scope.nodes(), pipeline.functions().values(), pipeline.root(), pipeline.versions());
    }

    /** Inputs that only wait for something come last of all, and stay. */
    private static NodeDef.Builder without(NodeDef node, int place) {
        List<String> data = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        node.getInputList().forEach(input -> (input.startsWith("^") ? waits : data).add(input));
        data.remove(Math.min(place, data.size() - 1));
        return node.toBuilder().clearInput().addAllInput(data).addAllInput(waits);
    }
}
