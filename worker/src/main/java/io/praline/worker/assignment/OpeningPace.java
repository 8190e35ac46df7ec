package io.praline.worker.assignment;

/**
 * The mean time from one split's opening to the next, recent ones counting more. Where a look found none left to open, the
 * time from then to the next look is an upper bound, and is taken where nothing better is known: else splits that are all
 * open before anybody looks would never be measured, and come by the handful for ever. Not safe for several threads.
 */
public final class OpeningPace {
    /** About so many openings are remembered. */
    private static final double MEMORY = 8;

    private long openedBefore;
    private long changedNanos;
    private boolean looked;
    private boolean measuring;
    private double meanSeconds;

    /**
     * So many splits have been opened by now.
     *
     * @param opened since the beginning
     * @param starving whether none is left to open: the time until the next says nothing of the work
     */
    public void seen(long opened, boolean starving, long nowNanos) {
        if (opened > openedBefore) {
            if (looked) {
                long openings = opened - openedBefore;
                double sample = (nowNanos - changedNanos) / 1e9 / openings;
                if (meanSeconds == 0 || (!measuring && sample < meanSeconds)) {
                    meanSeconds = sample;
                } else if (measuring) {
                    meanSeconds += (sample - meanSeconds) * Math.min(1, openings / MEMORY);
                }
            }
            openedBefore = opened;
            changedNanos = nowNanos;
            measuring = true;
        } else if (!looked || starving) {
            changedNanos = nowNanos;
        }
        looked = true;
        if (starving) {
            measuring = false;
        }
    }

    /** Seconds; 0 until measured. */
    public double seconds() {
        return meanSeconds;
    }
}
