package io.praline.worker.graph.ordering.step;

import io.praline.worker.graph.ElementComponent;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.NodeDef;

/** Whether operands of different sizes can meet, whatever element comes. */
final class Broadcasts {
    private Broadcasts() {}

    /** Whether nothing that the graph leaves open decides over it. */
    static boolean fit(NodeDef node, Map<String, ElementComponent> types) {
        List<String> inputs = node.getInputList();
        for (int i = 0; i < inputs.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (!fit(types.get(inputs.get(j)), types.get(inputs.get(i)))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean fit(ElementComponent one, ElementComponent other) {
        if (isScalar(one) || isScalar(other)) {
            return true;
        }
        if (one == null || other == null || !one.rankKnown() || !other.rankKnown()) {
            return false;
        }
        int common = Math.min(one.shape().size(), other.shape().size());
        for (int i = 1; i <= common; i++) {
            long size = one.shape().get(one.shape().size() - i);
            long met = other.shape().get(other.shape().size() - i);
            // two known sizes were held against each other when shapes were inferred
            boolean open = (size < 0 && met != 1) || (met < 0 && size != 1);
            if (open) {
                return false;
            }
        }
        return true;
    }

    private static boolean isScalar(ElementComponent type) {
        return type != null && type.rankKnown() && type.shape().isEmpty();
    }
}
