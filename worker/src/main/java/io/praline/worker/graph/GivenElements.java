package io.praline.worker.graph;

import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Elements of a dataset that a function is given: all of a group, or one.
 *
 * @param dataset whose elements they are, where the function is called
 * @param group by which name the function knows a group of them; empty where it is given one
 * @param components by which names it knows those of one
 */
public record GivenElements(String dataset, Optional<String> group, List<String> components) {
    public GivenElements {
        components = List.copyOf(components);
    }

    /** All of a group at once, as one argument. */
    public static GivenElements asGroup(String dataset, String name) {
        return new GivenElements(dataset, Optional.of(name), List.of());
    }

    /**
     * One at a time, each as the first arguments.
     *
     * @param components how many an element has
     */
    public static GivenElements oneByOne(String dataset, FunctionDef function, int components) {
        List<String> names = function.getSignature().getInputArgList().stream()
                .limit(components)
                .map(OpDef.ArgDef::getName)
                .toList();
        return new GivenElements(dataset, Optional.empty(), names);
    }

    /** Whether a dataset within the function has them, or is nothing but the one. */
    public boolean are(String ref, Scope body) {
        String at = body.behindIdentities(ref);
        Optional<NodeDef> made = body.producer(at);
        if (made.isEmpty()) {
            return group.equals(Optional.of(at));
        }
        return group.isEmpty()
                && made.get().getOp().equals("TensorDataset")
                && Scope.given(made.get()).map(body::behindIdentities).toList().equals(components);
    }
}
