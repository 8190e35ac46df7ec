package io.praline.worker.profile;

import io.praline.schema.AssignedSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Splits of a plan that are to speak for all of it.
 *
 * @param bySource of each source those that say most first, with their numbers in the plan, from which tickets follow
 */
public record SplitSample(List<List<AssignedSplit>> bySource) {
    public SplitSample {
        bySource = bySource.stream().map(List::copyOf).toList();
    }

    /** As somebody else chose them, those that say most first. */
    public static SplitSample of(List<AssignedSplit> chosen) {
        TreeMap<Integer, List<AssignedSplit>> sources = new TreeMap<>();
        for (AssignedSplit split : chosen) {
            sources.computeIfAbsent(split.getSplit().getSource(), source -> new ArrayList<>())
                    .add(split);
        }
        return new SplitSample(List.copyOf(sources.values()));
    }
}
