package io.praline.dispatcher.turn.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How fast a job's splits are begun, over all epochs: since it was planned, or since it went on after a time in which nobody
 * read for it. What is forgotten when its dispatcher ends is measured anew. Owned by the stream thread.
 */
public final class ReadingPace {
    private Optional<Instant> since = Optional.empty();
    private long before;

    /**
     * Somebody reads for it.
     *
     * @param begun splits that attempts have begun so far, over all epochs; asked for where that is news, since all attempts
     *     are looked at for it
     */
    public void reads(Instant at, LongSupplier begun) {
        if (since.isEmpty()) {
            since = Optional.of(at);
            before = begun.getAsLong();
        }
    }

    /** Nobody does. */
    public void rests() {
        since = Optional.empty();
    }

    /** How long it has been read without a rest; zero while it rests. */
    public Duration worked(Instant at) {
        return since.map(began -> Duration.between(began, at)).orElse(Duration.ZERO);
    }

    /** Splits that were begun before that time. */
    public long before() {
        return before;
    }
}
