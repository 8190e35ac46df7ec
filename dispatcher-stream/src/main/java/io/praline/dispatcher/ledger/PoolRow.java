package io.praline.dispatcher.ledger;

/**
 * What is remembered of a pool as a whole.
 *
 * @param target workers that it was last said to need
 * @param journal entries that its own turns have written
 */
public record PoolRow(int target, long journal) {
    /** A pool that was never asked for anything. */
    public static final PoolRow NEW = new PoolRow(0, 0);

    public byte[] encode() {
        return new RowWriter().number(target).number(journal).bytes();
    }

    public static PoolRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new PoolRow(in.small(), in.number());
    }
}
