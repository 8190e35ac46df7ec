package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Instant;

/**
 * What time it is for the dispatcher, which every other row counts in.
 *
 * @param time by all steps so far
 * @param stamp of the record of the log of beats from which the next step is counted
 */
public record ClockRow(Instant time, Instant stamp) {

    public byte[] encode() {
        return new RowWriter()
                .number(time.toEpochMilli())
                .number(stamp.toEpochMilli())
                .bytes();
    }

    public static ClockRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new ClockRow(Instant.ofEpochMilli(in.number()), Instant.ofEpochMilli(in.number()));
    }
}
