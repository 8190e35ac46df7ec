package io.praline.worker.delivery;

/**
 * Which consumer a batch will go to, and its number there.
 *
 * @param sequence counted from 0 for each consumer of an attempt
 */
public record Placed(int consumer, long sequence) {}
