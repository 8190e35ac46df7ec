package io.praline.worker.attempt.input;

import io.praline.schema.Guarantee;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;

/** A pipeline that this worker has at hand, and what its analysis says. */
public record KnownPipeline(PipelineGraph graph, PipelineAnalysis analysis) {

    /** Whether its elements carry tickets where this is asked for. */
    public boolean tracked(Guarantee asked) {
        return asked == Guarantee.EXACTLY_ONCE && analysis.exactlyOnce();
    }

    /** Whether they are known by counting them, and carry nothing. */
    public boolean counted(Guarantee asked, int skipBad) {
        return tracked(asked) && skipBad == 0 && analysis.counting().isPresent();
    }
}
