package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.epoch.EpochRow;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * Of which pages of a job's plan the topic may tell, as far as the job's rows say it where some of them cannot be read: too
 * many rather than too few, since what is not there can be taken away too.
 *
 * @param pages of the plan, from 0 on
 * @param epochs of which closed splits may be told: all but those that are known to be complete
 */
public record RemainingPages(int pages, List<Integer> epochs) {
    /** Ten million splits: a number beyond is more likely what is wrong with a row. */
    private static final int MOST = 10_000;

    /** What the rows of the job tell. */
    public static RemainingPages of(Rows rows, String job) {
        int[] pages = {told(rows, job)};
        // those of an open job, whatever its header says; of an ended one they are gone
        rows.each(
                RowKey.under(RowKey.PAGE, job),
                (key, row) -> pages[0] = Math.max(pages[0], RowKey.lastNumber(key) + 1));
        List<Integer> epochs = new ArrayList<>();
        rows.each(RowKey.under(RowKey.EPOCH, job), (key, row) -> {
            if (!complete(row)) {
                epochs.add(RowKey.lastNumber(key));
            }
        });
        return new RemainingPages(pages[0], epochs);
    }

    private static int told(Rows rows, String job) {
        try {
            int pages = JobRow.decode(rows.get(RowKey.of(RowKey.JOB, job)))
                    .planning()
                    .pages();
            return Math.max(0, Math.min(pages, MOST));
        } catch (RuntimeException unreadable) {
            return 0;
        }
    }

    private static boolean complete(byte[] row) {
        try {
            return EpochRow.decode(row).complete();
        } catch (RuntimeException unreadable) {
            return false;
        }
    }
}
