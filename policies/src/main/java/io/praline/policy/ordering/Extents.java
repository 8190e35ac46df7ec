package io.praline.policy.ordering;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;

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
    }

    /**
     * What a step does to a component.
     *
     * @param ratio the largest distance from zero beside the spread, in front of it, in it and behind it
     * @param shift how far it moves values beside their spread, in all
     */
    record Seen(double ratio, double shift) {
        private Seen and(double otherRatio, double moreShift) {
            return new Seen(Math.max(ratio, otherRatio), shift + moreShift);
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
                before.stream().map(extent -> new Seen(extent.ratio(), 0)).toList());
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
                ofStep.set(component, ofStep.get(component).and(out.ratio(), shift(op, in)));
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
            case "Minimum", "Maximum", "ClipByValue", "Select", "SelectV2" ->
                Ops.largest(op).map(in::within).orElse(in);
            case "Identity", "Neg", "Cast" -> in;
            case "Abs" -> in.within(0);
            default -> Extent.of(after);
        };
    }

    private static double shift(StepOp op, Extent in) {
        return added(op).orElse(0) / in.spread();
    }

    /** What is drawn, or belongs to the element, is no larger than what it is added to; any constant may be. */
    private static OptionalDouble added(StepOp op) {
        if (!Ops.ADDING.contains(op.op())) {
            return OptionalDouble.empty();
        }
        String operand = op.setting("operand").orElse("tensor");
        boolean constant = operand.equals("scalar") || operand.startsWith("vector:");
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
        Seen all = new Seen(0, 0);
        for (List<Seen> step : seen.subList(from, to + 1)) {
            for (int component : components) {
                if (component < step.size()) {
                    all = all.and(
                            step.get(component).ratio(), step.get(component).shift());
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
