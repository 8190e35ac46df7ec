package io.praline.policy.simulation;

import java.util.List;

/**
 * A made-up world and what happens in it.
 *
 * @param name by which it is told
 * @param world at the beginning
 * @param changes in the order in which they come
 * @param jobs that share the pool's {@code maxRemote} workers; empty: one job that has them for itself
 * @param untilSeconds when it ends though its jobs have not; infinite: when they have
 */
public record Scenario(String name, World world, List<Change> changes, List<Entry> jobs, double untilSeconds) {
    public Scenario {
        if (!(untilSeconds > 0)) {
            throw new IllegalArgumentException("untilSeconds must be above 0, is " + untilSeconds);
        }
        double last = 0;
        for (Change change : changes) {
            if (!(change.atSeconds() > last)) {
                throw new IllegalArgumentException(
                        "changes must be in order of atSeconds, but " + change.atSeconds() + " comes after " + last);
            }
            last = change.atSeconds();
        }
        if (!jobs.isEmpty() && !changes.isEmpty()) {
            throw new IllegalArgumentException("changes and jobs cannot be in one scenario");
        }
        changes = List.copyOf(changes);
        jobs = List.copyOf(jobs);
    }
}
