package io.praline.policy.pool;

/**
 * A worker that takes new work.
 *
 * @param id the worker's id
 * @param slots tasks that it runs at the same time
 */
public record Worker(String id, int slots) {
    public Worker {
        if (slots < 1) {
            throw new IllegalArgumentException("slots must be at least 1, is " + slots);
        }
    }
}
