package io.praline.worker.attempt;

import io.praline.identity.ExclusionReason;
import io.praline.schema.AttemptEnd;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.wire.EndOf;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.graph.PipelineAnalysis;
import io.praline.worker.metrics.AttemptReport;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of an attempt whose graph has come to its own: every element that was assigned is delivered, excluded, or told as
 * the remainder, and then the stream of batches ends. The puller's thread.
 *
 * @param search finds the bad ones among the elements that are missing
 */
record AttemptEnding(
        AttemptLifecycle lifecycle,
        BadRecordSearch search,
        Settlement settlement,
        BatchSink sink,
        AttemptReport report) {
    /** Tickets in one exclusion: a beat must stay below the size of a record. */
    private static final int TICKETS_PER_EXCLUSION = 20_000;

    /**
     * What the graph told of elements that it did not deliver.
     *
     * @param withheld of the short last batch, which came out and is left to another attempt
     * @param dropped by filters
     * @param dropsTold whether filters tell what they drop
     */
    record Undelivered(TicketSet withheld, TicketSet dropped, boolean dropsTold) {}

    /**
     * Waits until all splits are counted, and tells the end; nothing where the attempt is stopped meanwhile.
     *
     * @throws AttemptFailed if an element is missing that nothing in the pipeline drops
     */
    void tell(Undelivered undelivered) throws InterruptedException {
        boolean tracked = search.settings().tracked();
        TicketSet remainder = TicketSet.NONE;
        if (tracked) {
            settlement.awaitCounted();
            if (lifecycle.stopped()) {
                return;
            }
            settlement
                    .countOpenEnded(undelivered.withheld().plus(undelivered.dropped()))
                    .forEach(report::opened);
            remainder = settle(undelivered);
        }
        sink.end(endOf(tracked));
        List<ConsumerSequence> last = new ArrayList<>();
        for (long sequence : sink.lastSequences()) {
            last.add(new ConsumerSequence(last.size(), sequence));
        }
        report.ended(new AttemptEnd(last, remainder.runs()));
        lifecycle.ended();
    }

    /** Of a tracked epoch only the last attempt delivers its tail; of others each does, so that none knows that it is the last. */
    private EndOf endOf(boolean tracked) {
        if (lifecycle.last()) {
            return EndOf.JOB;
        }
        return tracked && lifecycle.deliverTail() ? EndOf.EPOCH : EndOf.ATTEMPT;
    }

    /** Tells what is excluded; gives what is still owed. */
    private TicketSet settle(Undelivered undelivered) {
        TicketSet withheld = undelivered.withheld();
        TicketSet dropped = undelivered.dropped();
        Settlement.Leaks leaks = leaks(undelivered.dropsTold());
        BadRecords bad = BadRecords.NONE;
        if (search.settings().skipBad()) {
            TicketSet missing = settlement.undelivered().minus(withheld).minus(dropped);
            bad = search.bad(missing, settlement.open(), leaks);
        }
        Settlement.Outcome outcome =
                settlement.settle(withheld, dropped, bad.tickets(), leaks, lifecycle.deliverTail());
        if (!outcome.lost().isEmpty() && lifecycle.deliverTail()) {
            throw new AttemptFailed(
                    FailureKind.FAILED,
                    outcome.lost().count() + " elements of attempt " + report.key()
                            + " did not come out of the graph, and nothing in the pipeline drops any");
        }
        report.excluded(exclusions(ExclusionReason.FILTER, outcome.filtered()));
        report.excluded(exclusions(ExclusionReason.DROP_REMAINDER, outcome.tail()));
        report.excluded(bad.exclusions());
        return outcome.remainder().plus(outcome.lost());
    }

    private Settlement.Leaks leaks(boolean dropsTold) {
        PipelineAnalysis analysis = search.pipeline().analysis();
        return new Settlement.Leaks(analysis.filters(), analysis.filters() && dropsTold, analysis.dropRemainder());
    }

    private static List<Exclusion> exclusions(ExclusionReason reason, TicketSet tickets) {
        return tickets.parts(TICKETS_PER_EXCLUSION).stream()
                .map(part -> new Exclusion(reason.word(), part.count(), part.runs(), List.of()))
                .toList();
    }
}
