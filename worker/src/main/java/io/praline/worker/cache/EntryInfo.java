package io.praline.worker.cache;

import org.roaringbitmap.RoaringBitmap;

/**
 * What an entry holds.
 *
 * @param elements how many
 * @param records of the split: those that came out and those that were dropped
 * @param dropped numbers of those that a filter dropped; not changed afterwards
 */
public record EntryInfo(long elements, long records, RoaringBitmap dropped) {
    public EntryInfo {
        if (elements < 0 || elements + dropped.getLongCardinality() != records) {
            throw new IllegalArgumentException("elements and dropped must be records together, are " + elements
                    + " and " + dropped.getLongCardinality() + " of " + records);
        }
    }
}
