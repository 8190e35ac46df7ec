package io.praline.policy.ordering;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether copies and resizes leave each value at its place in the last dimension, along which a vector may lie. */
final class LastAxis {
    private static final Set<String> CUTTING = Set.of("Slice", "StridedSlice");

    private static final Set<String> CHOOSING = Set.of("Select", "SelectV2");

    private static final Set<String> RESIZING =
            Set.of(Ops.NEAREST, Ops.BILINEAR, Ops.BICUBIC, Ops.AREA, Ops.ANTIALIASED);

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

    private LastAxis() {}

    /** Whether it is as long behind the step as in front of it, and each value at its place in it. */
    static boolean stays(Step step, int component) {
        if (step.restructures()) {
            return false;
        }
        TensorSpec in = step.before().get(component);
        TensorSpec out = step.after().get(component);
        return in.lastSize().isPresent()
                && in.lastSize().equals(out.lastSize())
                && in.rank().equals(out.rank())
                && !mayBeAnother(step)
                && step.all(op -> isLeftBy(step, op, in));
    }

    /**
     * Whether it may be another one that is as long: one is cut away and one comes anew, or what is cut short is stretched
     * where it is chosen in place of what was not. Resized there and back again it is as long, but not the same.
     */
    private static boolean mayBeAnother(Step step) {
        boolean cuts = step.ops().stream().anyMatch(op -> cuts(step, op));
        boolean counts = step.ops().stream().anyMatch(LastAxis::changesRank);
        boolean chooses = step.has(CHOOSING);
        long resizes =
                step.ops().stream().filter(op -> RESIZING.contains(op.op())).count();
        return (cuts && counts) || (chooses && (cuts || counts)) || resizes > 1;
    }

    /** Whether it may leave values out; {@code x[None]} does not, nor {@code x[0]} but of whole rows. */
    private static boolean cuts(Step step, StepOp op) {
        return CUTTING.contains(op.op()) && !Ops.ofSizes(step, op) && !isOfFirst(op);
    }

    private static boolean isLeftBy(Step step, StepOp op, TensorSpec spec) {
        int last = spec.rank().orElseThrow() - 1;
        return switch (op.op()) {
            case Ops.REVERSE ->
                step.ops().stream().noneMatch(LastAxis::changesRank)
                        && op.setting("axis")
                                .map(LastAxis::numbers)
                                .filter(axes ->
                                        !axes.isEmpty() && axes.stream().noneMatch(axis -> axis == -1 || axis == last))
                                .isPresent();
            // as many as there are: from the first on, one after the other, if it does not go backwards
            case "StridedSlice" ->
                Ops.ofSizes(step, op)
                        || ((!changesRank(op) || isOfFirst(op))
                                && op.setting("strides")
                                        .map(LastAxis::numbers)
                                        .filter(strides -> !strides.isEmpty()
                                                && strides.stream().allMatch(stride -> stride == 1))
                                        .isPresent());
            case "Transpose" -> false;
            default -> true;
        };
    }

    /** Whether it counts dimensions otherwise, as {@code x[None]} does. */
    static boolean changesRank(StepOp op) {
        return Set.of("ExpandDims", "Squeeze").contains(op.op()) || masks(op).anyMatch(mask -> !mask.equals("0"));
    }

    /** Whether it gives or takes the first dimension and nothing else, as {@code x[None]} and {@code x[0, ...]} do. */
    private static boolean isOfFirst(StepOp op) {
        int said = op.setting("begin").map(LastAxis::numbers).orElse(List.of()).size();
        boolean aloneOrWithDots = said == 1
                || (said == 2 && op.setting("ellipsis_mask").filter("2"::equals).isPresent());
        return aloneOrWithDots && masks(op).sorted().toList().equals(List.of("0", "1"));
    }

    private static Stream<String> masks(StepOp op) {
        return Stream.of("new_axis_mask", "shrink_axis_mask").flatMap(mask -> op.setting(mask).stream());
    }

    /** Those in a text like {@code 1,2} or {@code [1, 2]}. */
    static List<Long> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(number -> Long.valueOf(number.group()))
                .toList();
    }
}
