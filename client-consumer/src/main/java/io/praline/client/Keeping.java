package io.praline.client;

/**
 * Which elements of a job are kept, and what it costs to keep them and to do without. Prices are in the currency of its other
 * ones.
 *
 * @param storagePerGbHour of keeping 10^9 bytes for an hour
 * @param fetchedPerGb of reading 10^9 bytes of the job's data where they lie
 */
public record Keeping(CacheMode cache, double storagePerGbHour, double fetchedPerGb) {
    /** What pays, where neither costs anything. */
    static final Keeping USUAL = new Keeping(CacheMode.AUTO, 0, 0);

    public Keeping {
        requirePrice("of storage", storagePerGbHour);
        requirePrice("of fetching", fetchedPerGb);
    }

    static void requirePrice(String whose, double price) {
        if (!(price >= 0 && price < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the price " + whose + " must be 0 or more, and finite, is " + price);
        }
    }
}
