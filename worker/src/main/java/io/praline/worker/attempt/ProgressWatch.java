package io.praline.worker.attempt;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether one attempt still gets on. It is stuck where for as long as its patience, at every look
 *
 * <pre>
 *   something is to be made    splits wait for the graph, or the graph is being made, or is to come to its end
 *   nobody holds it back       no full outbox, no batches that wait for a consumer to come
 *   nothing comes of it        no batch out, no split opened, no element in any of its transformations
 * </pre>
 *
 * A graph that waits for splits is not stuck, nor is one whose filter leaves out whatever comes. Not safe for several threads.
 */
final class ProgressWatch {
    private final Duration patience;
    private Optional<Long> since = Optional.empty();
    private long made;

    ProgressWatch(Duration patience) {
        this.patience = patience;
    }

    /**
     * How an attempt looks.
     *
     * @param due whether something is to be made, and nobody holds it back
     * @param made whatever is counted of what it does; another number is progress
     */
    record Sight(boolean due, long made) {}

    /** Looks at it; gives for how long nothing has come of it, once that is too long. */
    Optional<Duration> look(Sight sight, long nowNanos) {
        if (!sight.due) {
            since = Optional.empty();
            return Optional.empty();
        }
        if (since.isEmpty() || sight.made != made) {
            since = Optional.of(nowNanos);
            made = sight.made;
            return Optional.empty();
        }
        Duration still = Duration.ofNanos(nowNanos - since.get());
        return still.compareTo(patience) >= 0 ? Optional.of(still) : Optional.empty();
    }
}
