package io.praline.policy.splits;

import java.time.Duration;

/**
 * When an attempt whose elements carry no tickets ends and another one goes on in its place. Such an attempt is owed as a
 * whole until all that it made is acknowledged, and so read again as a whole if its worker dies:
 *
 * <pre>
 *   renewed  when  age &gt;= after  and  splits are left
 *   repeated by a death:  what was read in {@code after}, and what lay ahead of the attempt then (SplitsAhead), at most
 * </pre>
 *
 * @param after age of an attempt; shorter ones repeat less, and cost the making of a graph more often
 */
public record Renewal(Duration after) {
    /** With the 15 s that lie ahead some 30 s are repeated; a graph is made in less than a second. */
    public static final Renewal USUAL = new Renewal(Duration.ofSeconds(15));

    public Renewal {
        if (after.isNegative() || after.isZero()) {
            throw new IllegalArgumentException("after must be above 0, is " + after);
        }
    }

    /**
     * Whether an attempt is to be renewed.
     *
     * @param age since it was started
     * @param left splits that nobody has
     */
    public boolean due(Duration age, long left) {
        return left > 0 && age.compareTo(after) >= 0;
    }
}
