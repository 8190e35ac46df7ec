package io.praline.worker.attempt;

import io.praline.identity.ExclusionReason;
import io.praline.schema.AttemptEnd;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.wire.EndOf;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.metrics.AttemptReport;
import java.util.List;
import java.util.function.Supplier;

/**
 * The end of an attempt whose graph has come to its own: every element that was assigned is delivered, excluded, or told as
 * the remainder, and then the stream of batches ends. The puller's thread.
 *
 * @param search finds the bad ones among the elements that are missing
 * @param fault whose fault it is if others are missing
 */
record AttemptEnding(
        AttemptLifecycle lifecycle,
        BadRecordSearch search,
        Settlement settlement,
        BatchSink sink,
        AttemptReport report,
        Supplier<FailureKind> fault) {
    /** Tickets in one exclusion: a beat must stay below the size of a record. */
    private static final int TICKETS_PER_EXCLUSION = 20_000;

    /**
     * Waits until all splits are counted and every batch has a lane, and tells the end; nothing where the attempt is stopped
     * meanwhile.
     *
     * @param withheld of the short last batch, which came out and is left to another attempt
     * @param unbatched told to be left out with batches that came short
     * @throws AttemptFailed if an element is missing that nothing in the pipeline drops
     */
    void tell(TicketSet withheld, TicketSet unbatched) throws InterruptedException {
        boolean tracked = search.settings().tracked();
        TicketSet remainder = TicketSet.NONE;
        if (tracked) {
            settlement.awaitCounted();
            if (lifecycle.stopped()) {
                return;
            }
            List<Long> unended = settlement.unended();
            if (!unended.isEmpty()) {
                throw new AttemptFailed(
                        FailureKind.FAILED,
                        "attempt " + report.key() + " did not read split " + unended.get(0) + " to its end");
            }
            settlement.countOpenEnded(withheld.plus(unbatched)).forEach(report::opened);
            remainder = settle(withheld, unbatched);
        }
        sink.end(endOf(tracked, remainder));
        if (lifecycle.stopped()) {
            return;
        }
        List<ConsumerSequence> last = sink.lastSequences().stream()
                .map(one -> new ConsumerSequence(one.consumer(), one.sequence(), one.generation()))
                .toList();
        report.ended(new AttemptEnd(last, remainder.runs()));
        lifecycle.ended();
    }

    /**
     * Of a tracked epoch only the last attempt delivers its tail; of others each does, so that none knows that it is the last. One
     * that gives something back is not the last after all.
     */
    private EndOf endOf(boolean tracked, TicketSet remainder) {
        if (!remainder.isEmpty()) {
            return EndOf.ATTEMPT;
        }
        if (lifecycle.last()) {
            return EndOf.JOB;
        }
        return tracked && lifecycle.deliverTail() ? EndOf.EPOCH : EndOf.ATTEMPT;
    }

    /** Tells what is excluded; gives what is still owed. */
    private TicketSet settle(TicketSet withheld, TicketSet unbatched) {
        boolean leaks = search.pipeline().analysis().ignoresErrors();
        BadRecords bad = BadRecords.NONE;
        if (search.settings().skipBad()) {
            TicketSet missing = settlement.undelivered().minus(withheld).minus(unbatched);
            bad = search.bad(missing, settlement.open(), !leaks);
        }
        Settlement.Outcome outcome = settlement.settle(
                withheld.plus(bad.good()),
                unbatched,
                bad.tickets(),
                leaks,
                lifecycle.deliverTail() && bad.good().isEmpty());
        if (!outcome.lost().isEmpty()) {
            throw new AttemptFailed(
                    fault.get(),
                    "attempt " + report.key() + " misses elements, "
                            + outcome.lost().count()
                            + " in all: they did not come out of the graph, and nothing in the pipeline told that it drops them");
        }
        report.excluded(exclusions(ExclusionReason.FILTER, outcome.filtered()));
        report.excluded(exclusions(ExclusionReason.DROP_REMAINDER, outcome.tail()));
        report.excluded(bad.exclusions());
        return outcome.remainder();
    }

    /** As they are told. */
    static List<Exclusion> exclusions(ExclusionReason reason, TicketSet tickets) {
        return tickets.parts(TICKETS_PER_EXCLUSION).stream()
                .map(part -> new Exclusion(reason.word(), part.count(), part.runs(), List.of()))
                .toList();
    }
}
