package io.praline.policy.splits;

import java.time.Duration;

/**
 * How many splits lie ahead of a task, counted in splits whose reading has not begun:
 *
 * <pre>
 *   ahead = ceil(time ahead / mean time of a split), 1 to most;  first  until a split has been measured
 *   given = min(ahead - unopened, ceil(splits left / (2 x tasks)))       all that are left for a single task
 *           0 while unopened is above two thirds of ahead
 * short     unopened x mean time of a split &lt; time ahead / 5
 * </pre>
 *
 * The second bound keeps the end of an epoch even: each task takes half of its share of what is left, and again. The
 * third one gives many at a time, since each giving is a record: with splits of 0.2 s every five seconds. A task that is
 * short of them must have them at once, another one when whoever brings them comes by.
 *
 * @param timeAhead of work that lies ahead
 * @param first splits ahead before any was measured
 * @param most splits ahead, however short they are
 */
public record SplitsAhead(Duration timeAhead, int first, int most) {
    /** Enough to outlast the failover of a dispatcher; commands stay far below a megabyte. */
    public static final SplitsAhead USUAL = new SplitsAhead(Duration.ofSeconds(15), 4, 2000);

    public SplitsAhead {
        if (timeAhead.isNegative() || timeAhead.isZero()) {
            throw new IllegalArgumentException("timeAhead must be above 0, is " + timeAhead);
        }
        if (first < 1) {
            throw new IllegalArgumentException("first must be at least 1, is " + first);
        }
        if (most < first) {
            throw new IllegalArgumentException("most must be at least first, " + first + ", is " + most);
        }
    }

    /**
     * How many splits to give to a task now.
     *
     * @param unopened splits that it has and did not begin
     * @param splitSeconds mean seconds from one split's opening to the next; 0 until measured
     * @param left splits that nobody has
     * @param tasks that share them, with this one
     */
    public int given(int unopened, double splitSeconds, long left, int tasks) {
        int ahead = ahead(splitSeconds);
        if (3L * unopened > 2L * ahead) {
            return 0;
        }
        long share = tasks <= 1 ? left : (left + 2L * tasks - 1) / (2L * tasks); // at least one of what is left
        return (int) Math.max(0, Math.min(ahead - (long) unopened, share));
    }

    /** Whether a task may have read all that it has before it is given more, if that takes a second or two; until measured it may. */
    public boolean runsShort(int unopened, double splitSeconds) {
        return !(unopened * splitSeconds >= timeAhead.toMillis() / 1000.0 / 5);
    }

    private int ahead(double splitSeconds) {
        if (!(splitSeconds > 0)) {
            return first;
        }
        double wanted = Math.ceil(timeAhead.toMillis() / 1000.0 / splitSeconds);
        return (int) Math.max(1, Math.min(wanted, most));
    }
}
