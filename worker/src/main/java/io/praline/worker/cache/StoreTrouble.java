package io.praline.worker.cache;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** What is wrong with a store, until it is over or some time has passed in which it is not tried. Safe for several threads. */
final class StoreTrouble {
    /** What is full or gone is tried again. */
    private static final Duration TRY_AGAIN = Duration.ofSeconds(30);

    private final InstantSource clock;
    private Optional<Failure> last = Optional.empty(); // guarded by this

    private record Failure(String why, Instant at) {}

    StoreTrouble(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void fails(String why) {
        if (last.filter(known -> known.why().equals(why)).isEmpty()) {
            CacheStore.LOG.warn("{}; what is not there is computed", why);
        }
        last = Optional.of(new Failure(why, clock.instant()));
    }

    synchronized void over() {
        last = Optional.empty();
    }

    /** Why, in a line; empty where nothing is wrong. */
    synchronized Optional<String> why() {
        return last.map(Failure::why);
    }

    /** Why, where it is not to be tried again yet. */
    synchronized Optional<String> recent() {
        return last.filter(
                        since -> Duration.between(since.at(), clock.instant()).compareTo(TRY_AGAIN) < 0)
                .map(Failure::why);
    }
}
