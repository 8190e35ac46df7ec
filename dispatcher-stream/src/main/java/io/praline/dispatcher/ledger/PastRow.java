package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A job of which nothing is kept here, while topics still tell of it.
 *
 * @param forgotten when its rows went
 * @param localHost the trainer's host for which workers were asked for; empty: for none
 * @param pool that it ran in; empty where a dispatcher of before forgot it
 * @param graphs digests of what is on its topic of its pipeline and of variants of it
 */
public record PastRow(Instant forgotten, Optional<String> localHost, String pool, List<String> graphs) {

    public PastRow {
        graphs = List.copyOf(graphs);
    }

    /** With one graph more. */
    public PastRow with(String digest) {
        return new PastRow(
                forgotten,
                localHost,
                pool,
                Stream.concat(graphs.stream(), Stream.of(digest)).toList());
    }

    public byte[] encode() {
        return new RowWriter()
                .number(forgotten.toEpochMilli())
                .text(localHost.orElse(""))
                .text(pool)
                .texts(graphs)
                .bytes();
    }

    public static PastRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Instant forgotten = Instant.ofEpochMilli(in.number());
        String host = in.text();
        Optional<String> localHost = host.isEmpty() ? Optional.empty() : Optional.of(host);
        // rows of older dispatchers end here
        return in.hasMore()
                ? new PastRow(forgotten, localHost, in.text(), in.texts())
                : new PastRow(forgotten, localHost, "", List.of());
    }
}
