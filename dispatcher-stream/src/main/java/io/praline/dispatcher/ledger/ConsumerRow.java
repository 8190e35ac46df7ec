package io.praline.dispatcher.ledger;

/**
 * A consumer of a job. When it was last heard of is not here.
 *
 * @param incarnation UUID of its process
 * @param host its host name; empty where it did not tell yet
 * @param applied its reports up to and with this one are in the ledger; -1 where none is, as in the protocol
 * @param gone whether it was silent for so long that it was given up, or left in order
 */
public record ConsumerRow(String incarnation, String host, long applied, boolean gone) {

    public ConsumerRow withApplied(long sequence) {
        return new ConsumerRow(incarnation, host, sequence, gone);
    }

    /** On this host, if it tells one. */
    public ConsumerRow at(String itsHost) {
        return itsHost.isEmpty() ? this : new ConsumerRow(incarnation, itsHost, applied, gone);
    }

    public ConsumerRow withGone(boolean nowGone) {
        return new ConsumerRow(incarnation, host, applied, nowGone);
    }

    public byte[] encode() {
        return new RowWriter()
                .text(incarnation)
                .text(host)
                .number(applied + 1)
                .flag(gone)
                .bytes();
    }

    public static ConsumerRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new ConsumerRow(in.text(), in.text(), in.number() - 1, in.flag());
    }
}
