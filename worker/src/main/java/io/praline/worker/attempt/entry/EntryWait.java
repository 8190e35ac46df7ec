package io.praline.worker.attempt.entry;

/**
 * How long an attempt that has nothing else to do waits for entries that others make, before it computes one of their splits
 * too. They began earlier, so what they are at is mostly there sooner than it could be computed; but they may be stopped, or
 * nobody takes what they make. One thread.
 *
 * <pre>
 *   2 x mean time of a split, 1 to 10 s    2 s until one was measured
 *   0 once it has waited in vain three times
 * </pre>
 */
public final class EntryWait {
    private static final double SPLITS = 2;
    private static final double LEAST_SECONDS = 1;
    private static final double MOST_SECONDS = 10;
    private static final double UNMEASURED_SECONDS = 2;
    private static final int MOST_IN_VAIN = 3;

    private boolean waits;
    private long sinceNanos;
    private int inVain;

    /**
     * Whether it waits on, or begins to.
     *
     * @param splitSeconds mean seconds from one split's opening to the next; 0 until measured
     */
    public boolean lasts(double splitSeconds, long nowNanos) {
        if (inVain == MOST_IN_VAIN) {
            return false;
        }
        if (!waits) {
            waits = true;
            sinceNanos = nowNanos;
        }
        boolean lasts = (nowNanos - sinceNanos) / 1e9 < seconds(splitSeconds);
        if (!lasts) {
            inVain++;
        }
        return lasts;
    }

    private static double seconds(double splitSeconds) {
        return splitSeconds > 0
                ? Math.max(LEAST_SECONDS, Math.min(MOST_SECONDS, SPLITS * splitSeconds))
                : UNMEASURED_SECONDS;
    }

    /** There is something to do. */
    public void over() {
        waits = false;
    }
}
