package io.praline.policy.caching;

import java.time.Duration;

/**
 * All entries behind one point in one store, of one tenant.
 *
 * @param tenant whose they are
 * @param prefix of the point
 * @param heldBytes that it has
 * @param wantedBytes that it would have if every split had an entry
 * @param secondsPerByte of a worker, that one use of a byte saves
 * @param usesPerHour of each byte by jobs that run
 * @param usesLeft of each byte by jobs that run, until they end
 * @param pastUsesPerHour of each byte by jobs that have ended, while they ran, and no more than they had in all
 * @param idle since the last of those ended
 * @param storageSecondsPerByteHour seconds of a worker that cost as much as a byte in the store for an hour
 * @param pinned whether it goes before all others of its tenant
 */
public record CacheGroup(
        String tenant,
        String prefix,
        long heldBytes,
        long wantedBytes,
        double secondsPerByte,
        double usesPerHour,
        double usesLeft,
        double pastUsesPerHour,
        Duration idle,
        double storageSecondsPerByteHour,
        boolean pinned) {
    public CacheGroup {
        notNegative("heldBytes", (double) heldBytes);
        notNegative("wantedBytes", (double) wantedBytes);
        notNegative("secondsPerByte", secondsPerByte);
        notNegative("usesPerHour", usesPerHour);
        notNegative("usesLeft", usesLeft);
        notNegative("pastUsesPerHour", pastUsesPerHour);
        notNegative("storageSecondsPerByteHour", storageSecondsPerByteHour);
        notNegative("idle", (double) idle.toMillis());
    }

    private static void notNegative(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must not be negative, is " + value);
        }
    }
}
