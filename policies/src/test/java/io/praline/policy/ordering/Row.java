package io.praline.policy.ordering;

import io.praline.policy.ordering.Rule.Swap;
import java.util.stream.Stream;

/**
 * A pair and what a rule says of it.
 *
 * @param failing the words of the only condition that does not hold; empty where it is admitted
 */
record Row(String rule, String failing, Step first, Step second, OrderOptions options) {
    private static final OrderOptions LEAVE = new OrderOptions(
            false,
            Stream.of("resize>rotate", "flip>rotate", "resize>crop", "rotate>flip")
                    .map(OrderOptions.Leave::parse)
                    .toList(),
            OrderOptions.Prices.USUAL);

    static Stream<Rule> rules() {
        return Stream.concat(MoveRules.ALL.stream(), BatchRules.ALL.stream());
    }

    static Row admits(String rule, Steps first, Steps second) {
        return new Row(rule, "", first.step(), second.step(), LEAVE);
    }

    static Row refuses(String rule, String failing, Steps first, Steps second) {
        return new Row(rule, failing, first.step(), second.step(), LEAVE);
    }

    Row with(OrderOptions other) {
        return new Row(rule, failing, first, second, other);
    }

    Swap swap() {
        return new Swap(first, second, options);
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
