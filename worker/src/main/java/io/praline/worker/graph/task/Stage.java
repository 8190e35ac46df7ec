package io.praline.worker.graph.task;

import java.util.List;
import java.util.Optional;

/**
 * A dataset node of a task's graph, to recognise it in TensorFlow's model of the running iterator.
 *
 * @param op TensorFlow's op
 * @param transformation the name of the transformation it is; empty for what we added
 * @param inputs the datasets it takes elements from
 */
public record Stage(String op, Optional<String> transformation, List<Stage> inputs) {
    public Stage {
        inputs = List.copyOf(inputs);
    }
}
