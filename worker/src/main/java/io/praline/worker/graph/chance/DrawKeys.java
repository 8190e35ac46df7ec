package io.praline.worker.graph.chance;

import java.nio.charset.StandardCharsets;

/**
 * What chance follows from.
 *
 * @param seed the job's
 * @param epoch counted from 0
 * @param attempt its number within the epoch: draws that belong to no element differ from task to task by it
 */
public record DrawKeys(long seed, int epoch, int attempt) {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /**
     * The key of one place of chance. Where the user gave seeds, they decide, and neither the job's nor the place.
     *
     * @param first the place's own seed; 0 with {@code second} 0: it has none
     */
    long of(StampDraws.Stamp stamp, long first, long second) {
        boolean seeded = first != 0 || second != 0;
        long state = mix(seeded ? 0 : seed);
        state = mix(state ^ first);
        state = mix(state ^ second);
        state = mix(state ^ (seeded ? stamp.pace() : stamp.place()));
        return mix(state ^ reading(stamp));
    }

    /** How often a place was drawn anew before this epoch. */
    long reading(StampDraws.Stamp stamp) {
        return stamp.perEpoch() ? epoch : epoch % stamp.epochs();
    }

    /** The key of a place whose draws belong to no element that another task could read: each attempt has others. */
    long ofAttempt(StampDraws.Stamp stamp, long first, long second) {
        return mix(of(stamp, first, second) ^ attempt);
    }

    /** The seed of a shuffle that the user seeded, in an epoch behind the first, where it is read more than once in each. */
    long ofEpoch(long first, long second) {
        return mix(mix(mix(first) ^ second) ^ epoch);
    }

    /** One step further on a path of calls. */
    static long along(long path, String step) {
        long hash = mix(path);
        for (byte each : step.getBytes(StandardCharsets.UTF_8)) {
            hash = mix(hash ^ each);
        }
        return hash;
    }

    /** The finaliser of SplitMix64, with its increment, so that 0 is moved too. */
    static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
