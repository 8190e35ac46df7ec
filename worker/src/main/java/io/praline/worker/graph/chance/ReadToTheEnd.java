package io.praline.worker.graph.chance;

import io.praline.worker.graph.Cardinality;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Which datasets are read to their ends where the pipeline is. A cache that is left before keeps nothing, and the next who reads
 * it finds what is drawn anew.
 */
record ReadToTheEnd(Scope scope) {
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** Names of their nodes. */
    static Set<String> in(PipelineGraph pipeline, Scope scope) {
        ReadToTheEnd reading = new ReadToTheEnd(scope);
        Set<String> ended = new HashSet<>();
        Set<String> left = new HashSet<>();
        reading.walk(pipeline.root(), true, ended, left);
        return ended;
    }

    private void walk(String ref, boolean toTheEnd, Set<String> ended, Set<String> left) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        if (ended.contains(node.getName()) || !(toTheEnd ? ended : left).add(node.getName())) {
            return;
        }
        for (int i = 0; i < node.getInputCount(); i++) {
            boolean stays =
                    switch (OpTraits.of(node).family()) {
                        case REPEAT -> true;
                        case ZIP, CHOOSE -> toTheEnd;
                        case CONCATENATE -> toTheEnd || i == 0;
                        // what a function captures it reads as it likes
                        default -> i > 0 || (toTheEnd && !leaves(node));
                    };
            walk(node.getInput(i), stays, ended, left);
        }
    }

    /** Whether a step ends before its input does. */
    private boolean leaves(NodeDef step) {
        return switch (OpTraits.of(step).family()) {
            case TAKE_WHILE -> true;
            case TAKE ->
                count(step)
                        .filter(count -> count < 0 || count > most(step.getInput(0)))
                        .isEmpty();
            default -> false;
        };
    }

    private Optional<Long> count(NodeDef step) {
        return OpTraits.of(step).input(step, OpTraits.Input.COUNT).flatMap(given -> Constants.integer(scope, given));
    }

    /** More elements than these a dataset does not have. */
    private long most(String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty() || producer.get().getInputCount() == 0) {
            return UNKNOWN;
        }
        NodeDef node = producer.get();
        return switch (OpTraits.of(node).family()) {
            case RANGE, SLICES -> Cardinality.written(node, scope).orElse(UNKNOWN);
            case MAP,
                    FILTER,
                    BATCH,
                    PADDED_BATCH,
                    SHUFFLE,
                    CACHE,
                    SNAPSHOT,
                    TRANSPARENT,
                    ASSERT,
                    SKIP,
                    SHARD,
                    SCAN,
                    UNIQUE -> most(node.getInput(0));
            case TAKE ->
                Math.min(
                        most(node.getInput(0)),
                        count(node).filter(count -> count >= 0).orElse(UNKNOWN));
            default -> node.getOp().equals("Identity") ? most(node.getInput(0)) : UNKNOWN;
        };
    }
}
