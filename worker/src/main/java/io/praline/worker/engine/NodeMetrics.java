package io.praline.worker.engine;

/**
 * What one transformation did so far, by TensorFlow's own model of the iterator.
 *
 * @param name the transformation's name as its description gives it
 * @param kind TensorFlow's class of it, such as {@code ParallelMapV2}
 * @param elements it has produced
 * @param bytesIn bytes it has taken from its inputs; 0 of what reads splits
 * @param bytes bytes it has produced
 * @param nanos processing time spent in it, its inputs left out, over all threads
 */
public record NodeMetrics(String name, String kind, long elements, long bytesIn, long bytes, long nanos) {}
