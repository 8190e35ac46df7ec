package io.praline.worker.engine;

import io.praline.worker.graph.OpCatalogue;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.TensorFlow;
import org.tensorflow.proto.OpDef;

/** The ops of the native TensorFlow library of this process. Loads it. */
public final class TensorFlowOps implements OpCatalogue {
    private final Set<String> names;

    public TensorFlowOps() {
        names = TensorFlow.registeredOpList().getOpList().stream()
                .map(OpDef::getName)
                .collect(Collectors.toSet());
    }

    @Override
    public boolean holds(String op) {
        return names.contains(op);
    }

    @Override
    public String version() {
        return running();
    }

    /** The version of TensorFlow that this process runs. */
    public static String running() {
        return TensorFlow.version();
    }
}
