package io.praline.worker.graph.ordering.function;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/**
 * Between what bounds the values of a constant lie, whatever their signs. None of them is infinite or no number at all.
 *
 * @param smallest none is nearer to zero
 * @param largest none is farther from it
 */
public record Magnitude(double smallest, double largest) {
    /** Far from where arithmetic on float32 ends. */
    private static final double MOST = 1e30;

    /**
     * Of a constant, or of what a function calculates from some.
     *
     * @param captured constants of the graph, by the arguments under which the function captures them
     * @return empty where it is not known, or too large
     */
    public static Optional<Magnitude> of(String ref, Body body, Map<String, NodeDef> captured) {
        Optional<NodeDef> node = body.producer(ref).or(() -> Optional.ofNullable(captured.get(ref)));
        return node.flatMap(each -> of(each, body, captured)).filter(Magnitude::isKnown);
    }

    private static Optional<Magnitude> of(NodeDef node, Body body, Map<String, NodeDef> captured) {
        if (node.getOp().equals("Const")) {
            return Literals.all(node).map(Magnitude::of);
        }
        Optional<Magnitude> first = node.getInputCount() > 0 ? of(node.getInput(0), body, captured) : Optional.empty();
        Optional<Magnitude> second = node.getInputCount() > 1 ? of(node.getInput(1), body, captured) : Optional.empty();
        return switch (node.getOp()) {
            case "Identity", "Cast", "Neg", "Abs", "Reshape", "ExpandDims", "Squeeze", "StridedSlice", "Slice" -> first;
            case "Add", "AddV2", "Sub" ->
                first.flatMap(one -> second.map(other -> new Magnitude(0, one.largest + other.largest)));
            case "Mul" ->
                first.flatMap(one ->
                        second.map(other -> new Magnitude(one.smallest * other.smallest, one.largest * other.largest)));
            case "Div", "RealDiv" ->
                first.flatMap(one -> second.filter(other -> other.smallest > 0)
                        .map(other -> new Magnitude(one.smallest / other.largest, one.largest / other.smallest)));
            default -> Optional.empty();
        };
    }

    private static Magnitude of(List<Number> numbers) {
        double smallest = Double.POSITIVE_INFINITY;
        double largest = 0;
        for (Number number : numbers) {
            double value = Math.abs(number.doubleValue());
            smallest = Math.min(smallest, value);
            largest = Math.max(largest, value);
        }
        return new Magnitude(smallest, largest);
    }

    /** What is no number is larger than none, and smaller than none. */
    private boolean isKnown() {
        return largest <= MOST;
    }
}
