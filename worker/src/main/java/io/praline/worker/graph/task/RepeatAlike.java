package io.praline.worker.graph.task;

import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.source.Repeatability;
import io.praline.worker.graph.source.Sources;
import java.util.Map;

/** Makes what a single task reads as a whole come as it came when it is read again, as far as {@link Repeatability} can. */
public final class RepeatAlike implements Pass {
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        return Repeatability.of(pipeline, Sources.of(pipeline), Map.of()).graph();
    }
}
