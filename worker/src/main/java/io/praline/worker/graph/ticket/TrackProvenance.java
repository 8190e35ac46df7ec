package io.praline.worker.graph.ticket;

import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import org.tensorflow.proto.NodeDef;

/**
 * Gives every element its ticket, as one more component at the end: an int64 for a single element, a vector for a batch, a
 * matrix for a batch of batches. The ticket is born where a split is opened ({@link TicketBirth}), and carried on through the
 * user's transformations ({@link Widening}); what is left out on the way says so ({@link Told}). Comes behind {@link
 * BindSplits}.
 */
public final class TrackProvenance implements Pass {
    /** The argument and the result of a widened function that hold the ticket. */
    public static final String TICKET = "praline_ticket";

    /** The node in the function that opens a split that tells that it was read to its end. */
    static final String END = "praline_end";

    /** Whether a dataset node is given another one only to be read when that has ended, and takes none of its elements. */
    public static boolean readsNothing(NodeDef node) {
        return node.getName().equals(END);
    }

    /** @throws Untrackable if a transformation on the way cannot carry tickets */
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        WidenedFunctions functions = new WidenedFunctions(pipeline.functions());
        Scope scope = pipeline.scope();
        Carried root = new Widening(functions).carry(scope, pipeline.root());
        return new PipelineGraph(scope.nodes(), functions.all(), root.ref(), pipeline.versions());
    }
}
