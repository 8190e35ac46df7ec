package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import java.util.Map;
import java.util.function.Predicate;
import org.roaringbitmap.RoaringBitmap;

/**
 * The rows that the accounts of one epoch consist of, and the moves between them: each changes who has what of a split, and
 * closes it once nobody owes anything of it. Changes lie in memory until {@link #save()}. Owned by the stream thread.
 */
final class EpochAccounts {
    private final Rows rows;
    private final byte[] key;
    private final EpochRow row;
    private final EpochAttempts attempts;
    private final EpochSuspects suspects;
    private final OpenSplits splits;
    private boolean changedRow;

    EpochAccounts(Rows rows, String job, int epoch) {
        this.rows = rows;
        this.key = RowKey.of(RowKey.EPOCH, job, epoch);
        byte[] known = rows.get(key);
        this.row = known == null ? new EpochRow() : EpochRow.decode(known);
        this.changedRow = known == null;
        this.attempts = new EpochAttempts(rows, job, epoch);
        this.suspects = new EpochSuspects(rows, job, epoch);
        this.splits = new OpenSplits(rows, job, epoch, suspects);
    }

    EpochRow row() {
        return row;
    }

    /** The counts of the epoch are not what its row tells. */
    void changedRow() {
        changedRow = true;
    }

    EpochAttempts attempts() {
        return attempts;
    }

    EpochSuspects suspects() {
        return suspects;
    }

    OpenSplits splits() {
        return splits;
    }

    void save() {
        splits.save();
        suspects.save();
        attempts.save();
        if (changedRow) {
            rows.put(key, row.encode());
            changedRow = false;
        }
    }

    /** Moves some of a split's elements from one hand into another; how many. */
    interface Move {
        int of(SplitRow split, RoaringBitmap elements);
    }

    /** How many elements of all splits moved. */
    long move(int attempt, Elements elements, Move move) {
        long moved = 0;
        for (Map.Entry<Long, RoaringBitmap> part : elements.bySplit().entrySet()) {
            long ordinal = part.getKey();
            SplitRow split = splits.get(ordinal);
            if (split != null) {
                int[] count = new int[1];
                change(ordinal, split, attempt, it -> {
                    count[0] = move.of(it, part.getValue());
                    return count[0] > 0;
                });
                moved += count[0];
                if (count[0] > 0) {
                    splits.noteReturned(ordinal, split);
                    changedRow = true;
                }
            }
        }
        return moved;
    }

    /** Changes a row, which tells whether it did change, and keeps count of who owes something of it. */
    void change(long ordinal, SplitRow split, int attempt, Predicate<SplitRow> change) {
        boolean closed = splits.change(ordinal, split, attempt, change, (holder, owes) -> {
            AttemptRow known = attempts.get(holder);
            if (known != null) {
                known.addOpenSplits(owes ? 1 : -1);
                attempts.changed(holder);
            }
        });
        if (closed) {
            closeSplit(ordinal);
        }
    }

    void closeSplit(long ordinal) {
        splits.close(ordinal);
        suspects.remove(ordinal);
        row.addClosedSplit();
        changedRow = true;
    }
}
