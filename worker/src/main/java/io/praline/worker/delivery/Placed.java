package io.praline.worker.delivery;

/**
 * Which consumer a batch will go to, and its number there; another one where that consumer's lane is closed before it is sent.
 *
 * @param sequence counted from 0 in each lane of an attempt
 */
public record Placed(int consumer, long sequence) {}
