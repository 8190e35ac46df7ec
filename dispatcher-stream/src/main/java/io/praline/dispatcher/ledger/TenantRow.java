package io.praline.dispatcher.ledger;

/**
 * What is remembered of a tenant's jobs in one pool together.
 *
 * @param cap the most that they may spend; infinite where none holds
 * @param spentByEnded what those spent that are over
 */
public record TenantRow(double cap, double spentByEnded) {
    /** One that was never heard of. */
    public static final TenantRow NEW = new TenantRow(Double.POSITIVE_INFINITY, 0);

    public boolean capped() {
        return cap < Double.POSITIVE_INFINITY;
    }

    public TenantRow withCap(double amount) {
        return new TenantRow(amount, spentByEnded);
    }

    public TenantRow plus(double spent) {
        return new TenantRow(cap, spentByEnded + spent);
    }

    public byte[] encode() {
        return new RowWriter().real(cap).real(spentByEnded).bytes();
    }

    public static TenantRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new TenantRow(in.real(), in.real());
    }
}
