package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Sources;
import java.util.List;
import java.util.Map;

/**
 * Elements that a pipeline without tickets leaves out once for each task. With tickets what does not fill a task's last batch
 * goes on to another task; without them nobody could tell what it was.
 */
final class TaskTails {
    private TaskTails() {}

    /**
     * A line for each step that leaves out a short batch, of elements of several splits.
     *
     * @param names of transformations, by the names of their nodes
     */
    static List<String> notes(PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        Scope scope = pipeline.scope();
        return AcrossSplits.behindSplits(pipeline, sources).stream()
                .filter(node -> DatasetOps.dropsRemainder(node, scope).orElse(false))
                .map(node -> names.getOrDefault(node.getName(), node.getName())
                        + ": each task leaves out what does not fill its last batch, where one process does so once")
                .toList();
    }
}
