package io.praline.worker.graph;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/**
 * Makes one again of a dataset that a program uses at several places. Serialised, it is written down once for each; which of them
 * are one is told by what they keep: the generator of a shuffle's orders, the memory of a cache, the files of one. Two that were
 * made alike have their own. What is drawn in one dataset is so once for all who read it, and the next order of a shuffle is for
 * whoever reads it next.
 */
final class SharedDatasets implements Pass {
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Map<String, String> first = new HashMap<>();
        Map<String, String> same = new HashMap<>();
        for (NodeDef node : pipeline.nodes().values()) {
            kept(node, scope, pipeline).ifPresent(key -> {
                String one = first.putIfAbsent(node.getOp() + " " + key, node.getName());
                if (one != null) {
                    same.put(node.getName(), one);
                }
            });
        }
        if (same.isEmpty()) {
            return pipeline;
        }
        for (NodeDef node : scope.nodes()) {
            NodeDef.Builder shared = node.toBuilder().clearInput();
            node.getInputList().forEach(input -> shared.addInput(same.getOrDefault(input, input)));
            scope.put(shared.build());
        }
        String root = same.getOrDefault(pipeline.root(), pipeline.root());
        return new PipelineGraph(scope.nodes(), pipeline.functions().values(), root, pipeline.versions());
    }

    /** What tells a dataset from all others of its op, where it keeps something; empty where it does not. */
    private static Optional<String> kept(NodeDef node, Scope scope, PipelineGraph pipeline) {
        if (!DatasetOps.isDataset(node)) {
            return Optional.empty();
        }
        Optional<String> handle = node.getInputList().stream()
                .map(input -> Constants.value(scope, input))
                .flatMap(Optional::stream)
                .filter(constant -> constant.getDtype() == DataType.DT_RESOURCE)
                .flatMap(constant -> constant.getResourceHandleValList().stream())
                .map(one -> one.getContainer() + "/" + one.getName())
                .findFirst();
        return handle.or(() -> files(node, scope, pipeline));
    }

    private static Optional<String> files(NodeDef node, Scope scope, PipelineGraph pipeline) {
        OpTraits traits = OpTraits.of(node);
        boolean writes = traits.isCache() || traits.family() == OpTraits.Family.SNAPSHOT;
        return writes
                ? Constants.string(scope, node.getInput(1))
                        .filter(name -> !name.isEmpty())
                        .map(name -> name + " " + below(node, pipeline).digest())
                : Optional.empty();
    }

    private static PipelineGraph below(NodeDef node, PipelineGraph pipeline) {
        return new PipelineGraph(
                pipeline.nodes().values(), pipeline.functions().values(), node.getName(), pipeline.versions());
    }
}
