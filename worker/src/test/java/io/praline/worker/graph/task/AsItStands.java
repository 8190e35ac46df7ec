package io.praline.worker.graph.task;

import io.praline.worker.graph.PipelineGraph;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The user's graph as it stands, to be compared with. */
public final class AsItStands {
    private AsItStands() {}

    public static TaskGraph of(PipelineGraph pipeline) {
        return new TaskGraph(
                new SessionNodes(pipeline).graph(0, false, Optional.empty()),
                pipeline.components(),
                OptionalInt.empty(),
                Optional.empty(),
                false,
                0,
                Optional.empty(),
                1,
                Stages.of(pipeline, Map.of()),
                List.of());
    }
}
