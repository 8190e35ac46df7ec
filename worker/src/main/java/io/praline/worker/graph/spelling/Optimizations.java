package io.praline.worker.graph.spelling;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.OptimizationOptions;

/**
 * Which rewritings of its own TensorFlow does to a program: one by its own word, or by that on all of them. Where several of its
 * steps say options, the last word counts: a step has those of what it reads, one input behind the other, and its own over them. What
 * a dataset says that a function makes or captures is not heard.
 *
 * @param said at the root
 */
public record Optimizations(OptimizationOptions said) {
    public static Optimizations of(PipelineGraph pipeline) {
        return new Optimizations(merged(pipeline.scope(), pipeline.root(), new HashMap<>()));
    }

    private static OptimizationOptions merged(Scope scope, String ref, Map<String, OptimizationOptions> known) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        OptimizationOptions before = known.get(node.getName());
        if (before != null) {
            return before;
        }
        OptimizationOptions.Builder merged = OptimizationOptions.newBuilder();
        read(node).forEach(input -> merged.mergeFrom(merged(scope, input, known)));
        DatasetOps.options(node).ifPresent(options -> merged.mergeFrom(options.getOptimizationOptions()));
        known.put(node.getName(), merged.build());
        return merged.build();
    }

    /** What a step takes elements from; what is no step of datasets hands one on. */
    private static Stream<String> read(NodeDef node) {
        Stream<String> given = Scope.given(node);
        return switch (OpTraits.of(node).grain()) {
            case SOURCE -> Stream.of();
            case VALUE -> given;
            default ->
                switch (OpTraits.of(node).family()) {
                    case ZIP, CONCATENATE, CHOOSE -> given;
                    default -> given.limit(1);
                };
        };
    }

    /** Whether steps that change nothing are left out. */
    public boolean leaveOutWhatChangesNothing() {
        return said.hasNoopElimination() ? said.getNoopElimination() : unsaid();
    }

    /** Whether a shuffle and the repeat behind it become one step. */
    public boolean fuseShuffles() {
        return said.hasShuffleAndRepeatFusion() ? said.getShuffleAndRepeatFusion() : unsaid();
    }

    /** Whether a map and the batch behind it become one step. */
    public boolean fuseBatches() {
        return said.hasMapAndBatchFusion() ? said.getMapAndBatchFusion() : unsaid();
    }

    private boolean unsaid() {
        return !said.hasApplyDefaultOptimizations() || said.getApplyDefaultOptimizations();
    }
}
