package io.praline.policy.simulation;

import java.util.List;

/**
 * How a pool was shared. A job's fair share is weighted max-min over what the jobs wish for; its even share is what that
 * would be if each wished for all that it may have.
 *
 * @param jobs how each did; costs are with the workers that it was granted, and the best is sought within its even share
 * @param jain index of what the jobs had over their fair shares, each over its lifetime: (sum x)^2 / (n sum x^2); 1 is
 *     perfectly fair
 * @param longestUnderShare windows in a row that a job had fewer workers than its fair share, in whole workers
 * @param windows that closed in all jobs
 * @param turns that were taken of jobs
 * @param divisions of the pool
 * @param ended jobs that came to their end
 * @param seconds that passed in the world
 */
public record Crowd(
        List<Outcome> jobs,
        double jain,
        int longestUnderShare,
        long windows,
        long turns,
        long divisions,
        int ended,
        double seconds) {
    public Crowd {
        jobs = List.copyOf(jobs);
    }
}
