package io.praline.policy.simulation;

import java.util.List;

/**
 * One policy, one seed.
 *
 * @param outcome how well it did
 * @param course what it did, window by window
 */
public record Run(Outcome outcome, List<Point> course) {
    public Run {
        course = List.copyOf(course);
    }
}
