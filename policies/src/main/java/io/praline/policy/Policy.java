package io.praline.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Decides for one job at a time. A record of its parameters; whatever it must remember is in the state. */
public interface Policy {

    /** The name by which it is selected and journaled. */
    String name();

    /** Version of its rule, counted from 1: a journal of another version may be decided differently. */
    int version();

    /** Its parameters by name, as they are journaled. */
    SortedMap<String, String> parameters();

    /** What to do about {@code seen}, which {@code state} already holds. */
    Decision decide(PolicyState state, Observation seen);

    /**
     * Whether its pool should be made larger for a job that wants more than there is. A policy that lives on what there is
     * says no: what it wants follows the pool, and the pool must not follow it.
     */
    default boolean elastic(PolicyState state) {
        return true;
    }

    /** Both in turn: the second sees the state that the first one's commands leave behind. */
    default Policy then(Policy next) {
        Policy first = this;
        return new Policy() {
            @Override
            public String name() {
                return first.name() + "+" + next.name();
            }

            @Override
            public int version() {
                return Math.max(first.version(), next.version());
            }

            @Override
            public SortedMap<String, String> parameters() {
                SortedMap<String, String> both = new TreeMap<>(next.parameters());
                both.putAll(first.parameters());
                return both;
            }

            @Override
            public boolean elastic(PolicyState state) {
                return first.elastic(state) && next.elastic(state);
            }

            @Override
            public Decision decide(PolicyState state, Observation seen) {
                Decision one = first.decide(state, seen);
                Decision two = next.decide(state.apply(one), seen);
                List<Command> commands = new ArrayList<>(one.commands());
                commands.addAll(two.commands());
                SortedMap<String, Double> numbers = new TreeMap<>(two.numbers());
                numbers.putAll(one.numbers());
                return new Decision(
                        seen.at(),
                        commands,
                        one.reason() + "; " + two.reason(),
                        numbers,
                        two.memory().or(one::memory));
            }
        };
    }
}
