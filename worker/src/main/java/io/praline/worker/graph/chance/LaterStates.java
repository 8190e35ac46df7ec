package io.praline.worker.graph.chance;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.spelling.RandomGenerators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Lets generators and layers of Keras whose variables stay as they are begin elsewhere in each epoch. One process goes on where the
 * last epoch left them; here an epoch is run by tasks of its own, whose variables begin as they were written, and would draw what
 * the last one drew. Two that begin alike still do. What a cache keeps is drawn once, and begins as it did.
 */
public record LaterStates(DrawKeys keys) implements Pass {
    /** A generator's state is a counter of two numbers, and a key. */
    private static final int OF_A_GENERATOR = 3;

    /** A layer's seeds are a seed, and a number that is counted. */
    private static final int OF_A_LAYER = 2;

    private static final long LAST_SEED = (1L << 31) - 1;

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Map<String, Long> epochs = StampDraws.epochs(pipeline, scope);
        boolean changed = false;
        for (NodeDef node : scope.nodes()) {
            if (!DatasetOps.isDataset(node)) {
                continue;
            }
            long reading = keys.reading(new StampDraws.Stamp(0, 0, epochs.getOrDefault(node.getName(), 1L)));
            for (String variable : reading == 0 ? List.<String>of() : scope.variablesOf(node)) {
                Optional<TensorProto> elsewhere = RandomGenerators.isState(variable, scope, pipeline.functions())
                        ? Constants.ofVariable(scope, variable).flatMap(begin -> moved(begin, DrawKeys.mix(reading)))
                        : Optional.empty();
                elsewhere.ifPresent(begin -> begin(scope, variable, begin));
                changed |= elsewhere.isPresent();
            }
        }
        return changed
                ? new PipelineGraph(scope.nodes(), pipeline.functions().values(), pipeline.root(), pipeline.versions())
                : pipeline;
    }

    /** A state of which the key, or the seed, is another one; equal ones for equal ones. */
    private static Optional<TensorProto> moved(TensorProto begin, long by) {
        List<Long> state = new ArrayList<>(Constants.integers(begin));
        if (begin.getDtype() == DataType.DT_INT64 && state.size() == OF_A_GENERATOR) {
            state.set(2, state.get(2) ^ by);
        } else if (state.size() == OF_A_LAYER) {
            state.set(0, state.get(0) ^ (by & LAST_SEED));
        } else {
            return Optional.empty();
        }
        TensorProto.Builder moved =
                TensorProto.newBuilder().setDtype(begin.getDtype()).setTensorShape(begin.getTensorShape());
        switch (begin.getDtype()) {
            case DT_INT64 -> moved.addAllInt64Val(state);
            case DT_INT32 -> state.forEach(each -> moved.addIntVal(each.intValue()));
            case DT_UINT32 -> state.forEach(each -> moved.addUint32Val(each.intValue()));
            default -> {
                return Optional.empty();
            }
        }
        return Optional.of(moved.build());
    }

    private static void begin(Scope scope, String variable, TensorProto begin) {
        String given = scope.add(Protos.constant(scope.fresh("state"), begin), "output");
        for (NodeDef node : scope.nodes()) {
            if (node.getOp().equals("AssignVariableOp")
                    && Scope.nodeOf(node.getInput(0)).equals(variable)) {
                scope.put(node.toBuilder().setInput(1, given).build());
            }
        }
    }
}
