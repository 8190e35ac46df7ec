package io.praline.policy.pool;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What one job asks of its pool.
 *
 * @param job the job's id
 * @param tenant whose job it is: workers that are too few are shared over tenants first
 * @param weight its weight among its tenant's jobs; above 0
 * @param wish tasks that it could use now
 * @param holds workers that run a task of it now
 * @param since when it got the first of those; where it holds none: since when it waits
 */
public record SlotClaim(String job, String tenant, double weight, int wish, SortedSet<String> holds, Instant since) {
    public SlotClaim {
        if (!(weight > 0)) {
            throw new IllegalArgumentException("weight must be above 0, is " + weight);
        }
        if (wish < 0) {
            throw new IllegalArgumentException("wish must not be negative, is " + wish);
        }
        holds = Collections.unmodifiableSortedSet(new TreeSet<>(holds));
    }

    /** Of a pool that has one tenant. */
    public SlotClaim(String job, double weight, int wish, SortedSet<String> holds, Instant since) {
        this(job, "default", weight, wish, holds, since);
    }
}
