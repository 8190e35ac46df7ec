package io.praline.policy.ordering;

import io.praline.policy.ordering.Rule.Swap;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A pair and what a rule says of it.
 *
 * @param failing the words of the only condition that does not hold; empty where it is admitted
 * @param before what stands in front of the pair
 */
record Row(String rule, String failing, List<Step> before, Step first, Step second, OrderOptions options) {
    private static final OrderOptions LEAVE = new OrderOptions(
            false,
            Stream.of("resize>rotate", "flip>rotate", "resize>crop", "rotate>flip", "crop>sub")
                    .map(OrderOptions.Leave::parse)
                    .toList(),
            OrderOptions.Prices.USUAL);

    static Stream<Rule> rules() {
        return Stream.concat(MoveRules.ALL.stream(), BatchRules.ALL.stream());
    }

    static Row admits(String rule, Steps first, Steps second) {
        return new Row(rule, "", List.of(), first.step(), second.step(), LEAVE);
    }

    static Row refuses(String rule, String failing, Steps first, Steps second) {
        return new Row(rule, failing, List.of(), first.step(), second.step(), LEAVE);
    }

    Row with(OrderOptions other) {
        return new Row(rule, failing, before, first, second, other);
    }

    Row behind(Steps step) {
        return new Row(rule, failing, List.of(step.step()), first, second, options);
    }

    Swap swap() {
        return swap(before, first, second, options);
    }

    /** Of two steps, as far as they and those in front of them say. */
    static Swap swap(List<Step> before, Step first, Step second, OrderOptions options) {
        List<Step> steps =
                Stream.concat(before.stream(), Stream.of(first, second)).toList();
        SortedSet<Integer> components = new TreeSet<>(first.writes());
        components.addAll(second.writes());
        return new Swap(
                first, second, options, new Extents(steps).between(before.size(), before.size() + 1, components));
    }

    Rule asked() {
        return rules().filter(one -> one.name().equals(rule)).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
        return rule + (failing.isEmpty() ? " admits" : ": only where " + failing) + " (" + first.name() + ", "
                + second.name() + ")";
    }
}
