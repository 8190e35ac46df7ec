package io.praline.policy.simulation;

/**
 * How wrong measurements are.
 *
 * @param relative standard deviation of a measured time or rate, as a share of it
 * @param heavyTailShare of windows that are longer or shorter by a heavy-tailed factor
 * @param garbageShare of windows whose time is nonsense
 */
public record Noise(double relative, double heavyTailShare, double garbageShare) {
    public static final Noise NONE = new Noise(0, 0, 0);

    public Noise {
        share("noise.relative", relative);
        share("noise.heavyTailShare", heavyTailShare);
        share("noise.garbageShare", garbageShare);
    }

    private static void share(String name, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(name + " must be from 0 to 1, is " + share);
        }
    }
}
