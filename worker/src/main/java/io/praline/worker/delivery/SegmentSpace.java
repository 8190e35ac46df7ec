package io.praline.worker.delivery;

import io.praline.wire.FrameLimits;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which parts of a segment are in use. A part is taken where the first gap is that holds it, so that as few pages as possible
 * are ever written to. Owned by one thread.
 */
final class SegmentSpace {
    private final long bytes;
    private final TreeMap<Long, Long> endByStart = new TreeMap<>();

    SegmentSpace(long bytes) {
        this.bytes = bytes;
    }

    /** Takes a part; empty if no gap is large enough. */
    OptionalLong take(int length) {
        long start = 0;
        for (Map.Entry<Long, Long> used : endByStart.entrySet()) {
            if (used.getKey() - start >= length) {
                break;
            }
            start = FrameLimits.aligned(used.getValue());
        }
        if (bytes - start < length) {
            return OptionalLong.empty();
        }
        endByStart.put(start, start + length);
        return OptionalLong.of(start);
    }

    /**
     * Gives a part back.
     *
     * @return false if none that starts there is in use
     */
    boolean free(long start) {
        return endByStart.remove(start) != null;
    }
}
