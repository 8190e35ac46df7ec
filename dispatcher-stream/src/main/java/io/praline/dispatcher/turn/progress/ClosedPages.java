package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.schema.LedgerPage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Pages of plans of which a split was closed since that was told, the longest waiting first; of an epoch that a dispatcher has
 * taken over all that have closed ones. Of a complete epoch nothing is told page by page. Owned by the stream thread.
 */
public final class ClosedPages {
    /** Told at a time, some 150 bytes each: those of a plan of ten million splits are told once within a minute. */
    private static final int AT_A_TIME = 200;

    private final Map<Page, EpochLedger> waiting = new LinkedHashMap<>();

    private record Page(String job, int epoch, int page) {}

    /** Splits of these epochs of a job may have been closed. */
    public void note(String job, Collection<EpochLedger> epochs) {
        for (EpochLedger epoch : epochs) {
            epoch.takeClosedPages().forEach(page -> waiting.putIfAbsent(new Page(job, epoch.epoch(), page), epoch));
        }
    }

    /** What is to be told now. */
    public List<LedgerPage> take() {
        return take(AT_A_TIME, page -> true);
    }

    /** All that is to be told of a job, before its splits are forgotten. */
    public List<LedgerPage> takeAll(String job) {
        return take(Integer.MAX_VALUE, page -> page.job.equals(job));
    }

    private List<LedgerPage> take(int most, Predicate<Page> which) {
        List<LedgerPage> told = new ArrayList<>();
        Iterator<Map.Entry<Page, EpochLedger>> each = waiting.entrySet().iterator();
        while (each.hasNext() && told.size() < most) {
            Map.Entry<Page, EpochLedger> next = each.next();
            Page page = next.getKey();
            if (which.test(page)) {
                each.remove();
                if (!next.getValue().row().complete()) {
                    told.add(LedgerRecords.closed(
                            page.job, page.epoch, page.page, next.getValue().closedOn(page.page)));
                }
            }
        }
        return told;
    }
}
