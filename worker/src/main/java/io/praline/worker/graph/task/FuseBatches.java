package io.praline.worker.graph.task;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.spelling.Optimizations;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Makes one step of a map and the batch behind it where errors are left out, as TensorFlow does in one process: that step loses
 * all that share a batch with an element that fails, and of the two the batch would lose what it holds already, and begin anew
 * behind what failed. TensorFlow does so here too, but not in a dataset that is read as a whole, which is captured, nor where the
 * last batch is {@link Pack}'s.
 */
final class FuseBatches implements Pass {
    private static final Set<String> MAPS = Set.of("MapDataset", "ParallelMapDatasetV2");

    private static final Set<String> BATCHES = Set.of("BatchDataset", "BatchDatasetV2");

    /**
     * Whether a program leaves errors out, and does not tell TensorFlow to keep the two apart; what {@link SkipBad} leaves out, it does
     * behind each map.
     */
    static boolean isFor(PipelineGraph written) {
        return written.work().anyMatch(DatasetOps::ignoresErrors)
                && Optimizations.of(written).fuseBatches();
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        fuse(scope, Set.of());
        List<FunctionDef> functions = new ArrayList<>();
        for (FunctionDef function : pipeline.functions().values()) {
            Scope body = Scope.ofFunction(function);
            Set<String> returned = new HashSet<>();
            function.getRetMap().values().forEach(ref -> returned.add(Scope.nodeOf(ref)));
            returned.addAll(function.getControlRetMap().values());
            Set<String> gone = fuse(body, returned);
            FunctionDef.Builder fused = function.toBuilder().clearNodeDef();
            for (NodeDef node : body.nodes()) {
                if (!gone.contains(node.getName())) {
                    fused.addNodeDef(node);
                }
            }
            functions.add(fused.build());
        }
        return new PipelineGraph(scope.nodes(), functions, pipeline.root(), pipeline.versions());
    }

    /**
     * Puts one node in the place of each such batch.
     *
     * @param returned nodes that something outside reads
     * @return the maps that are part of it now
     */
    private static Set<String> fuse(Scope scope, Set<String> returned) {
        Set<String> gone = new HashSet<>();
        for (NodeDef batch : scope.nodes()) {
            Optional<NodeDef> map = BATCHES.contains(batch.getOp())
                    ? scope.producer(batch.getInput(0))
                            .filter(node -> isFusible(node) && !returned.contains(node.getName()))
                            .filter(node -> scope.readers(node.getName(), Set.of()) == 1)
                    : Optional.empty();
            map.ifPresent(front -> {
                scope.put(fused(front, batch, scope));
                gone.add(front.getName());
            });
        }
        return gone;
    }

    private static boolean isFusible(NodeDef node) {
        return MAPS.contains(node.getOp())
                && !node.getAttrOrDefault("use_unbounded_threadpool", Protos.bool(false))
                        .getB()
                && node.getInputList().stream().noneMatch(input -> input.startsWith("^"));
    }

    private static NodeDef fused(NodeDef map, NodeDef batch, Scope scope) {
        int captured = map.getAttrOrThrow("Targuments").getList().getTypeCount();
        boolean parallel = !map.getOp().equals("MapDataset");
        String calls = parallel ? map.getInput(1 + captured) : scope.constant("one_call", Protos.int64(1));
        String drops = batch.getOp().equals("BatchDataset")
                ? scope.constant("keeps_remainder", Protos.flag(false))
                : batch.getInput(2);
        NodeDef.Builder fused = Protos.node(batch.getName(), "MapAndBatchDataset")
                .addAllInput(map.getInputList().subList(0, 1 + captured))
                .addInput(batch.getInput(1))
                .addInput(calls)
                .addInput(drops)
                .putAttr("f", map.getAttrOrThrow("f"))
                .putAttr("Targuments", map.getAttrOrThrow("Targuments"))
                .putAttr("preserve_cardinality", map.getAttrOrDefault("preserve_cardinality", Protos.bool(false)));
        batch.getInputList().stream().filter(input -> input.startsWith("^")).forEach(fused::addInput);
        DatasetOps.setComponents(fused, "output_types", DatasetOps.components(batch));
        if (batch.containsAttr("metadata")) {
            fused.putAttr("metadata", batch.getAttrOrThrow("metadata"));
        }
        return fused.build();
    }
}
