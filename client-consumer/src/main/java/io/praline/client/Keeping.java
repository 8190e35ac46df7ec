package io.praline.client;

/**
 * Which elements of a job are kept.
 *
 * @param storagePerGbHour price of keeping 10^9 bytes for an hour, in the currency of its other prices
 */
public record Keeping(CacheMode cache, double storagePerGbHour) {
    /** What pays, in a store that costs nothing. */
    static final Keeping USUAL = new Keeping(CacheMode.AUTO, 0);

    public Keeping {
        if (!(storagePerGbHour >= 0 && storagePerGbHour < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "the price of storage must be 0 or more, and finite, is " + storagePerGbHour);
        }
    }
}
