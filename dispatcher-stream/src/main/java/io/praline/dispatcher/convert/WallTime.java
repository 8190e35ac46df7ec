package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.ClockRow;
import io.praline.schema.JournalEntry;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the dispatcher's time, which stands while nobody can write, was for people, who are told of it in statuses and
 * targets. An entry of the journal has both, since a replay counts in the dispatcher's.
 */
public final class WallTime {
    private final Supplier<Optional<ClockRow>> clock;

    /** @param clock as it stands; empty before the first event, when nothing has a time */
    public WallTime(Supplier<Optional<ClockRow>> clock) {
        this.clock = clock;
    }

    /** The moment for people. */
    public Instant of(Instant at) {
        return clock.get().map(row -> row.wall(at)).orElse(at);
    }

    /** The moment for people, in milliseconds since 1970. */
    long millis(Instant at) {
        return of(at).toEpochMilli();
    }

    /** When the entry came, for people, in milliseconds since 1970. */
    public static long millis(JournalEntry entry) {
        return entry.getWallMillis() == 0 ? entry.getAtMillis() : entry.getWallMillis();
    }
}
