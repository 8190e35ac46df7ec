package io.praline.dispatcher.turn.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether anything of a job moves, and how fast. In memory only: after a takeover it is counted anew. Owned by the stream thread.
 */
public final class Movement {
    /** All open splits are walked to find the first of them, of which a job that stands still may have many. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    private long mark = -1;
    private Optional<Instant> since = Optional.empty();
    private Optional<String> obstacle = Optional.empty();
    private Instant looked = Instant.MIN;
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

    /** Whether it is time to look again at what it waits for. */
    public boolean lookDue(Instant at) {
        return obstacle.isEmpty() || !at.isBefore(looked.plus(LOOK));
    }

    public void obstacle(String what, Instant at) {
        obstacle = Optional.of(what);
        looked = at;
    }

    /** How fast its splits are begun. */
    public ReadingPace pace() {
        return pace;
    }
}
