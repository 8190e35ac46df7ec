package io.praline.worker;

/**
 * What one attempt may use of its worker.
 *
 * @param threads of its private pool, at least 1
 * @param ramBytes for TensorFlow's buffers; 0: TensorFlow decides
 */
record TaskShare(int threads, long ramBytes) {
    TaskShare {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, is " + threads);
        }
        if (ramBytes < 0) {
            throw new IllegalArgumentException("ramBytes must not be negative, is " + ramBytes);
        }
    }

    /** This share, where the order does not say otherwise. */
    TaskShare orElse(int orderedThreads, long orderedRamBytes) {
        return new TaskShare(
                orderedThreads > 0 ? orderedThreads : threads, orderedRamBytes > 0 ? orderedRamBytes : ramBytes);
    }
}
