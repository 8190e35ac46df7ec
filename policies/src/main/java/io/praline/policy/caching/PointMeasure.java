package io.praline.policy.caching;

/**
 * What a cache point costs, per record.
 *
 * @param number of the point
 * @param computeNanos of one thread, to compute up to it
 * @param bytes that are stored
 * @param writeNanos of one thread, that writing costs besides
 * @param readNanos of one thread, that reading from the store costs
 */
public record PointMeasure(int number, double computeNanos, double bytes, double writeNanos, double readNanos) {
    public PointMeasure {
        notNegative("computeNanos", computeNanos);
        notNegative("bytes", bytes);
        notNegative("writeNanos", writeNanos);
        notNegative("readNanos", readNanos);
    }

    private static void notNegative(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must not be negative, is " + value);
        }
    }
}
