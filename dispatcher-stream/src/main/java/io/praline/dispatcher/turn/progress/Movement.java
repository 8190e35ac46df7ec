package io.praline.dispatcher.turn.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether anything of a job moves, and how fast. In memory only: after a takeover it is counted anew. Owned by the stream thread.
 */
public final class Movement {
    private long mark = -1;
    private Optional<Instant> since = Optional.empty();
    private Optional<String> obstacle = Optional.empty();
    private final ReadingPace pace = new ReadingPace();

    /** How long nothing has moved: the mark is another one as soon as anything has. */
    public Duration still(long markNow, Instant at) {
        if (since.isEmpty() || markNow != mark) {
            mark = markNow;
            since = Optional.of(at);
            obstacle = Optional.empty();
        }
        return Duration.between(since.get(), at);
    }

    /** Nobody expects anything to move now. */
    public void rests() {
        since = Optional.empty();
        obstacle = Optional.empty();
    }

    /** What it waits for, where nothing has moved for too long. */
    public Optional<String> obstacle() {
        return obstacle;
    }

    public void obstacle(String what) {
        obstacle = Optional.of(what);
    }

    /** How fast its splits are begun. */
    public ReadingPace pace() {
        return pace;
    }
}
