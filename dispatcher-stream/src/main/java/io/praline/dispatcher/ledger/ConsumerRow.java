package io.praline.dispatcher.ledger;

/**
 * A consumer of a job. When it was last heard of is not here.
 *
 * @param incarnation UUID of its process
 * @param host its host name; empty where it did not tell yet
 * @param applied its reports up to and with this one are in the ledger; -1 where none is, as in the protocol
 * @param away whether nothing more is expected of it: it left in order, or was silent for so long that it was given up
 */
public record ConsumerRow(String incarnation, String host, long applied, boolean away) {

    public ConsumerRow withApplied(long sequence) {
        return new ConsumerRow(incarnation, host, sequence, away);
    }

    /** On this host, if it tells one. */
    public ConsumerRow at(String itsHost) {
        return itsHost.isEmpty() ? this : new ConsumerRow(incarnation, itsHost, applied, away);
    }

    /** It left in order. */
    public ConsumerRow left() {
        return new ConsumerRow(incarnation, host, applied, true);
    }

    /** It was silent for so long that it is given up. */
    public ConsumerRow givenUp() {
        return new ConsumerRow(incarnation, host, applied, true);
    }

    /** It is there, perhaps again. */
    public ConsumerRow there() {
        return new ConsumerRow(incarnation, host, applied, false);
    }

    public byte[] encode() {
        return new RowWriter()
                .text(incarnation)
                .text(host)
                .number(applied + 1)
                .flag(away)
                .bytes();
    }

    public static ConsumerRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new ConsumerRow(in.text(), in.text(), in.number() - 1, in.flag());
    }
}
