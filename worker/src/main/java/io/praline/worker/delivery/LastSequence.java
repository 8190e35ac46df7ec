package io.praline.worker.delivery;

/**
 * The last batch made for a consumer.
 *
 * @param generation of that consumer
 * @param sequence -1 where there is none
 */
public record LastSequence(int consumer, int generation, long sequence) {}
