package io.praline.worker.graph.note;

import io.praline.worker.graph.DatasetOps;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.tensorflow.proto.NodeDef;

/** A line about steps of a pipeline, of which a distributed run does not keep what one process does. */
public final class StepNote {
    private StepNote() {}

    /**
     * How a note calls a step: by its name as a transformation, or else by what its op does.
     *
     * @param names of transformations, by the names of their nodes
     */
    public static String named(NodeDef step, Map<String, String> names) {
        return named(step, names, "");
    }

    /**
     * The same.
     *
     * @param where one stands that is no transformation, to be said behind what its op does
     */
    public static String named(NodeDef step, Map<String, String> names, String where) {
        return names.getOrDefault(step.getName(), DatasetOps.word(step.getOp()) + where);
    }

    /**
     * {@code map and filter: what is said}; empty where it is about no step.
     *
     * @param steps by their names, each of which is told once
     */
    public static Optional<String> of(Collection<String> steps, String said) {
        return steps.isEmpty()
                ? Optional.empty()
                : Optional.of(steps.stream().distinct().collect(Collectors.joining(" and ")) + ": " + said);
    }
}
