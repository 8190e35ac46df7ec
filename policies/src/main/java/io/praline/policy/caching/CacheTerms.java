package io.praline.policy.caching;

import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;

/**
 * What matters to a job where entries are concerned, in one currency.
 *
 * @param goal what should be small
 * @param clientPerHour the trainer's host, accelerator included
 * @param workerPerHour one worker
 * @param storagePerGbHour 10^9 bytes in a store for an hour
 * @param fetchedPerGb 10^9 bytes that are read at the job's source
 */
public record CacheTerms(
        Goal goal, double clientPerHour, double workerPerHour, double storagePerGbHour, double fetchedPerGb) {
    private static final double BYTES_PER_GB = 1e9;
    private static final double SECONDS_PER_HOUR = 3600;

    public CacheTerms {
        notNegative("clientPerHour", clientPerHour);
        notNegative("workerPerHour", workerPerHour);
        notNegative("storagePerGbHour", storagePerGbHour);
        notNegative("fetchedPerGb", fetchedPerGb);
    }

    /** Those of a job. */
    public static CacheTerms of(Terms terms, double storagePerGbHour, double fetchedPerGb) {
        return new CacheTerms(
                terms.goal(),
                terms.prices().clientPerHour(),
                terms.prices().remotePerHour(),
                storagePerGbHour,
                fetchedPerGb);
    }

    /** Seconds of a worker that cost as much as a byte in the store for an hour; 0 where keeping costs nothing. */
    public double storageSecondsPerByteHour() {
        double price = storagePerGbHour / BYTES_PER_GB;
        // where workers cost nothing no time of theirs is worth a price
        return price == 0 ? 0 : Math.min(Double.MAX_VALUE, price * SECONDS_PER_HOUR / workerPerHour);
    }

    private static void notNegative(String name, double price) {
        if (!(price >= 0 && price < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must not be negative, is " + price);
        }
    }
}
