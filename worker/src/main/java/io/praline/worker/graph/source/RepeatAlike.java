package io.praline.worker.graph.source;

import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import java.util.Map;

/** Makes what a single task reads as a whole come as it came when it is read again, as far as {@link Repeatability} can. */
public final class RepeatAlike implements Pass {
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        return Repeatability.of(pipeline, Sources.of(pipeline), Map.of()).graph();
    }
}
