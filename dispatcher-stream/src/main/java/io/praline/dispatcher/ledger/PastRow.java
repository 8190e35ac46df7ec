package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * A job of which nothing is kept here, while topics still tell of it.
 *
 * @param forgotten when its rows went
 * @param localHost the trainer's host for which workers were asked for; empty: for none
 */
public record PastRow(Instant forgotten, Optional<String> localHost) {

    public byte[] encode() {
        return new RowWriter()
                .number(forgotten.toEpochMilli())
                .text(localHost.orElse(""))
                .bytes();
    }

    public static PastRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Instant forgotten = Instant.ofEpochMilli(in.number());
        String host = in.text();
        return new PastRow(forgotten, host.isEmpty() ? Optional.empty() : Optional.of(host));
    }
}
