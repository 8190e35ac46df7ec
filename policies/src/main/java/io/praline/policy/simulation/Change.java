package io.praline.policy.simulation;

/**
 * A world becomes another.
 *
 * @param atSeconds after the beginning
 * @param world from then on
 */
public record Change(double atSeconds, World world) {
    public Change {
        if (!(atSeconds > 0 && atSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("atSeconds must be above 0, is " + atSeconds);
        }
    }
}
