package io.praline.policy.pool;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Which workers each job has from now on.
 *
 * @param workers by job; a job that gets none is there with an empty set
 */
public record Division(SortedMap<String, SortedSet<String>> workers) {
    public Division {
        workers = Collections.unmodifiableSortedMap(new TreeMap<>(workers));
    }
}
