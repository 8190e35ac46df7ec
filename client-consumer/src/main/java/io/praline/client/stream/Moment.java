package io.praline.client.stream;

import java.util.concurrent.TimeUnit;

/**
 * A moment by both clocks of a host: one that is never set, but may stand still while the host sleeps, and one that goes on
 * then, but may be set.
 *
 * @param nanos as {@code System.nanoTime} gives it
 * @param wallMillis since 1970
 */
public record Moment(long nanos, long wallMillis) {
    /** A moment that no clock comes to. */
    public static final Moment NEVER = new Moment(Long.MAX_VALUE, Long.MAX_VALUE);

    /** How long ago that was, by the clock that has gone further: too long where one was set, never too short. */
    long nanosSince(Moment earlier) {
        return Math.max(nanos - earlier.nanos, TimeUnit.MILLISECONDS.toNanos(wallMillis - earlier.wallMillis));
    }

    /** So much later by both clocks. */
    Moment plusNanos(long more) {
        return new Moment(nanos + more, wallMillis + TimeUnit.NANOSECONDS.toMillis(more));
    }
}
