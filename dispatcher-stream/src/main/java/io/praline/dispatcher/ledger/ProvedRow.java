package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.policy.ordering.course.Variant;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * A variant that was shown to be better, for the next job of the same pipeline on the same data.
 *
 * @param variant the pipeline in its order
 * @param points where elements of it may be kept
 * @param job that it was shown for
 * @param at when that was
 * @param seed of the job whose points these are, where draws that are kept follow from it; empty: an older dispatcher's row
 * @param planned where elements of that job's own order may be kept
 */
public record ProvedRow(
        Variant variant, CachePoints points, String job, Instant at, OptionalLong seed, CachePoints planned) {

    /** Whether these are the points of a job of this seed too, whatever it draws. */
    public boolean isOf(long itsSeed) {
        return seed.isPresent() && seed.getAsLong() == itsSeed;
    }

    /**
     * Where another job's elements may be kept, as far as is known: nowhere, where what is kept follows from the seed.
     *
     * @param itsOwn where they may be in its own order
     */
    public CachePoints pointsOf(CachePoints itsOwn) {
        return seed.isEmpty() || planned.points().equals(itsOwn.points())
                ? points
                : new CachePoints(List.of(), "a worker is to say where, by the job's own seed");
    }

    /** Another job begins in it. */
    public ProvedRow by(String other, Instant now) {
        return new ProvedRow(variant, points, other, now, seed, planned);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter();
        OrderRow.write(variant, out);
        out.text(job).number(at.toEpochMilli());
        points.write(out);
        out.flag(seed.isPresent());
        seed.ifPresent(out::number);
        planned.write(out);
        return out.bytes();
    }

    public static ProvedRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Variant variant = OrderRow.variant(in);
        String job = in.text();
        Instant at = Instant.ofEpochMilli(in.number());
        // rows of older dispatchers end here
        CachePoints points = in.hasMore() ? CachePoints.read(in) : CachePoints.NONE;
        // or here
        boolean known = in.hasMore() && in.flag();
        OptionalLong seed = known ? OptionalLong.of(in.number()) : OptionalLong.empty();
        return new ProvedRow(variant, points, job, at, seed, in.hasMore() ? CachePoints.read(in) : CachePoints.NONE);
    }
}
