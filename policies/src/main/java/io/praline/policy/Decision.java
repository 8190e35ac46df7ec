package io.praline.policy;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a policy wants, and why.
 *
 * @param at when it was decided: the time of what was observed
 * @param commands in the order to carry them out; empty where nothing is to be done
 * @param reason in a sentence
 * @param numbers on which the reason rests, and what is expected of it, by name with unit: as {@link DecisionNumbers} writes them
 * @param memory what the policy must remember from now on instead of {@link PolicyState#memory()}; empty: what it did
 */
public record Decision(
        Instant at,
        List<Command> commands,
        String reason,
        SortedMap<String, Double> numbers,
        Optional<SortedMap<String, Double>> memory) {
    public Decision {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason must not be blank");
        }
        commands = List.copyOf(commands);
        numbers = Collections.unmodifiableSortedMap(new TreeMap<>(numbers));
        memory = memory.map(kept -> Collections.unmodifiableSortedMap(new TreeMap<>(kept)));
    }

    public static Decision nothing(Instant at, String reason) {
        return new Decision(at, List.of(), reason, Collections.emptySortedMap(), Optional.empty());
    }

    public static Decision of(Instant at, Command command, String reason) {
        return new Decision(at, List.of(command), reason, Collections.emptySortedMap(), Optional.empty());
    }

    public Decision with(SortedMap<String, Double> itsNumbers) {
        return new Decision(at, commands, reason, itsNumbers, memory);
    }

    public Decision remembering(SortedMap<String, Double> kept) {
        return new Decision(at, commands, reason, numbers, Optional.of(kept));
    }
}
