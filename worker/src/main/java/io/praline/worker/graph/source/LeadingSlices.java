package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What functions take of batches along the leading dimension: some of the rows, by their places. */
final class LeadingSlices {
    private LeadingSlices() {}

    /** Whether a function takes a part of one of its first arguments along the leading dimension. */
    static boolean takenBy(Optional<FunctionDef> called, int arguments) {
        return called.filter(function -> takenBy(function, arguments)).isPresent();
    }

    private static boolean takenBy(FunctionDef function, int arguments) {
        Set<String> batches = new HashSet<>();
        function.getSignature().getInputArgList().stream()
                .limit(arguments)
                .forEach(argument -> batches.add(argument.getName()));
        Scope body = Scope.ofFunction(function);
        return function.getNodeDefList().stream().anyMatch(node -> switch (node.getOp()) {
            case "StridedSlice" ->
                batches.contains(node.getInput(0)) && slicesRows(node, body) && !endsAtTheLast(node, body);
            case "Slice" ->
                batches.contains(node.getInput(0))
                        && (isOther(body, node.getInput(1), 0) || isOther(body, node.getInput(2), -1));
            case "GatherV2" ->
                batches.contains(node.getInput(0))
                        && Constants.value(body, node.getInput(1)).isPresent()
                        && !isOther(body, node.getInput(2), 0);
            case "Split" -> batches.contains(node.getInput(1)) && !isOther(body, node.getInput(0), 0);
            case "SplitV" -> batches.contains(node.getInput(0)) && !isOther(body, node.getInput(2), 0);
            default -> false;
        });
    }

    private static boolean slicesRows(NodeDef node, Scope body) {
        boolean someRows = (mask(node, "begin_mask") & 1) == 0
                || (mask(node, "end_mask") & 1) == 0
                || (mask(node, "shrink_axis_mask") & 1) == 1;
        boolean leading = (mask(node, "ellipsis_mask") & 1) == 0 && (mask(node, "new_axis_mask") & 1) == 0;
        // one that turns them leaves none out
        boolean steps = isOther(body, node.getInput(3), 1) && isOther(body, node.getInput(3), -1);
        return leading && (someRows || steps);
    }

    /** Whether it ends where the batch does, by a shape that begins as the batch's own: as TensorFlow's frames of waves do. */
    private static boolean endsAtTheLast(NodeDef slice, Scope body) {
        boolean fromTheFirst = (mask(slice, "shrink_axis_mask") & 1) == 0 && !isOther(body, slice.getInput(1), 0);
        return fromTheFirst
                && body.producer(body.behindIdentities(slice.getInput(2)))
                        .filter(end -> end.getOp().equals("ConcatV2"))
                        .flatMap(end -> body.producer(body.behindIdentities(end.getInput(0))))
                        .filter(first -> first.getOp().equals("SplitV"))
                        .flatMap(split -> body.producer(body.behindIdentities(split.getInput(0))))
                        .filter(shape -> shape.getOp().equals("Shape")
                                && shape.getInput(0).equals(slice.getInput(0)))
                        .isPresent();
    }

    /** Whether the first number of a tensor is known to be another one. */
    private static boolean isOther(Scope body, String ref, long number) {
        Optional<NodeDef> packed = body.producer(body.behindIdentities(ref))
                .filter(node -> node.getOp().equals("Pack"));
        return Constants.value(body, packed.map(node -> node.getInput(0)).orElse(ref))
                .map(Constants::integers)
                .filter(numbers -> !numbers.isEmpty() && numbers.get(0) != number)
                .isPresent();
    }

    private static long mask(NodeDef slice, String name) {
        return slice.getAttrOrDefault(name, AttrValue.getDefaultInstance()).getI();
    }
}
