package io.praline.policy.caching;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is best, and beside what.
 *
 * @param chosen of all ways
 * @param computing everything anew, up to where the chosen way is counted
 * @param all ways that there are
 * @param reason in a sentence
 * @param numbers on which it rests, by name with unit
 */
public record CacheChoice(
        CacheForecast chosen,
        CacheForecast computing,
        List<CacheForecast> all,
        String reason,
        SortedMap<String, Double> numbers) {
    public CacheChoice {
        all = List.copyOf(all);
        numbers = Collections.unmodifiableSortedMap(new TreeMap<>(numbers));
    }
}
