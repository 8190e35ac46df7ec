package io.praline.worker.graph.analysis;

import io.praline.worker.graph.InlineCalls;
import io.praline.worker.graph.PipelineGraph;
import java.util.Optional;

/** Functions that are to be compiled as a whole ({@code jit_compile}): here their ops are computed one by one. */
final class CompiledFunctions {
    private static final String NOTE =
            "functions that are to be compiled (jit_compile) are computed op by op, so that what they give may differ in"
                    + " its last digits from what one process makes of it, and wholly where it casts what does not fit,"
                    + " compares what is no number or draws by seeds; and a division by zero, an index that is not there or"
                    + " a check that does not hold, which compiled functions pass over, fails";

    private CompiledFunctions() {}

    /** A line where there are any. */
    static Optional<String> note(PipelineGraph pipeline) {
        return pipeline.functions().values().stream().anyMatch(InlineCalls::isCompiled)
                ? Optional.of(NOTE)
                : Optional.empty();
    }
}
