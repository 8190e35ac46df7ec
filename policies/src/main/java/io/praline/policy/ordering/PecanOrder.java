package io.praline.policy.ordering;

import io.praline.policy.Counted;
import io.praline.policy.ordering.RuledOrder.Pair;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Proof;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * AutoOrder as published for Pecan (Graur et al., ATC 2024, algorithm 2), over the user's own transformations, which are not
 * cut. Results may change: the published argument is that training is random anyway.
 *
 * <pre>
 *   factor      = (elements * values * width of the type) out / the same in
 *   sections    = between barriers, what is pinned, decoding (text into numbers or back), and what changes the number of
 *                 dimensions or of components, as a batch does
 *   in each     : factor &lt; 1 goes to the front, the later ones before the earlier; factor = 1 behind those;
 *                 factor &gt; 1 behind all of these. A cast to float16 or bfloat16 goes to the end, whatever its factor
 * </pre>
 *
 * Where no worker could carry that out, since a step would be given types that it was not written for, or another size came out
 * in the end, the steps in question stay as they are, and others go as near as they may. So does a filter beside what writes the
 * values that it reads: other elements would be left out than the user's, where results may differ and data may not.
 *
 * Factors follow from the graph where it says how many values there are, else from the sample, and there 0.95 to 1.05 counts
 * as 1. What the published code does otherwise is not repeated: it moves steps that enlarge forward where sizes are unknown,
 * takes no notice of sizes that are known, computes an order at the end of an epoch and drops it, and loses settings of
 * transformations that it moves.
 *
 * @param options what the user says; leaves matter not, since nothing asks for any
 */
public record PecanOrder(OrderOptions options) {
    private static final double NEUTRAL = 0.05;
    private static final String RULE = "as published for Pecan: small first, large last";

    /** Where a transformation goes within its section. */
    private enum Place {
        FRONT,
        MIDDLE,
        BACK,
        END
    }

    /**
     * The order for a pipeline.
     *
     * @param pipeline all of its steps in the user's order; those of one transformation stay together
     * @param measured what they did on a sample
     */
    public OrderPlan plan(List<Step> pipeline, List<StepMeasure> measured) {
        CostModel costs = new CostModel(pipeline, measured, options.prices());
        List<List<Integer>> sections = RuledOrder.sections(pipeline);
        List<List<Integer>> orders = new ArrayList<>();
        List<Move> moves = new ArrayList<>();
        for (List<Integer> section : sections) {
            List<List<Integer>> transformations = transformations(pipeline, section);
            List<Integer> order = order(pipeline, transformations, costs);
            orders.add(order.stream()
                    .flatMap(at -> transformations.get(at).stream())
                    .toList());
            for (Pair pair : RuledOrder.changes(order)) {
                moves.addAll(moves(pipeline, transformations.get(pair.first()), transformations.get(pair.second())));
            }
        }
        String reason = moves.isEmpty()
                ? "nothing can move, because each transformation stands where the published order has it"
                : "the published order, by " + Counted.of(moves.size(), "move") + "; results may differ";
        return RuledOrder.plan(
                pipeline,
                sections,
                orders,
                orders.stream().map(order -> List.<EarlyBatch>of()).toList(),
                moves,
                List.of(),
                costs,
                false,
                reason);
    }

    private static List<List<Integer>> transformations(List<Step> steps, List<Integer> section) {
        List<List<Integer>> transformations = new ArrayList<>();
        String last = "";
        for (int at : section) {
            String name = steps.get(at).transformation();
            if (!name.equals(last)) {
                transformations.add(new ArrayList<>());
            }
            transformations.get(transformations.size() - 1).add(at);
            last = name;
        }
        return transformations;
    }

    /** Positions among the transformations. */
    private static List<Integer> order(List<Step> steps, List<List<Integer>> transformations, CostModel costs) {
        List<Integer> order = new ArrayList<>();
        List<Integer> between = new ArrayList<>();
        for (int i = 0; i < transformations.size(); i++) {
            if (isFixed(steps, transformations.get(i))) {
                order.addAll(ordered(steps, transformations, between, costs));
                order.add(i);
                between.clear();
            } else {
                between.add(i);
            }
        }
        order.addAll(ordered(steps, transformations, between, costs));
        return order;
    }

    private static List<Integer> ordered(
            List<Step> steps, List<List<Integer>> transformations, List<Integer> between, CostModel costs) {
        List<Integer> front = new ArrayList<>();
        List<Integer> middle = new ArrayList<>();
        List<Integer> back = new ArrayList<>();
        List<Integer> end = new ArrayList<>();
        for (int i : between) {
            switch (place(steps, transformations.get(i), costs)) {
                case FRONT -> front.add(0, i);
                case MIDDLE -> middle.add(i);
                case BACK -> back.add(i);
                case END -> end.add(i);
            }
        }
        List<Integer> published = new ArrayList<>(front);
        published.addAll(middle);
        published.addAll(back);
        published.addAll(end);
        return nearest(steps, transformations, between, published);
    }

