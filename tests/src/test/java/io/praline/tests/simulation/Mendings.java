package io.praline.tests.simulation;

/**
 * Which mendings are in place: a simulation of real parts has all; one that takes some out must be found to be broken.
 *
 * @param contained whether an event that throws costs no more than its job
 * @param rewriting what becomes of records on their way
 * @param lockstep whether the loops go step by step together, as data-parallel ranks do
 */
record Mendings(boolean contained, Kafka.Rewriting rewriting, boolean lockstep) {
    /** All of them. */
    static final Mendings ALL = new Mendings(true, (topic, value) -> java.util.Optional.of(value), false);
}
