package io.praline.worker.graph.task;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/** The dataset nodes of a task's graph as a tree. */
final class Stages {
    private Stages() {}

    /** @param names of transformations, by the names of their nodes */
    static Stage of(PipelineGraph task, Map<String, String> names) {
        return at(task.root(), task.scope(), names);
    }

    private static Stage at(String ref, Scope scope, Map<String, String> names) {
        NodeDef node = scope.node(Scope.nodeOf(scope.behindIdentities(ref)));
        List<Stage> inputs = new ArrayList<>();
        for (String input : node.getInputList()) {
            Optional<NodeDef> producer = scope.producer(scope.behindIdentities(input));
            if (!input.startsWith("^") && producer.isPresent() && DatasetOps.isDataset(producer.get())) {
                inputs.add(at(input, scope, names));
            }
        }
        return new Stage(node.getOp(), Optional.ofNullable(names.get(node.getName())), inputs);
    }
}
