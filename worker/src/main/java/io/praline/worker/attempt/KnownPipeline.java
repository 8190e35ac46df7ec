package io.praline.worker.attempt;

import io.praline.schema.Guarantee;
import io.praline.worker.graph.PipelineAnalysis;
import io.praline.worker.graph.PipelineGraph;

/** A pipeline that this worker has at hand, and what its analysis says. */
public record KnownPipeline(PipelineGraph graph, PipelineAnalysis analysis) {

    /** Whether its elements carry tickets where this is asked for. */
    boolean tracked(Guarantee asked) {
        return asked == Guarantee.EXACTLY_ONCE && analysis.exactlyOnce();
    }
}
