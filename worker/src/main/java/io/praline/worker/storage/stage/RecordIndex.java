package io.praline.worker.storage.stage;

import java.util.List;

/**
 * Where an object of records may be cut, from its first byte to its last.
 *
 * @param cuts in order, one beginning where the one before ends
 */
public record RecordIndex(List<Cut> cuts) {
    /** A range of bytes that holds so many records, whole. */
    public record Cut(long from, long until, long records) {
        public Cut {
            if (from < 0 || until <= from || records < 1) {
                throw new IllegalArgumentException(
                        "a cut must hold records, is " + from + " to " + until + " with " + records);
            }
        }
    }

    public RecordIndex {
        cuts = List.copyOf(cuts);
        for (int i = 1; i < cuts.size(); i++) {
            if (cuts.get(i).from() != cuts.get(i - 1).until()) {
                throw new IllegalArgumentException("cut " + i + " begins at "
                        + cuts.get(i).from() + ", the one before ends at "
                        + cuts.get(i - 1).until());
            }
        }
    }

    /** Whether it goes from an object's beginning to its end. */
    boolean covers(long bytes) {
        return !cuts.isEmpty()
                && cuts.get(0).from() == 0
                && cuts.get(cuts.size() - 1).until() == bytes;
    }
}
