package io.praline.policy.ordering.course;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What follows from an event.
 *
 * @param state that is known afterwards
 * @param command what must be done; empty: nothing
 * @param told whether it is worth a line of the journal
 * @param reason why, in a sentence
 * @param numbers on which the reason rests, and what is expected, by name with unit
 * @param lines of the decision, for people
 */
public record OrderTurn(
        OrderState state,
        Optional<OrderCommand> command,
        boolean told,
        String reason,
        SortedMap<String, Double> numbers,
        List<String> lines) {
    public OrderTurn {
        numbers = Collections.unmodifiableSortedMap(new TreeMap<>(numbers));
        lines = List.copyOf(lines);
    }

    static OrderTurn nothing(OrderState state) {
        return new OrderTurn(state, Optional.empty(), false, state.reason(), Collections.emptySortedMap(), List.of());
    }

    static OrderTurn of(OrderState state, OrderCommand command) {
        return new OrderTurn(
                state, Optional.of(command), true, state.reason(), Collections.emptySortedMap(), List.of());
    }

    static OrderTurn said(OrderState state, String reason) {
        return new OrderTurn(state, Optional.empty(), true, reason, Collections.emptySortedMap(), List.of());
    }

    OrderTurn with(Map<String, Double> its) {
        return new OrderTurn(state, command, told, reason, new TreeMap<>(its), lines);
    }

    OrderTurn saying(List<String> its) {
        return new OrderTurn(state, command, told, reason, numbers, its);
    }
}
