package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.policy.caching.CachePoint;
import java.util.ArrayList;
import java.util.List;

/**
 * Where elements of a graph may be kept.
 *
 * @param points by number
 * @param blocked why there is no later one, in a line; empty where nothing is in the way
 */
public record CachePoints(List<CachePoint> points, String blocked) {
    /** Of a graph of which nobody said anything. */
    public static final CachePoints NONE = new CachePoints(List.of(), "");

    public CachePoints {
        points = List.copyOf(points);
    }

    void write(RowWriter out) {
        out.number(points.size());
        points.forEach(point -> out.number(point.number()).text(point.step()).text(point.prefix()));
        out.text(blocked);
    }

    static CachePoints read(RowReader in) {
        int size = in.length();
        List<CachePoint> points = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            points.add(new CachePoint(in.small(), in.text(), in.text()));
        }
        return new CachePoints(points, in.text());
    }
}
