package io.praline.worker.graph.ordering.step;

/** What a step does to elements, by what its ops do. */
public enum StepKind {
    /** Each value by itself, and by constants. */
    ELEMENTWISE,
    /** Copies values to other places; a pad or a projective transform also writes values of its own. */
    GEOMETRIC,
    RESAMPLE,
    /** Bytes into numbers. */
    DECODE,
    PARSE,
    /** Combines the channels of each place. */
    COLOUR,
    REDUCE,
    FILTER,
    /** Calculates with drawn values, or draws in a way that cannot be told apart from that. */
    RANDOM,
    STATEFUL,
    /** What nothing here understands. */
    OPAQUE,
    /** The user's {@code batch} or {@code padded_batch}. */
    BATCH,
    /** Any other dataset: nothing moves past it. */
    BARRIER
}
