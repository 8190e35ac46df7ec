package io.praline.policy.caching;

import java.util.Arrays;

/** What is in the store behind one point. */
final class CachedEntries {
    final boolean[] made;
    final boolean[] beingMade;
    final double bytes;
    int count;
    double secondsPerByte;
    double usesPerHour;
    double dropAt = Double.POSITIVE_INFINITY;

    CachedEntries(int splits, double bytes) {
        made = new boolean[splits];
        beingMade = new boolean[splits];
        this.bytes = bytes;
    }

    double drop() {
        double dropped = count * bytes;
        Arrays.fill(made, false);
        Arrays.fill(beingMade, false);
        count = 0;
        dropAt = Double.POSITIVE_INFINITY;
        return dropped;
    }
}
