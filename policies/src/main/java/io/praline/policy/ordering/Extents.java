package io.praline.policy.ordering;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.function.DoubleUnaryOperator;

/**
 * How far from zero values lie, beside how far they spread, as far as the graph tells: each is rounded to a part of its size,
 * and results are compared beside their spread. Integers are taken to be bytes, of which pictures have all; what nothing is
 * known of, to spread over 1 and to begin at zero.
 */
final class Extents {
    /** Farther from zero, few digits of a value tell how it differs from others: of bytes 1,024 may be added. */
    static final double MOST_RATIO = 5.02;

    private static final double BYTES = 255;

    private final List<List<Seen>> seen = new ArrayList<>();

    /**
     * Values of a component.
     *
     * @param spread between the smallest and the largest, at least
     * @param largest none is farther from zero
     */
    private record Extent(double spread, double largest) {
        static Extent of(TensorSpec spec) {
            boolean bytes = ElementType.named(spec.type())
                    .filter(type -> type.exact() && type.digits() > 1)
                    .isPresent();
            return bytes ? new Extent(BYTES, BYTES) : new Extent(1, 1);
        }

        static List<Extent> of(List<TensorSpec> specs) {
            return specs.stream().map(Extent::of).toList();
        }

        double ratio() {
            return largest / spread;
        }

        Extent times(double smallestFactor, double largestFactor) {
            return new Extent(spread * smallestFactor, largest * largestFactor);
        }

        /** Between bounds of which this is the one farther from zero; or on one side of zero. */
        Extent within(double bound) {
            return bound > 0
                    ? new Extent(Math.min(spread, bound), Math.max(largest, bound))
                    : new Extent(spread / 2, largest);
        }

        /** Half of them at least is above zero, and less where the bound is. */
        Extent above(double bound) {
            return bound > 0
                    ? new Extent(Math.min(spread / 2, Math.max(0, spread - bound)), Math.max(largest, bound))
                    : within(0);
        }

        /** Between bounds that lie so far apart at most. */
        Extent across(double width) {
            return new Extent(Math.min(spread, width), largest);
        }

        /** What becomes of values that begin at zero. */
        Extent through(DoubleUnaryOperator rising) {
            double most = rising.applyAsDouble(spread);
            return new Extent(most - rising.applyAsDouble(0), most);
        }
    }

    /**
     * What a step does to a component.
     *
     * @param ratio the largest distance from zero beside the spread, in front of it, in it and behind it
     * @param shift how far it moves values beside their spread, in all
     * @param growth how often as large a small difference is behind it, beside the spread there; 1 where it is as large
     */
    record Seen(double ratio, double shift, double growth) {
        private Seen and(double otherRatio, double moreShift, double moreGrowth) {
            return new Seen(Math.max(ratio, otherRatio), shift + moreShift, growth * moreGrowth);
        }
    }

    /** @param steps one behind the other, in the user's order */
    Extents(List<Step> steps) {
        List<Extent> extents =
                steps.isEmpty() ? List.of() : Extent.of(steps.get(0).before());
        for (Step step : steps) {
            if (extents.size() != step.before().size()) {
                extents = Extent.of(step.before());
            }
            extents = take(step, extents);
        }
    }

    private List<Extent> take(Step step, List<Extent> before) {
        List<Seen> ofStep = new ArrayList<>(
                before.stream().map(extent -> new Seen(extent.ratio(), 0, 1)).toList());
        List<Extent> behind = new ArrayList<>(before);
        boolean others = step.restructures()
                || before.size() != step.after().size()
                || (step.is(StepKind.BARRIER) && !step.before().equals(step.after()));
        if (others) {
            behind = Extent.of(step.after());
        } else if (step.is(StepKind.ELEMENTWISE) && step.worksOnOneAlone()) {
            int component = step.writes().first();
            for (StepOp op : step.ops()) {
                Extent in = behind.get(component);
                Extent out = behind(op, in, step.after().get(component));
                ofStep.set(component, ofStep.get(component).and(out.ratio(), shift(op, in), growth(op, in, out)));
                behind.set(component, out);
            }
        } else if (step.is(
                StepKind.ELEMENTWISE,
                StepKind.REDUCE,
                StepKind.DECODE,
                StepKind.PARSE,
                StepKind.OPAQUE,
                StepKind.STATEFUL)) {
            for (int component : step.writes()) {
                behind.set(component, Extent.of(step.after().get(component)));
            }
        }
        seen.add(ofStep);
        return behind;
    }

