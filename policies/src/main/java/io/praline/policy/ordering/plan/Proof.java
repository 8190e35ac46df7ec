package io.praline.policy.ordering.plan;

/** How equal a pipeline's results are before and after a move. */
public enum Proof {
    /** Bit for bit. */
    EXACT,
    /** Up to rounding, within the rule's tolerance. */
    TOLERANT,
    /** Not equal; the user has said that it may be. */
    BY_LEAVE
}
