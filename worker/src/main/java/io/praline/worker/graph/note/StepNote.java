package io.praline.worker.graph.note;

import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** A line about steps of a pipeline, of which a distributed run does not keep what one process does. */
public final class StepNote {
    private StepNote() {}

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
