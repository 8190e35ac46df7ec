package io.praline.worker.graph.ordering.step;

import java.util.List;
import java.util.Map;

/**
 * A step between the sources and the end, as rules judge it.
 *
 * @param name unique in the pipeline: the transformation's, and of a piece of a cut one also its number and what it does,
 *     {@code map_3.2:resize}
 * @param transformation the one that it comes from
 * @param ops those that an element's values pass, in order; of a batch or a barrier the dataset's own
 * @param draws whether random numbers decide over its result
 * @param drawsFromShape whether range or shape of a draw follows from the data
 * @param stateful whether it reads or changes what lives longer than a call, or draws by how many elements came before
 * @param mayFail whether there are values of its input's types and shapes for which it fails
 * @param keepPosition whether the user pinned it
 * @param reads places of the components that it takes values from, from 0
 * @param writes places of the components that it gives other values to; what is neither read nor written passes through
 * @param restructures whether components differ in number or order behind it
 * @param before the components of an element in front of it
 * @param after those behind it
 */
public record StepDescription(
        String name,
        String transformation,
        StepKind kind,
        List<StepOp> ops,
        boolean draws,
        boolean drawsFromShape,
        boolean stateful,
        boolean mayFail,
        boolean keepPosition,
        List<Integer> reads,
        List<Integer> writes,
        boolean restructures,
        List<TensorSpec> before,
        List<TensorSpec> after) {
    private static final StepOp NOTHING = new StepOp("Identity", List.of(), List.of(), Map.of());

    public StepDescription {
        ops = List.copyOf(ops);
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** The same where its draws follow from how many elements came before. */
    public StepDescription counting() {
        return with(ops, true);
    }

    /** The same where what it does has no rule for batches, as it is used. */
    public StepDescription ofSingleElements() {
        return with(told().stream().map(StepOp::ofSingleElements).toList(), stateful);
    }

    /** Its ops as others hear of them: what does nothing is told as an op that does nothing, with which the rest is told. */
    public List<StepOp> told() {
        return ops.isEmpty() ? List.of(NOTHING) : ops;
    }

    private StepDescription with(List<StepOp> other, boolean counts) {
        return new StepDescription(
                name,
                transformation,
                kind,
                other,
                draws,
                drawsFromShape,
                counts,
                mayFail,
                keepPosition,
                reads,
                writes,
                restructures,
                before,
                after);
    }

    /** Whether nothing moves past it, whatever rules say. */
    public boolean isBarrier() {
        return kind == StepKind.BARRIER || keepPosition;
    }
}
