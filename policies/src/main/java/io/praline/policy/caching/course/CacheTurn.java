package io.praline.policy.caching.course;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What follows from an event.
 *
 * @param state that is known afterwards
 * @param command what must be done; empty: nothing
 * @param told whether it is worth a line of the journal
 * @param reason why, in a sentence
 * @param numbers on which the reason rests, and what is expected, by name with unit
 */
public record CacheTurn(
        CacheState state,
        Optional<CacheCommand> command,
        boolean told,
        String reason,
        SortedMap<String, Double> numbers) {
    public CacheTurn {
        numbers = Collections.unmodifiableSortedMap(new TreeMap<>(numbers));
    }

    static CacheTurn nothing(CacheState state) {
        return new CacheTurn(state, Optional.empty(), false, state.reason(), Collections.emptySortedMap());
    }

    static CacheTurn of(CacheState state, CacheCommand command) {
        return new CacheTurn(state, Optional.of(command), true, state.reason(), Collections.emptySortedMap());
    }

    static CacheTurn said(CacheState state, String reason) {
        return new CacheTurn(state, Optional.empty(), true, reason, Collections.emptySortedMap());
    }

    CacheTurn with(Map<String, Double> its) {
        return new CacheTurn(state, command, told, reason, new TreeMap<>(its));
    }
}
