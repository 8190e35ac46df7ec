package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * What is remembered of a tenant's jobs in one pool together.
 *
 * @param cap the most that they may spend; infinite where none holds
 * @param spentByEnded what those spent that are over
 * @param lastJob when it last had a job, to the day; empty where nobody noted it yet
 */
public record TenantRow(double cap, double spentByEnded, Optional<Instant> lastJob) {
    /** One that was never heard of. */
    public static final TenantRow NEW = new TenantRow(Double.POSITIVE_INFINITY, 0, Optional.empty());

    public boolean capped() {
        return cap < Double.POSITIVE_INFINITY;
    }

    public TenantRow withCap(double amount) {
        return new TenantRow(amount, spentByEnded, lastJob);
    }

    public TenantRow plus(double spent) {
        return new TenantRow(cap, spentByEnded + spent, lastJob);
    }

    public TenantRow withLastJob(Instant at) {
        return new TenantRow(cap, spentByEnded, Optional.of(at));
    }

    public byte[] encode() {
        RowWriter out = new RowWriter().real(cap).real(spentByEnded);
        lastJob.ifPresent(at -> out.number(at.toEpochMilli()));
        return out.bytes();
    }

    public static TenantRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        // rows of older dispatchers end before the third
        return new TenantRow(
                in.real(), in.real(), in.hasMore() ? Optional.of(Instant.ofEpochMilli(in.number())) : Optional.empty());
    }
}
