package io.praline.dispatcher.turn.fault;

import java.time.Instant;

/** A turn cannot go on at a step that is about a whole pool, for which no job is to blame. */
public final class PoolFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String pool;
    private final String step;
    private final Instant at;

    /**
     * A step that threw.
     *
     * @param pool whose it is; empty: of what is beside all pools
     * @param step what is done by it
     * @param at when, in log time
     */
    public PoolFault(String pool, String step, Instant at, Throwable cause) {
        super((pool.isEmpty() ? "" : "pool " + pool + ": ") + step + ": " + cause, cause);
        this.pool = pool;
        this.step = step;
        this.at = at;
    }

    String pool() {
        return pool;
    }

    String step() {
        return step;
    }

    /** When it threw, in log time. */
    public Instant at() {
        return at;
    }
}
