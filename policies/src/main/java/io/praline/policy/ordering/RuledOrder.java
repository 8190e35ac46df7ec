package io.praline.policy.ordering;

import io.praline.policy.ordering.SectionSearch.Found;
import io.praline.policy.ordering.plan.Blocked;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Prediction;
import io.praline.policy.ordering.plan.Proof;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The cheapest order that moves of some proofs lead to, section by section. */
final class RuledOrder {
    private final List<Step> steps;
    private final Admissions admissions;
    private final CostModel costs;
    private final List<List<Integer>> sections;

    RuledOrder(List<Step> pipeline, List<StepMeasure> measured, OrderOptions options, Set<Proof> proofs) {
        this.steps = List.copyOf(pipeline);
        this.admissions = new Admissions(steps, options, proofs);
        this.costs = new CostModel(steps, measured, options.prices());
        this.sections = sections(steps);
    }

    /**
     * Runs of steps that are no barriers, positions in the user's order; of more than the search takes, several, and where
     * batches are made of batches, one for each.
     */
    static List<List<Integer>> sections(List<Step> steps) {
        List<List<Integer>> sections = new ArrayList<>();
        List<Integer> section = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            boolean wall = isWall(steps.get(i));
            boolean full = section.size() == SectionSearch.MOST_STEPS
                    || (steps.get(i).is(StepKind.BATCH)
                            && section.stream().anyMatch(at -> steps.get(at).is(StepKind.BATCH)));
            if ((wall || full) && !section.isEmpty()) {
                sections.add(section);
                section = new ArrayList<>();
            }
            if (!wall) {
                section.add(i);
            }
        }
        if (!section.isEmpty()) {
            sections.add(section);
        }
        return sections;
    }

    static boolean isWall(Step step) {
        return step.is(StepKind.BARRIER) || step.keepPosition();
    }

    OrderPlan plan() {
        List<Found> found = new ArrayList<>();
        for (List<Integer> section : sections) {
            int from = section.get(0);
            found.add(new SectionSearch(steps, from, from + section.size(), admissions, costs, true).best());
        }
        List<Move> moves = new ArrayList<>();
        for (Found best : found) {
            changes(best.order())
                    .forEach(pair -> moves.add(
                            admissions.move(pair.first(), pair.second()).orElseThrow()));
            for (EarlyBatch early : best.early()) {
                best.order()
                        .subList(early.from(), early.to())
                        .forEach(step ->
                                moves.add(admissions.early(step, early.size()).orElseThrow()));
            }
        }
        boolean bounded = found.stream().anyMatch(Found::bounded);
        return plan(
                steps,
                sections,
                found.stream().map(Found::order).toList(),
                found.stream().map(Found::early).toList(),
                moves,
                blocked(),
                costs,
                bounded,
                reason(moves));
    }

    static OrderPlan plan(
            List<Step> steps,
            List<List<Integer>> sections,
            List<List<Integer>> orders,
            List<List<EarlyBatch>> early,
            List<Move> moves,
            List<Blocked> blocked,
            CostModel costs,
            boolean bounded,
            String reason) {
        Prediction before = costs.asWritten();
        Prediction after = moves.isEmpty()
                ? before
                : costs.joined(whole(steps, sections, orders), together(steps, sections, early));
        return new OrderPlan(
                orders.stream().map(order -> names(steps, order)).toList(),
                IntStream.range(0, sections.size())
                        .filter(section -> !sections.get(section).equals(orders.get(section))
                                || !early.get(section).isEmpty())
                        .mapToObj(section -> EarlyBatch.told(names(steps, orders.get(section)), early.get(section)))
                        .toList(),
                moves,
                blocked,
                before,
                after,
                bounded,
                reason);
    }

    private static List<String> names(List<Step> steps, List<Integer> order) {
        return order.stream().map(step -> steps.get(step).name()).toList();
    }

    private static List<Integer> whole(List<Step> steps, List<List<Integer>> sections, List<List<Integer>> orders) {
        Integer[] whole = IntStream.range(0, steps.size()).boxed().toArray(Integer[]::new);
        for (int section = 0; section < sections.size(); section++) {
            for (int i = 0; i < orders.get(section).size(); i++) {
                whole[sections.get(section).get(i)] = orders.get(section).get(i);
            }
        }
        return List.of(whole);
    }

    /** Of each place in the whole order how many go together in an early batch; 0: in none. */
    private static int[] together(List<Step> steps, List<List<Integer>> sections, List<List<EarlyBatch>> early) {
        int[] together = new int[steps.size()];
        for (int section = 0; section < sections.size(); section++) {
            int from = sections.get(section).get(0);
            early.get(section)
                    .forEach(batch -> Arrays.fill(together, from + batch.from(), from + batch.to(), batch.size()));
        }
        return together;
    }

    /**
     * A pair that changes places.
     *
     * @param first came first
     * @param second comes first now
     */
    record Pair(int first, int second) {}

    /** From the user's order to another, neighbour by neighbour: who comes first goes forward past all that it must pass. */
    static List<Pair> changes(List<Integer> order) {
        List<Integer> now = new ArrayList<>(order.stream().sorted().toList());
        List<Pair> changes = new ArrayList<>();
        for (int to = 0; to < order.size(); to++) {
            for (int at = now.indexOf(order.get(to)); at > to; at--) {
                changes.add(new Pair(now.get(at - 1), now.get(at)));
                now.add(at - 1, now.remove(at));
            }
        }
        return changes;
    }

    private List<Blocked> blocked() {
        List<Blocked> blocked = new ArrayList<>();
        for (List<Integer> section : sections) {
            for (int second : section) {
                for (int first : section) {
                    if (first < second) {
                        admissions.blocked(first, second).ifPresent(blocked::add);
                    }
                }
                if (section.stream().noneMatch(at -> steps.get(at).is(StepKind.BATCH))) {
                    admissions.blockedEarly(second).ifPresent(blocked::add);
                }
            }
        }
        return blocked;
    }

    private String reason(List<Move> moves) {
        if (!moves.isEmpty()) {
            return String.format(
                    Locale.ROOT, "the cheapest order that allowed moves lead to, by %d of them", moves.size());
        }
        return "nothing can move, because " + why();
    }

    private String why() {
        List<Step> movable = sections.stream()
                .flatMap(List::stream)
                .map(steps::get)
                .filter(step -> !step.is(StepKind.BATCH))
                .toList();
        if (movable.isEmpty()) {
            return "there is no step between the barriers";
        }
        if (movable.stream().allMatch(step -> step.is(StepKind.OPAQUE, StepKind.STATEFUL))) {
            return "what these steps do is not known, or follows from what they did: "
                    + String.join(", ", movable.stream().map(Step::name).toList());
        }
        Optional<Move> allowed = sections.stream()
                .flatMap(section -> section.stream().flatMap(second -> section.stream()
                        .filter(first -> first < second)
                        .flatMap(first -> admissions.move(first, second).stream())))
                .findFirst();
        if (allowed.isPresent()) {
            return "no order that allowed moves lead to is expected to cost less";
        }
        if (movable.size() == 1 && sections.stream().allMatch(section -> section.size() == 1)) {
            return movable.get(0).name() + " is the only step";
        }
        return "no rule lets any step move before another";
    }
}
