package io.praline.policy.ordering;

/** What a step does to values, as far as it matters to its neighbours. What is not known for certain is {@link #OPAQUE}. */
public enum StepKind {
    /** Each value becomes another one, by itself. */
    ELEMENTWISE,
    /** Values are copied to other places; where they go follows from no value. Pads and rotations write some of their own. */
    GEOMETRIC,
    /** Another number of values for the same picture. */
    RESAMPLE,
    /** Bytes into numbers. */
    DECODE,
    /** A serialized record into its fields. */
    PARSE,
    /** Channels are combined. */
    COLOUR,
    /** Many values into few. */
    REDUCE,
    /** Elements are left out. */
    FILTER,
    /** Drawn values are added or multiplied, or what is drawn cannot be told from the rest. */
    RANDOM,
    /** What it does follows from what it did. */
    STATEFUL,
    /** Not known. */
    OPAQUE,
    /** The user's own batch. */
    BATCH,
    /** Whatever else stands in the chain: shuffle, repeat, prefetch, take, cache, options. */
    BARRIER
}
