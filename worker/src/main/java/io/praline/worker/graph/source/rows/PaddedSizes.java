package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.tensorflow.proto.NodeDef;

/**
 * Up to which sizes a step fills elements up that share a batch: to those it is given, or to the longest of the batch where it is
 * given none, or a negative number.
 *
 * @param padded a step that pads
 */
public record PaddedSizes(NodeDef padded, Scope scope) {

    /** Whether a size may be that of the longest element. */
    public boolean areOfTheLongest() {
        int shapes = padded.getAttrOrThrow("output_shapes").getList().getShapeCount();
        return padded.getInputList().stream()
                .skip(2)
                .limit(shapes)
                .anyMatch(shape -> leastOf(shape).orElse(-1) < 0);
    }

    /** What no value of a tensor is less than; empty where that is not known, or where it has none. */
    private OptionalLong leastOf(String ref) {
        Optional<List<Long>> numbers = Constants.value(scope, ref).map(Constants::integers);
        if (numbers.isPresent()) {
            // one that has no dimensions has none to be filled up
            return OptionalLong.of(
                    numbers.get().stream().mapToLong(Long::longValue).min().orElse(0));
        }
        Optional<NodeDef> made = scope.producer(scope.behindIdentities(ref));
        if (made.isEmpty()) {
            return OptionalLong.empty();
        }
        NodeDef node = made.get();
        return switch (node.getOp()) {
            case "Cast", "StridedSlice", "GatherV2", "Reshape", "ExpandDims", "Squeeze" -> leastOf(node.getInput(0));
            case "Pack" -> least(node.getInputList().stream());
            case "ConcatV2" -> least(node.getInputList().stream().limit(node.getInputCount() - 1L));
            case "AddV2" -> sum(leastOf(node.getInput(0)), leastOf(node.getInput(1)));
            case "Sub" -> sum(leastOf(node.getInput(0)), negative(node.getInput(1)));
            default -> OptionalLong.empty();
        };
    }

    private OptionalLong least(Stream<String> refs) {
        List<OptionalLong> each =
                refs.filter(ref -> !ref.startsWith("^")).map(this::leastOf).toList();
        return each.stream().allMatch(OptionalLong::isPresent)
                ? each.stream().mapToLong(OptionalLong::getAsLong).min()
                : OptionalLong.empty();
    }

    private static OptionalLong sum(OptionalLong one, OptionalLong other) {
        return one.isPresent() && other.isPresent()
                ? OptionalLong.of(one.getAsLong() + other.getAsLong())
                : OptionalLong.empty();
    }

    private OptionalLong negative(String ref) {
        return Constants.value(scope, ref)
                .map(Constants::integers)
                .map(numbers -> numbers.stream().mapToLong(number -> -number))
                .orElse(LongStream.empty())
                .min();
    }
}
