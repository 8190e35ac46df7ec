package io.praline.policy.pool;

import java.time.Instant;
import java.util.List;

/**
 * What the pool's turn sees.
 *
 * @param at log time
 * @param workers that take new work
 * @param claims of the open jobs
 */
public record PoolState(Instant at, List<Worker> workers, List<SlotClaim> claims) {
    public PoolState {
        workers = List.copyOf(workers);
        claims = List.copyOf(claims);
    }

    public int slots() {
        return workers.stream().mapToInt(Worker::slots).sum();
    }
}
