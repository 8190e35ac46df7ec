package io.praline.worker.assignment;

/**
 * The mean time from one split's opening to the next, recent ones counting more. A graph may open one split ahead, in no time:
 * the first opening after the start, or after a wait for splits, says nothing of the work. Where a look finds none left to
 * open and none was left before, the time between the two is an upper bound, and is taken where nothing better is known: else
 * splits that are all open before anybody looks would never be measured, and come by the handful for ever. Not safe for
 * several threads.
 */
public final class OpeningPace {
    /** About so many openings are remembered. */
    private static final double MEMORY = 8;

    private long openedBefore;
    private long changedNanos;
    private boolean looked;
    private boolean measuring;
    private boolean ahead;
    private double meanSeconds;

    /**
     * So many splits have been opened by now.
     *
     * @param opened since the beginning
     * @param starving whether none is left to open: the time until the next says nothing of the work
     */
    public void seen(long opened, boolean starving, long nowNanos) {
        if (opened > openedBefore) {
            long worked = opened - openedBefore - (ahead ? 0 : 1);
            double sample = (nowNanos - changedNanos) / 1e9 / worked;
            if (worked > 0 && measuring) {
                meanSeconds =
                        meanSeconds == 0 ? sample : meanSeconds + (sample - meanSeconds) * Math.min(1, worked / MEMORY);
            } else if (worked > 0 && looked && starving && (meanSeconds == 0 || sample < meanSeconds)) {
                meanSeconds = sample;
            }
            ahead = measuring;
            openedBefore = opened;
            changedNanos = nowNanos;
            measuring = true;
        } else if (!looked || starving) {
            changedNanos = nowNanos;
        }
        looked = true;
        if (starving) {
            measuring = false;
            ahead = false;
        }
    }

    /** Seconds; 0 until measured. */
    public double seconds() {
        return meanSeconds;
    }
}
