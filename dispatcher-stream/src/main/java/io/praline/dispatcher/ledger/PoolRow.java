package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;

/**
 * What is remembered of a pool as a whole.
 *
 * @param target workers that it was last said to need
 * @param journal entries that its own turns have written
 * @param most workers that whoever starts them will start; 0: nobody told, or not for a while
 */
public record PoolRow(int target, long journal, int most) {
    /** A pool that was never asked for anything. */
    public static final PoolRow NEW = new PoolRow(0, 0, 0);

    public PoolRow withTarget(int workers) {
        return new PoolRow(workers, journal, most);
    }

    public PoolRow withJournal(long entries) {
        return new PoolRow(target, entries, most);
    }

    public PoolRow withMost(int workers) {
        return new PoolRow(target, journal, workers);
    }

    public byte[] encode() {
        return new RowWriter().number(target).number(journal).number(most).bytes();
    }

    public static PoolRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        // rows of older dispatchers end before the third
        return new PoolRow(in.small(), in.number(), in.hasMore() ? in.small() : 0);
    }
}
