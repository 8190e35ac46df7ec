package io.praline.client.stream;

import io.praline.client.metrics.ConsumptionReporter;
import io.praline.schema.Confirmation;
import java.util.List;

/**
 * Whether the loop may be given batches. A consumer whose oldest unconfirmed report has waited for the lease gets none
 * until the ledger confirms it: it may have been given up, and its elements may be on their way to others. So a process
 * that is cut off from Kafka does not train on what another one is given.
 *
 * <p>Owned by the stream's lock. Its answer changes only where the time is given. Times are {@code System.nanoTime} of
 * whoever calls.
 */
public final class Lease {
    private final int consumer;
    private final String incarnation;
    private final ConsumptionReporter reporter;
    private boolean over;

    public Lease(int consumer, String incarnation, ConsumptionReporter reporter) {
        this.consumer = consumer;
        this.incarnation = incarnation;
        this.reporter = reporter;
    }

    public boolean isOver() {
        return over;
    }

    /** The job's status has these confirmations; those of other consumers, and of this one's former lives, are not meant. */
    public void confirmed(List<Confirmation> confirmations, long nowNanos) {
        for (Confirmation confirmation : confirmations) {
            if (confirmation.getConsumer() == consumer
                    && confirmation.getIncarnation().equals(incarnation)) {
                reporter.confirmed(confirmation.getReportSequence());
            }
        }
        over = reporter.leaseOver(nowNanos);
    }

    /** Time has passed; true if that changed the answer. */
    public boolean passed(long nowNanos) {
        boolean before = over;
        over = reporter.leaseOver(nowNanos);
        return over != before;
    }
}
