package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.PointMeasure;
import io.praline.policy.caching.course.CacheState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which elements of a job are kept, and read again.
 *
 * @param state what its course knows
 * @param asked who was asked to measure and has not answered; empty: nobody
 * @param told how many times as many elements as computed the job's policy was told that tasks make
 * @param hits elements of closed attempts that loops took and that came from entries
 * @param doubted whether its points are those of a job of another seed, and a worker is to say whether they are its own
 */
public record CacheRow(CacheState state, Optional<Place> asked, double told, long hits, boolean doubted) {

    public CacheRow withTold(double gain) {
        return new CacheRow(state, asked, gain, hits, doubted);
    }

    public CacheRow withHits(long elements) {
        return new CacheRow(state, asked, told, elements, doubted);
    }

    public CacheRow withDoubted(boolean now) {
        return new CacheRow(state, asked, told, hits, now);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .text(state.phase().name())
                .number(state.since().toEpochMilli())
                .flag(state.settled())
                .number(state.trial())
                .flag(state.asked().isPresent());
        state.asked().ifPresent(at -> out.number(at.toEpochMilli()));
        out.number(state.unanswered()).number(state.broken()).number(state.slow());
        new CachePoints(state.points(), state.blocked()).write(out);
        out.number(state.measures().size());
        state.measures().forEach(measure -> out.number(measure.number())
                .real(measure.computeNanos())
                .real(measure.bytes())
                .real(measure.writeNanos())
                .real(measure.readNanos()));
        out.real(state.allNanos()).number(state.stored().size());
        state.stored().forEach((prefix, share) -> out.text(prefix).real(share));
        out.flag(state.used().isPresent());
        state.used().ifPresent(used -> out.number(state.points().indexOf(used)));
        out.flag(state.put())
                .real(state.expectedGain())
                .real(state.computedRate())
                .real(state.cachedRate())
                .text(state.reason())
                .flag(asked.isPresent());
        asked.ifPresent(place -> place.write(out));
        return out.real(told).number(hits).flag(doubted).bytes();
    }

    public static CacheRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        CacheState.Phase phase = CacheState.Phase.valueOf(in.text());
        Instant since = Instant.ofEpochMilli(in.number());
        boolean settled = in.flag();
        int trial = in.small();
        Optional<Instant> askedAt = in.flag() ? Optional.of(Instant.ofEpochMilli(in.number())) : Optional.empty();
        int unanswered = in.small();
        int broken = in.small();
        int slow = in.small();
        CachePoints points = CachePoints.read(in);
        List<PointMeasure> measures = measures(in);
        double allNanos = in.real();
        SortedMap<String, Double> stored = shares(in);
        Optional<CachePoint> used = in.flag() ? Optional.of(points.points().get(in.small())) : Optional.empty();
        CacheState state = new CacheState(
                phase,
                since,
                settled,
                trial,
                askedAt,
                unanswered,
                broken,
                slow,
                points.points(),
                points.blocked(),
                measures,
                allNanos,
                stored,
                used,
                in.flag(),
                in.real(),
                in.real(),
                in.real(),
                in.text());
        Optional<Place> asked = in.flag() ? Optional.of(Place.read(in)) : Optional.empty();
        double told = in.real();
        long hits = in.number();
        return new CacheRow(
                state, asked, told, hits, in.hasMore() && in.flag()); // rows of older dispatchers end before
    }

    private static List<PointMeasure> measures(RowReader in) {
        int size = in.length();
        List<PointMeasure> measures = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            measures.add(new PointMeasure(in.small(), in.real(), in.real(), in.real(), in.real()));
        }
        return measures;
    }

    private static SortedMap<String, Double> shares(RowReader in) {
        SortedMap<String, Double> shares = new TreeMap<>();
        for (int left = in.small(); left > 0; left--) {
            shares.put(in.text(), in.real());
        }
        return shares;
    }
}
