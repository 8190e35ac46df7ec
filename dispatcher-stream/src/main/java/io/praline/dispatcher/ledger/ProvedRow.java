package io.praline.dispatcher.ledger;

import io.praline.policy.ordering.course.Variant;
import java.time.Instant;

/**
 * A variant that was shown to be better, for the next job of the same pipeline on the same data.
 *
 * @param variant the pipeline in its order
 * @param job that it was shown for
 * @param at when that was
 */
public record ProvedRow(Variant variant, String job, Instant at) {

    public byte[] encode() {
        RowWriter out = new RowWriter();
        OrderRow.write(variant, out);
        return out.text(job).number(at.toEpochMilli()).bytes();
    }

    public static ProvedRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new ProvedRow(OrderRow.variant(in), in.text(), Instant.ofEpochMilli(in.number()));
    }
}
