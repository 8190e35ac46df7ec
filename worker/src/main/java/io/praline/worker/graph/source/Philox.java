package io.praline.worker.graph.source;

/** TensorFlow's random numbers: Philox 4x32 of ten rounds, one number after the other. Not safe for several threads. */
public final class Philox {
    private static final int ROUNDS = 10;

    private final int[] key;
    private final int[] counter;
    private int[] block = new int[0];
    private int used;

    Philox(long seed, long seed2) {
        key = new int[] {(int) seed, (int) (seed >>> 32)};
        counter = new int[] {0, 0, (int) seed2, (int) (seed2 >>> 32)};
    }

    /**
     * The seeds that TensorFlow's generator of seeds gives an iteration of a dataset that it made anew for each: two numbers each
     * time.
     *
     * @param iteration from 0
     */
    public static long[] seedsOf(long seed, long seed2, long iteration) {
        Philox numbers = new Philox(seed, seed2);
        for (long i = 0; i < iteration; i++) {
            numbers.next();
            numbers.next();
        }
        return new long[] {numbers.next(), numbers.next()};
    }

    /** The next number, from 0 up to 2^32, exclusive. */
    long next() {
        if (used == block.length) {
            block = block();
            used = 0;
            for (int i = 0; i < counter.length && ++counter[i] == 0; i++) {
                // the carry goes on to the next word
            }
        }
        return Integer.toUnsignedLong(block[used++]);
    }

    private int[] block() {
        int[] x = counter.clone();
        int low = key[0];
        int high = key[1];
        for (int round = 0; round < ROUNDS; round++) {
            long first = 0xD2511F53L * Integer.toUnsignedLong(x[0]);
            long second = 0xCD9E8D57L * Integer.toUnsignedLong(x[2]);
            x = new int[] {
                (int) (second >>> 32) ^ x[1] ^ low, (int) second, (int) (first >>> 32) ^ x[3] ^ high, (int) first
            };
            low += 0x9E3779B9;
            high += 0xBB67AE85;
        }
        return x;
    }
}