    private static Extent behind(StepOp op, Extent in, TensorSpec after) {
        return switch (op.op()) {
            case "Add", "AddV2", "Sub" ->
                new Extent(in.spread(), in.largest() + added(op).orElse(0));
            case "Mul" ->
                Ops.smallest(op)
                        .flatMap(least -> Ops.largest(op).map(most -> in.times(least, most)))
                        .orElseGet(() -> Extent.of(after));
            case "Div", "RealDiv" ->
                Optional.of(op)
                        .filter(Ops::dividesValues)
                        .flatMap(Ops::smallest)
                        .flatMap(least -> Ops.largest(op).map(most -> in.times(1 / most, 1 / least)))
                        .orElseGet(() -> Extent.of(after));
            case "Minimum", "Select", "SelectV2" ->
                Ops.largest(op).map(in::within).orElse(in);
            case "Maximum" ->
                Ops.lowest(op)
                        .map(in::above)
                        .orElseGet(() -> Ops.largest(op).map(in::within).orElse(in));
            case "ClipByValue" -> {
                Extent within = Ops.largest(op).map(in::within).orElse(in);
                yield Ops.width(op).map(within::across).orElse(within);
            }
            case "Relu6" -> in.within(6);
            case "Identity", "Neg", "Cast" -> in;
            case "Abs", "Relu" -> in.within(0);
            case "Tanh" -> in.through(StrictMath::tanh);
            case "Sigmoid" -> in.through(value -> 1 / (1 + StrictMath.exp(-value)));
            default -> Extent.of(after);
        };
    }

    /** What cuts values off or presses them together makes a difference no larger, but their spread smaller. */
    private static double growth(StepOp op, Extent in, Extent out) {
        return Amplifiers.NARROWING.contains(op.op()) ? Math.max(1, steepest(op) * in.spread() / out.spread()) : 1;
    }

    private static double steepest(StepOp op) {
        return op.op().equals("Sigmoid") ? 0.25 : 1;
    }

    private static double shift(StepOp op, Extent in) {
        return added(op).orElse(0) / in.spread();
    }

    /** What is drawn, or belongs to the element, is no larger than what it is added to; any constant may be, however it reaches. */
    private static OptionalDouble added(StepOp op) {
        if (!Ops.ADDING.contains(op.op())) {
            return OptionalDouble.empty();
        }
        boolean constant = op.setting(StepOp.OPERAND)
                .filter(operand -> !operand.equals(StepOp.DRAWN) && !operand.equals(StepOp.SHAPE))
                .isPresent();
        return Ops.largest(op)
                .map(OptionalDouble::of)
                .orElse(constant ? OptionalDouble.of(Double.POSITIVE_INFINITY) : OptionalDouble.empty());
    }

    /**
     * What steps do to components from one step to another, these two included.
     *
     * @param from counted from 0, as {@code to}
     */
    Seen between(int from, int to, SortedSet<Integer> components) {
        Seen all = new Seen(0, 0, 1);
        for (List<Seen> step : seen.subList(from, to + 1)) {
            for (int component : components) {
                if (component < step.size()) {
                    Seen one = step.get(component);
                    all = all.and(one.ratio(), one.shift(), one.growth());
                }
            }
        }
        return all;
    }

    /** Whether values lie so near to zero, as far as they spread, that a small difference stays one. */
    static boolean near(Seen seen) {
        return seen.ratio() <= MOST_RATIO;
    }
}
