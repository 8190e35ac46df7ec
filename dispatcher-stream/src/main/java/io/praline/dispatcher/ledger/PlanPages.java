package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.schema.Split;
import io.praline.topics.Agreements;
import java.util.HashMap;
import java.util.Map;

/**
 * The pages of plans, and in memory where their splits begin: found out when a page is first asked for, again when it is
 * another one, and forgotten with the plan. Owned by the stream thread.
 */
final class PlanPages {
    private final Rows rows;
    private final Map<String, Map<Integer, PlanPage.Index>> known = new HashMap<>();

    PlanPages(Rows rows) {
        this.rows = rows;
    }

    void save(String job, int page, byte[] row) {
        rows.put(RowKey.of(RowKey.PAGE, job, page), row);
    }

    Split split(String job, long ordinal) {
        int number = (int) (ordinal / Agreements.SPLITS_A_PAGE);
        byte[] page = rows.get(RowKey.of(RowKey.PAGE, job, number));
        if (page == null) {
            throw new IllegalStateException("job " + job + " has no page for split " + ordinal);
        }
        return known.computeIfAbsent(job, none -> new HashMap<>())
                .compute(number, (none, index) -> index != null && index.isOf(page) ? index : new PlanPage.Index(page))
                .split((int) (ordinal % Agreements.SPLITS_A_PAGE));
    }

    /** Where the splits of the job begin is not asked for again. */
    void forget(String job) {
        known.remove(job);
    }
}
