package io.praline.policy.ordering;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A piece of a pipeline that moves as one, as the user's own order has it.
 *
 * @param name unique in the pipeline: the transformation's, or for a piece of it {@code map_3.2:resize}
 * @param transformation the user's that it comes from
 * @param kind what it does to values
 * @param ops that compute it, each behind those whose results it takes; constants are left out
 * @param draws whether it draws; draws follow from an element's ticket and stay what they are when a step moves
 * @param drawsFromShape whether the range or shape of a draw follows from the data, as a random crop's offset does
 * @param stateful whether what it does follows from what it did
 * @param mayFail whether there is data on which it fails
 * @param keepPosition whether the user pinned it
 * @param reads components that it takes values from
 * @param writes components that it gives other values; what it neither reads nor writes passes through
 * @param restructures whether components change in number or order
 * @param before its components as they come
 * @param after its components as they leave
 */
public record Step(
        String name,
        String transformation,
        StepKind kind,
        List<StepOp> ops,
        boolean draws,
        boolean drawsFromShape,
        boolean stateful,
        boolean mayFail,
        boolean keepPosition,
        SortedSet<Integer> reads,
        SortedSet<Integer> writes,
        boolean restructures,
        List<TensorSpec> before,
        List<TensorSpec> after) {
    public Step {
        if (name.isBlank() || transformation.isBlank()) {
            throw new IllegalArgumentException("a step must have a name and a transformation that it comes from");
        }
        ops = List.copyOf(ops);
        reads = Collections.unmodifiableSortedSet(new TreeSet<>(reads));
        writes = Collections.unmodifiableSortedSet(new TreeSet<>(writes));
        before = List.copyOf(before);
        after = List.copyOf(after);
        check(name, "reads", reads, before);
        check(name, "writes", writes, after);
        if (!restructures && kind != StepKind.BATCH && kind != StepKind.BARRIER && before.size() != after.size()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s keeps its components, so there must be as many after it as before, are %d and %d",
                    name,
                    after.size(),
                    before.size()));
        }
    }

    private static void check(String name, String does, SortedSet<Integer> components, List<TensorSpec> specs) {
        if (!components.isEmpty() && (components.first() < 0 || components.last() >= specs.size())) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "%s %s components %s, of which there are %d", name, does, components, specs.size()));
        }
    }

    boolean is(StepKind... kinds) {
        return List.of(kinds).contains(kind);
    }

    /** Whether it takes from one component, gives to the same and looks at no other. */
    boolean worksOnOneAlone() {
        return reads.size() == 1 && reads.equals(writes) && !restructures;
    }

    /** Whether its one component has as many dimensions after it as before, and how many is known. */
    boolean keepsRank() {
        return !restructures
                && writes.stream()
                        .allMatch(component -> before.get(component).rank().isPresent()
                                && before.get(component)
                                        .rank()
                                        .equals(after.get(component).rank()));
    }

    /** Whether what it takes and gives is of this type and no other. */
    boolean isOf(String type) {
        return !restructures
                && reads.stream()
                        .allMatch(component -> before.get(component).type().equals(type))
                && writes.stream()
                        .allMatch(component -> after.get(component).type().equals(type));
    }

    /** Whether it leaves elements out by values that the other one writes. */
    boolean filtersBy(Step other) {
        return is(StepKind.FILTER) && (other.restructures() || !Collections.disjoint(reads, other.writes()));
    }

    boolean touches(int component) {
        return reads.contains(component) || writes.contains(component);
    }

    boolean has(Collection<String> names) {
        return ops.stream().anyMatch(op -> names.contains(op.op()));
    }

    boolean hasOnly(Collection<String> names) {
        return !ops.isEmpty() && ops.stream().allMatch(op -> names.contains(op.op()));
    }

    boolean all(Predicate<StepOp> condition) {
        return ops.stream().allMatch(condition);
    }

    /**
     * Whether a component may leave with other sizes than it came with. Only ops that are known to keep them, or sizes that
     * are known and equal, say that it does not.
     */
    boolean mayResize(int component) {
        if (restructures) {
            return true;
        }
        if (!writes.contains(component)) {
            return false;
        }
        TensorSpec in = before.get(component);
        TensorSpec out = after.get(component);
        return !(in.shape().equals(out.shape()) && (in.isStatic() || Ops.keepSizes(this)));
    }
}
