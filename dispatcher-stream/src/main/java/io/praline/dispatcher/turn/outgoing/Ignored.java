package io.praline.dispatcher.turn.outgoing;

/** Why a message had no effect. All of these are normal, and counted. */
public enum Ignored {
    /** It is about a job that is not open. */
    UNKNOWN_JOB,
    /** It goes on with a job that it takes for another one. */
    OTHER_SUBMISSION,
    /** It comes from a process that another has replaced. */
    STALE_INCARNATION,
    /** It is about an attempt that is fenced, closed or was never minted. */
    STALE_ATTEMPT,
    /** It belongs to a plan that is not the job's. */
    STALE_PLAN,
    /** It is about entries that nobody has, or that are not told apart by it, or that are already as it asks. */
    UNKNOWN_ENTRIES,
    /** It was applied before. */
    DUPLICATE,
    /** Something before it is missing; it will come again. */
    GAP,
    /** It names elements that are not where it says. */
    MOVED_NOTHING,
    /** It measured what cannot be. */
    GARBAGE_WINDOW
}
