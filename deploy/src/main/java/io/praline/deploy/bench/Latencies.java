package io.praline.deploy.bench;

import java.util.Arrays;

/** Times in nanoseconds, each as it was measured. Belongs to one thread. */
public final class Latencies {
    private static final int ROOM = 1_024;

    private long[] nanos = new long[ROOM];
    private int count;

    void add(long took) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = took;
    }

    public int count() {
        return count;
    }

    /**
     * The smallest time that this share of all does not exceed, in milliseconds.
     *
     * @param share above 0, at most 1
     * @throws IllegalStateException if nothing was measured
     */
    public double millis(double share) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, is " + share);
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(share * count) - 1] / 1e6;
    }
}
