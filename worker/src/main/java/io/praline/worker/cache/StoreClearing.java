package io.praline.worker.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What processes that ended left behind in a place is cleared away: before this one begins anything, and where others use the
 * place too now and then. Safe for several threads.
 */
final class StoreClearing {
    /** What others left behind where it is shared. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final EntryPlace place;
    private Optional<Instant> last = Optional.empty(); // guarded by this

    StoreClearing(EntryPlace place) {
        this.place = place;
    }

    /** The place is there. */
    void look(Instant now) {
        if (!due(now)) {
            return;
        }
        try {
            place.clear(place.shared() ? now.minus(ABANDONED) : Instant.MAX);
        } catch (IOException | UncheckedIOException stays) {
            CacheStore.LOG.warn("what is left in {} stays: {}", place.name(), CacheStore.reason(stays));
        }
    }

    private synchronized boolean due(Instant now) {
        boolean due =
                last.isEmpty() || (place.shared() && !last.get().plus(ABANDONED).isAfter(now));
        if (due) {
            last = Optional.of(now);
        }
        return due;
    }
}
