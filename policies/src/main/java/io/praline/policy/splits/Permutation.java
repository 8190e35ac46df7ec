package io.praline.policy.splits;

/**
 * A pseudo-random order of the numbers from 0 to n - 1 that takes no memory: a Feistel network of four rounds over the
 * smallest even number of bits that holds n, walked until the result is below n (fewer than four steps on average).
 *
 * @param size n, at least 1
 * @param key decides the order; equal keys give equal orders on any machine and in any release
 */
public record Permutation(long size, long key) {
    private static final int ROUNDS = 4;

    public Permutation {
        if (size < 1) {
            throw new IllegalArgumentException("size must be at least 1, is " + size);
        }
        if (size > 1L << 62) {
            throw new IllegalArgumentException("size must be at most 2^62, is " + size);
        }
    }

    /** The number at this position, both counted from 0. */
    public long at(long position) {
        if (position < 0 || position >= size) {
            throw new IllegalArgumentException("position must be in 0.." + (size - 1) + ", is " + position);
        }
        int half = Math.max(1, (65 - Long.numberOfLeadingZeros(size - 1)) / 2);
        long value = position;
        do {
            value = encrypt(value, half);
        } while (value >= size);
        return value;
    }

    private long encrypt(long value, int half) {
        long mask = (1L << half) - 1;
        long left = value >>> half;
        long right = value & mask;
        for (int round = 0; round < ROUNDS; round++) {
            long mixed = mix(right + mix(key + round)) & mask;
            long next = left ^ mixed;
            left = right;
            right = next;
        }
        return (left << half) | right;
    }

    /** Spreads the bits of a number over all of it (the finaliser of SplitMix64): neighbours get unrelated results. */
    static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
