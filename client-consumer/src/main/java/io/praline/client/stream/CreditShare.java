package io.praline.client.stream;

/**
 * How the memory for received batches is divided over channels. A window is fixed when its channel opens, and two epochs
 * may overlap, so an epoch's attempts share half of it:
 *
 * <pre>
 *   share  = memory / (2 x attempts of its epoch now)
 *   window = what is left, but share / 2 .. share, and no less than 1 MiB
 * </pre>
 *
 * Where workers join one by one, the first of them has more than its share until its epoch ends, and the sum may exceed
 * the memory by a third. A window always holds two batches, however large they are. Owned by the stream's lock.
 */
final class CreditShare {
    private static final long FLOOR_BYTES = 1 << 20;

    private final long memoryBytes;
    private long givenBytes;

    CreditShare(long memoryBytes) {
        this.memoryBytes = memoryBytes;
    }

    /** @param attempts how many its epoch has now, this one included */
    long open(int attempts) {
        long share = memoryBytes / (2L * attempts);
        long left = Math.max(share / 2, memoryBytes - givenBytes);
        long window = Math.max(FLOOR_BYTES, Math.min(share, left));
        givenBytes += window;
        return window;
    }

    void close(long windowBytes) {
        givenBytes -= windowBytes;
    }
}
