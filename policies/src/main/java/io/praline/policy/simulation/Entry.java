package io.praline.policy.simulation;

/**
 * Jobs of one kind in a pool.
 *
 * @param name of the kind
 * @param count of such jobs
 * @param atSeconds when the first comes
 * @param everySeconds from one's coming to the next one's
 * @param weight of each when workers are too few
 * @param world as each of them sees it
 */
public record Entry(String name, int count, double atSeconds, double everySeconds, double weight, World world) {
    public Entry {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, is " + count);
        }
        if (!(atSeconds >= 0 && everySeconds >= 0)) {
            throw new IllegalArgumentException(
                    "atSeconds and everySeconds must not be negative, are " + atSeconds + " and " + everySeconds);
        }
        if (!(weight > 0)) {
            throw new IllegalArgumentException("weight must be above 0, is " + weight);
        }
    }
}
