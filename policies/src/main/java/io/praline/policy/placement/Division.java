package io.praline.policy.placement;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Which workers each job has from now on.
 *
 * @param workers by job; a job that gets none is there with an empty set
 * @param shares slots that each job's claim is worth, which may be more than could be placed
 */
public record Division(SortedMap<String, SortedSet<String>> workers, Map<String, Integer> shares) {
    public Division {
        workers = Collections.unmodifiableSortedMap(new TreeMap<>(workers));
        shares = Map.copyOf(shares);
    }
}
