package io.praline.worker.attempt;

/**
 * What one attempt may use of its worker.
 *
 * @param threads of its private pool, at least 1
 * @param ramBytes for TensorFlow's buffers; 0: TensorFlow decides
 */
public record TaskShare(int threads, long ramBytes) {
    public TaskShare {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, is " + threads);
        }
        if (ramBytes < 0) {
            throw new IllegalArgumentException("ramBytes must not be negative, is " + ramBytes);
        }
    }

    /**
     * Memory is divided, cores are not: a task that has the worker for itself uses all of them, and several share them as
     * the system divides time. With a single thread TensorFlow hands each element to and fro between that and its
     * caller's, which takes four times as long as small elements do otherwise.
     */
    public static TaskShare of(int cores, long memoryBytes, int slots) {
        return new TaskShare(Math.max(2, cores), memoryBytes / slots);
    }

    /** This share, where the order does not say otherwise. */
    TaskShare orElse(int orderedThreads, long orderedRamBytes) {
        return new TaskShare(
                orderedThreads > 0 ? orderedThreads : threads, orderedRamBytes > 0 ? orderedRamBytes : ramBytes);
    }
}
