package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/** Whole numbers that a function computes of constants alone, such as axes, sizes and orders of dimensions. */
record FoldedNumbers(Scope body) {
    /** How far an axis is computed by TensorFlow's own functions, and some more. */
    private static final int DEEPEST = 8;

    private static final long MOST = 64;

    /** A number, or a list of them. */
    private record Numbers(List<Long> all, boolean single) {}

    /** The number, or the numbers of the list; empty where it is not known that it is one, or what they are. */
    Optional<List<Long>> of(String ref) {
        return folded(ref, 0).map(Numbers::all);
    }

    private Optional<Numbers> folded(String ref, int depth) {
        Optional<NodeDef> made = body.producer(body.behindIdentities(ref));
        if (made.isEmpty() || depth == DEEPEST) {
            return Optional.empty();
        }
        NodeDef node = made.get();
        return switch (node.getOp()) {
            case "Const" -> constant(ref);
            case "Range" -> range(node, depth);
            case "Pack" -> packed(node, depth);
            case "ConcatV2" -> joined(node, depth);
            case "StridedSlice" -> sliced(node, depth);
            case "Fill" -> filled(node, depth);
            case "Add", "AddV2" -> together(node, depth, Long::sum);
            case "Sub" -> together(node, depth, (one, other) -> one - other);
            case "Mul" -> together(node, depth, (one, other) -> one * other);
            case "Maximum" -> together(node, depth, Math::max);
            case "Minimum" -> together(node, depth, Math::min);
            default -> Optional.empty();
        };
    }

    private Optional<Numbers> constant(String ref) {
        return Constants.value(body, ref)
                .filter(value -> value.getDtype() == DataType.DT_INT32 || value.getDtype() == DataType.DT_INT64)
                .filter(value -> value.getTensorShape().getDimCount() < 2)
                .map(value -> new Numbers(
                        Constants.integers(value), value.getTensorShape().getDimCount() == 0));
    }

    private Optional<Long> number(String ref, int depth) {
        return folded(ref, depth + 1).filter(Numbers::single).map(found -> found.all()
                .get(0));
    }

    private Optional<Numbers> range(NodeDef node, int depth) {
        Optional<Long> from = number(node.getInput(0), depth);
        Optional<Long> until = number(node.getInput(1), depth);
        Optional<Long> step = number(node.getInput(2), depth);
        if (from.isEmpty() || until.isEmpty() || !step.equals(Optional.of(1L)) || until.get() - from.get() > MOST) {
            return Optional.empty();
        }
        return Optional.of(
                new Numbers(LongStream.range(from.get(), until.get()).boxed().toList(), false));
    }

    private Optional<Numbers> filled(NodeDef node, int depth) {
        Optional<List<Long>> size = folded(node.getInput(0), depth + 1)
                .map(Numbers::all)
                .filter(sizes -> sizes.size() == 1 && sizes.get(0) >= 0 && sizes.get(0) <= MOST);
        return size.flatMap(sizes -> number(node.getInput(1), depth)
                .map(value -> new Numbers(Collections.nCopies(sizes.get(0).intValue(), value), false)));
    }

    private Optional<Numbers> packed(NodeDef node, int depth) {
        List<Long> all = new ArrayList<>();
        for (String each : InputsFirst.values(node)) {
            Optional<Long> number = number(each, depth);
            if (number.isEmpty()) {
                return Optional.empty();
            }
            all.add(number.get());
        }
        return Optional.of(new Numbers(all, false));
    }

    private Optional<Numbers> joined(NodeDef node, int depth) {
        List<Long> all = new ArrayList<>();
        List<String> parts = InputsFirst.values(node);
        for (String each : parts.subList(0, parts.size() - 1)) {
            Optional<Numbers> part = folded(each, depth + 1).filter(found -> !found.single());
            if (part.isEmpty()) {
                return Optional.empty();
            }
            all.addAll(part.get().all());
        }
        return Optional.of(new Numbers(all, false));
    }

    /** One of a list, by its place. */
    private Optional<Numbers> sliced(NodeDef node, int depth) {
        boolean one = attribute(node, "shrink_axis_mask") == 1
                && attribute(node, "new_axis_mask") == 0
                && attribute(node, "ellipsis_mask") == 0;
        Optional<Numbers> list = folded(node.getInput(0), depth + 1).filter(found -> !found.single());
        Optional<List<Long>> place =
                folded(node.getInput(1), depth + 1).map(Numbers::all).filter(places -> places.size() == 1);
        if (!one || list.isEmpty() || place.isEmpty()) {
            return Optional.empty();
        }
        List<Long> all = list.get().all();
        long at = place.get().get(0) < 0
                ? place.get().get(0) + all.size()
                : place.get().get(0);
        return at < 0 || at >= all.size()
                ? Optional.empty()
                : Optional.of(new Numbers(List.of(all.get((int) at)), true));
    }

    private Optional<Numbers> together(NodeDef node, int depth, LongBinaryOperator make) {
        Optional<Numbers> one = folded(node.getInput(0), depth + 1);
        Optional<Numbers> other = folded(node.getInput(1), depth + 1);
        boolean alike = one.isPresent()
                && other.isPresent()
                && one.get().single() == other.get().single()
                && one.get().all().size() == other.get().all().size();
        return alike
                ? Optional.of(new Numbers(
                        IntStream.range(0, one.get().all().size())
                                .mapToObj(i -> make.applyAsLong(
                                        one.get().all().get(i),
                                        other.get().all().get(i)))
                                .toList(),
                        one.get().single()))
                : Optional.empty();
    }

    private static long attribute(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getI();
    }
}
