package io.praline.dispatcher.turn.progress;

/** What makes a pool's turn due: whatever may change which job should have which worker, and nothing else. */
public enum TurnCause {
    /** Nobody knows what happened before this dispatcher took over. */
    TAKEN_OVER,
    /** A worker joined, has changed, left or was lost. */
    WORKERS_CHANGED,
    /** Whoever starts the pool's workers starts another number of them at most. */
    BOUND_CHANGED,
    /** A consumer came, or came back: its host may be the one whose workers are to be told. */
    CONSUMER_CAME,
    JOB_SUBMITTED,
    JOB_PLANNED,
    /** A job is to pause, or to go on. */
    JOB_PAUSED,
    /** A job is over, or must fail as soon as it is looked at. */
    JOB_ENDED,
    /** A policy wants another number of the pool's workers. */
    TARGET_CHANGED,
    /** A tenant has spent its cap, or may spend again. */
    TENANT_SPENT,
    EPOCH_BEGAN,
    EPOCH_COMPLETED,
    /** An attempt ended by itself, was fenced, or is closed: a slot is free, or splits came back. */
    ATTEMPT_ENDED,
    /** A job has not what it wishes for of the pool. */
    WISH_OPEN,
    /** Time alone: somebody waits for a slot to change hands, or the pool may be made smaller. */
    TIME_PASSED
}
