package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/** Whether elements are batches, or batches of batches, and by which steps they are. */
record BatchLevels(PipelineGraph pipeline, Scope scope) {

    /** Whether elements are batches, whatever was made of them meanwhile. */
    boolean isBatched(String ref) {
        return DatasetOps.yieldsBatches(scope, ref);
    }

    /** Whether elements are batches, or what groups were made into. */
    boolean isBatchOrGroup(String ref) {
        NodeDef step = scope.node(Scope.nodeOf(ref));
        while (OpTraits.of(step).family() == OpTraits.Family.MAP) {
            step = scope.node(Scope.nodeOf(step.getInput(0)));
        }
        return OpTraits.of(step).family() == OpTraits.Family.GROUP ? batchesInside(step) : isBatched(ref);
    }

    boolean batchesInside(NodeDef node) {
        return PipelineGraph.reachedFunctions(List.of(node), pipeline.functions()).stream()
                .flatMap(name -> pipeline.functions().get(name).getNodeDefList().stream())
                .anyMatch(inner -> OpTraits.of(inner).isBatch());
    }

    /** The node that makes batches, or groups, of elements. */
    NodeDef batching(String ref) {
        NodeDef step = scope.node(Scope.nodeOf(ref));
        while (!OpTraits.of(step).isBatch() && OpTraits.of(step).family() != OpTraits.Family.GROUP) {
            step = scope.node(Scope.nodeOf(step.getInput(0)));
        }
        return step;
    }

    /** Whether elements of batches are filled up to the length of the longest. */
    boolean arePadded(String batches) {
        return OpTraits.of(batching(batches)).family() == OpTraits.Family.PADDED_BATCH;
    }

    /** How many elements were asked for; empty where it is not known. */
    Optional<Long> batchSize(String batches) {
        return DatasetOps.batchSize(batching(batches), scope);
    }

    /** How many batches elements are, one in another; those that were taken apart on the way are not counted with. */
    int depth(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH -> 1 + depth(node.getInput(0));
            case MAP, FILTER, SHUFFLE, CACHE, REPEAT, TRANSPARENT, ASSERT, TAKE, SKIP, SHARD -> depth(node.getInput(0));
            default -> 0;
        };
    }

    /**
     * Whether a node takes apart batches that were put into batches, of which one is only made of such as are alike: what is left of
     * several tasks may be none of them.
     */
    boolean takesInnerApart(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.UNBATCH
                && holdsMoreThan(levels(node.getInput(0)) - 1, node.getInput(0));
    }

    /** Whether somewhere below a dataset batches were made of what was more than so many batches, one in another. */
    private boolean holdsMoreThan(int levels, String ref) {
        Optional<NodeDef> step = madeOfDataset(ref);
        return step.isPresent()
                && ((OpTraits.of(step.get()).isBatch() && levels(step.get().getInput(0)) > levels)
                        || holdsMoreThan(levels, step.get().getInput(0)));
    }

    /** How many batches an element is, one in another. */
    private int levels(String ref) {
        Optional<NodeDef> step = madeOfDataset(ref);
        if (step.isEmpty()) {
            return 0;
        }
        int before = levels(step.get().getInput(0));
        return switch (OpTraits.of(step.get()).family()) {
            case BATCH, PADDED_BATCH -> before + 1;
            case UNBATCH -> Math.max(0, before - 1);
            case GROUP -> batchesInside(step.get()) ? 1 : 0;
            case INTERLEAVE, WINDOW -> 0;
            default -> before;
        };
    }

    private Optional<NodeDef> madeOfDataset(String ref) {
        return scope.producer(ref)
                .filter(step -> step.getInputCount() > 0 && new DatasetKinds(scope).isDataset(step.getInput(0)));
    }
}
