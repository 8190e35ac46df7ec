package io.praline.worker.delivery;

import org.roaringbitmap.longlong.Roaring64NavigableMap;

/**
 * What became of the elements that were made for a lane that closed. Whoever takes it owns the sets.
 *
 * @param sent tickets of batches that were sent on it, received or not
 * @param unsent tickets of batches that were not, and that no other lane can take since the attempt has ended
 */
public record LaneClosed(int consumer, int generation, Roaring64NavigableMap sent, Roaring64NavigableMap unsent) {}
