package io.praline.policy;

import java.util.SortedMap;

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
}