    /**
     * The published order, as far as what comes out in the end has the types and sizes of the user's, and each step takes what it
     * is given: neighbours change places as long as that holds.
     */
    private static List<Integer> nearest(
            List<Step> steps, List<List<Integer>> transformations, List<Integer> written, List<Integer> published) {
        if (written.isEmpty()) {
            return published;
        }
        List<TensorSpec> given =
                steps.get(transformations.get(written.get(0)).get(0)).before();
        Optional<List<TensorSpec>> gave = carried(steps, transformations, written, given);
        List<Integer> order = new ArrayList<>(written);
        boolean moves = true;
        while (moves) {
            moves = false;
            for (int i = 1; i < order.size(); i++) {
                boolean wanted = published.indexOf(order.get(i)) < published.indexOf(order.get(i - 1));
                if (wanted
                        && !filters(steps, transformations.get(order.get(i - 1)), transformations.get(order.get(i)))) {
                    Collections.swap(order, i - 1, i);
                    Optional<List<TensorSpec>> gives = carried(steps, transformations, order, given);
                    if (gives.isPresent() && gives.equals(gave)) {
                        moves = true;
                    } else {
                        Collections.swap(order, i - 1, i);
                    }
                }
            }
        }
        return order;
    }

    /** Whether one of them leaves elements out by what the other one writes. */
    private static boolean filters(List<Step> steps, List<Integer> first, List<Integer> second) {
        return first.stream().map(steps::get).anyMatch(one -> second.stream()
                .map(steps::get)
                .anyMatch(other -> one.filtersBy(other) || other.filtersBy(one)));
    }

    private static Optional<List<TensorSpec>> carried(
            List<Step> steps, List<List<Integer>> transformations, List<Integer> order, List<TensorSpec> given) {
        return Carried.behind(
                order.stream()
                        .flatMap(at -> transformations.get(at).stream())
                        .map(steps::get)
                        .toList(),
                given);
    }

    private static boolean isFixed(List<Step> steps, List<Integer> transformation) {
        return transformation.stream().map(steps::get).anyMatch(PecanOrder::isFixed);
    }

    private static boolean isFixed(Step step) {
        return step.is(StepKind.BATCH, StepKind.BARRIER)
                || step.restructures()
                || IntStream.range(0, step.before().size())
                        .anyMatch(component -> isFixed(
                                step.before().get(component), step.after().get(component)));
    }

    private static boolean isFixed(TensorSpec in, TensorSpec out) {
        return ElementType.isNumeric(in.type()) != ElementType.isNumeric(out.type())
                || !in.rank().equals(out.rank());
    }

    private static Place place(List<Step> steps, List<Integer> transformation, CostModel costs) {
        if (transformation.stream().map(steps::get).anyMatch(PecanOrder::narrows)) {
            return Place.END;
        }
        int first = transformation.get(0);
        int last = transformation.get(transformation.size() - 1);
        double factor = costs.factor(first, last);
        Optional<Double> known = known(steps.get(first), steps.get(last));
        double rounded = known.orElse(Math.abs(factor - 1) < NEUTRAL ? 1.0 : factor);
        return rounded < 1 ? Place.FRONT : rounded > 1 ? Place.BACK : Place.MIDDLE;
    }

    /** By the graph alone: where all sizes are known, and no element is left out. */
    private static Optional<Double> known(Step first, Step last) {
        boolean isSaid = first.before().stream().allMatch(CostModel::isSaid)
                && last.after().stream().allMatch(CostModel::isSaid);
        return isSaid && !first.is(StepKind.FILTER) && !last.is(StepKind.FILTER)
                ? Optional.of(bytes(last.after()) / bytes(first.before()))
                : Optional.empty();
    }

    private static double bytes(List<TensorSpec> specs) {
        return specs.stream()
                .mapToDouble(spec -> (double) spec.values().orElseThrow() * ElementType.width(spec.type()))
                .sum();
    }

    private static boolean narrows(Step step) {
        return !step.restructures()
                && step.writes().stream()
                        .anyMatch(component -> ElementType.isNarrowFloating(
                                        step.after().get(component).type())
                                && !ElementType.isNarrowFloating(
                                        step.before().get(component).type()));
    }

    private static List<Move> moves(List<Step> steps, List<Integer> first, List<Integer> second) {
        return second.stream()
                .flatMap(moved -> IntStream.range(0, first.size())
                        .map(i -> first.get(first.size() - 1 - i))
                        .mapToObj(past -> new Move(
                                steps.get(moved).name(),
                                steps.get(past).name(),
                                RULE,
                                Proof.BY_LEAVE,
                                0,
                                "nothing fixed stands between them")))
                .toList();
    }
}
