package io.praline.policy.ordering;

import io.praline.policy.ordering.Rule.Swap;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far results of two steps, of which one resizes, may be apart in either order, beside the range of values: what the
 * arithmetic of TensorFlow's kernels may lose at most, in float32, added up. Each operation loses half of the last binary digit
 * of its result, a part of 2^-24.
 *
 * <p>Sizes count. Where a pixel is taken from is computed as {@code (i + 0.5) * scale - 0.5}: as far from the edge as the side
 * is long, and rounded to a part of that. A mirror image counts from the other side, so that the two places are apart by up to
 * the side times 2^-23, and by as much of the difference of neighbours the value between them. An area's weights are
 * differences of such places, and do not add up to one by as much beside their length. And the more values a mean is taken of,
 * the more is rounded. What is added to all values counts as often as weights do not add up to one.
 */
final class Rounding {
    /** No rule admits more. */
    static final double MOST = 1e-4;

    private static final double UNIT = 0x1p-24;

    /** Of a picture that the graph tells no size of: JPEG has none that are larger. */
    private static final long LARGEST_SIDE = 65_535;

    /** Of each mean of two: their difference, its part, and the sum. */
    private static final double OF_SPREAD = 2;

    /** Of a mean along one side and then along the other, in both orders. */
    private static final int MEANS = 4;

    private Rounding() {}

    /** The largest difference, rounded up to one digit; infinite where too little is known. Empty where nothing resizes by means. */
    static OptionalDouble of(Swap swap) {
        Step resize = swap.the(StepKind.RESAMPLE);
        if (!resize.is(StepKind.RESAMPLE) || resize.has(Set.of(Ops.NEAREST))) {
            return OptionalDouble.empty();
        }
        if (resize.restructures() || resize.writes().isEmpty()) {
            return OptionalDouble.of(Double.POSITIVE_INFINITY);
        }
        List<StepOp> methods = resize.ops().stream()
                .filter(op -> Ops.METHODS.contains(op.op()))
                .toList();
        double units = methods.size() == 1
                ? units(swap.other(resize), resize, methods.get(0), swap.values())
                : Double.POSITIVE_INFINITY;
        return OptionalDouble.of(units * UNIT < 1 ? up(units * UNIT) : Double.POSITIVE_INFINITY);
    }

    /** Rounded up to one digit, as it is told. */
    static double up(double apart) {
        return BigDecimal.valueOf(apart)
                .round(new MathContext(1, RoundingMode.CEILING))
                .doubleValue();
    }

    /** What ops that give values of few digits may make of the last one, beside the range. */
    static double ofFewDigits(Step step, Extents.Seen values) {
        if (!step.is(StepKind.ELEMENTWISE, StepKind.COLOUR, StepKind.REDUCE) || !Ops.rounds(step)) {
            return 0;
        }
        double ratio = Math.max(1, atMost(values.ratio()));
        return step.ops().stream()
                .flatMap(op -> op.outputTypes().stream())
                .filter(ElementType::isNarrowFloating)
                .mapToDouble(type -> ratio * ElementType.spacing(type))
                .sum();
    }

    private static double units(Step other, Step resize, StepOp method, Extents.Seen values) {
        double ratio = atMost(values.ratio());
        double shift = atMost(values.shift());
        return other.is(StepKind.GEOMETRIC)
                ? MEANS * (OF_SPREAD + ratio) + 2 * turned(other, resize)
                : 2 * ratio * other.ops().size() + resized(method, resize, ratio, shift);
    }

    /** Values that lie farther from zero are a matter of their own. */
    private static double atMost(double ratio) {
        return ratio <= Extents.MOST_RATIO ? ratio : Extents.MOST_RATIO;
    }

    private static double resized(StepOp method, Step resize, double ratio, double shift) {
        if (method.op().equals(Ops.BILINEAR)) {
            return MEANS * (OF_SPREAD + ratio);
        }
        Side height = side(resize, -3);
        Side width = side(resize, -2);
        if (method.op().equals(Ops.AREA)) {
            return ratio * (height.cell() + width.cell() + 12) + shift * (2 * (height.longest() + width.longest()) + 4);
        }
        Kernel kernel = Kernel.of(method);
        double taps = height.taps(kernel) + width.taps(kernel) + 4;
        return kernel.weight() * kernel.weight() * (ratio + shift) * taps;
    }

    /**
     * What a mean is taken with.
     *
     * @param radius how far it reaches, in pixels of the larger picture where it leaves none out
     * @param weight sum of weights, whatever their signs
     * @param leavesOut whether it reaches no farther where pictures become smaller
     */
    private record Kernel(int radius, double weight, boolean leavesOut) {
        static Kernel of(StepOp method) {
            boolean leavesOut = method.op().equals(Ops.BICUBIC)
                    || method.setting("antialias").filter("false"::equals).isPresent();
            return switch (method.setting("kernel_type").orElse("")) {
                case "triangle" -> new Kernel(1, 1, leavesOut);
                case "lanczos3" -> new Kernel(3, 1.6, leavesOut);
                case "lanczos5" -> new Kernel(5, 1.9, leavesOut);
                default -> new Kernel(2, 1.4, leavesOut);
            };
        }
    }

    /** One side of a picture, in front of the resize and behind it. */
    private record Side(double in, OptionalLong out) {
        double longest() {
            return out.orElse(LARGEST_SIDE);
        }

        /** How many pixels become one. */
        double cell() {
            return in / out.orElse(1) + 2;
        }

        /** How many pixels a mean is taken of. */
        double taps(Kernel kernel) {
            double scale = kernel.leavesOut() ? 1 : Math.max(1, in / out.orElse(1));
            return Math.min(in, 2 * StrictMath.ceil(kernel.radius() * scale) + 1);
        }
    }

    /** @param axis counted from the end: -3 is the height's, -2 the width's */
    private static Side side(Step resize, int axis) {
        int component = resize.writes().first();
        // what is not known may be as small as a pixel
        return new Side(
                size(resize.before().get(component), axis).orElse(LARGEST_SIDE),
                size(resize.after().get(component), axis));
    }

    private static OptionalLong size(TensorSpec spec, int axis) {
        return spec.shape()
                .filter(sizes -> sizes.size() >= -axis)
                .map(sizes -> sizes.get(sizes.size() + axis))
                .filter(size -> size != TensorSpec.UNKNOWN)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** How long the sides are that are turned round; both, where the graph does not tell which. */
    private static double turned(Step flip, Step resize) {
        int component = resize.writes().first();
        int rank = resize.before().get(component).rank().orElse(0);
        boolean told = flip.ops().stream().noneMatch(LastAxis::changesRank)
                && flip.ops().stream().filter(op -> op.op().equals(Ops.REVERSE)).noneMatch(op -> axes(op).isEmpty());
        Set<Integer> turned = flip.ops().stream()
                .filter(op -> op.op().equals(Ops.REVERSE))
                .flatMap(op -> axes(op).stream())
                .map(axis -> axis.intValue() < 0 ? axis.intValue() : axis.intValue() - rank)
                .collect(Collectors.toSet());
        return Stream.of(-3, -2)
                .filter(axis -> !told || turned.contains(axis))
                .mapToDouble(axis -> size(resize.before().get(component), axis).orElse(LARGEST_SIDE))
                .sum();
    }

    private static List<Long> axes(StepOp reverse) {
        return reverse.setting("axis").map(LastAxis::numbers).orElse(List.of());
    }
}
