package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.policy.ordering.course.Variant;
import java.time.Instant;

/**
 * A variant that was shown to be better, for the next job of the same pipeline on the same data.
 *
 * @param variant the pipeline in its order
 * @param points where elements of it may be kept
 * @param job that it was shown for
 * @param at when that was
 */
public record ProvedRow(Variant variant, CachePoints points, String job, Instant at) {

    public byte[] encode() {
        RowWriter out = new RowWriter();
        OrderRow.write(variant, out);
        out.text(job).number(at.toEpochMilli());
        points.write(out);
        return out.bytes();
    }

    public static ProvedRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Variant variant = OrderRow.variant(in);
        String job = in.text();
        Instant at = Instant.ofEpochMilli(in.number());
        // rows of older dispatchers end here
        return new ProvedRow(variant, in.hasMore() ? CachePoints.read(in) : CachePoints.NONE, job, at);
    }
}
