package io.praline.dispatcher.ledger.row;

/** Sums of what others tell. */
public final class Sums {
    /** A row holds a number and one more; no honest sum comes near. */
    private static final long MOST = Long.MAX_VALUE / 2;

    private Sums() {}

    /** The sum of two numbers that are not negative; it stays where it is the most that a row holds. */
    public static long plus(long sum, long more) {
        return Math.min(MOST, sum) + Math.min(MOST - Math.min(MOST, sum), more);
    }
}
