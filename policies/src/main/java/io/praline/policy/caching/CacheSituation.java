package io.praline.policy.caching;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All on which a choice rests.
 *
 * @param points behind which elements may be kept
 * @param measures of points, by their numbers
 * @param allNanos of one thread, to compute a record to the pipeline's end
 * @param stored share of the job's splits that have an entry, by the point's prefix; none: absent
 * @param taskRecordsPerSecond that one worker makes when it computes; 0: not known
 * @param outlook what is to come
 */
public record CacheSituation(
        List<CachePoint> points,
        List<PointMeasure> measures,
        double allNanos,
        SortedMap<String, Double> stored,
        double taskRecordsPerSecond,
        CacheOutlook outlook) {
    public CacheSituation {
        points = List.copyOf(points);
        measures = List.copyOf(measures);
        stored = Collections.unmodifiableSortedMap(new TreeMap<>(stored));
        if (!(allNanos > 0)) {
            throw new IllegalArgumentException("allNanos must be above 0, is " + allNanos);
        }
    }

    /** What was measured of a point. */
    public Optional<PointMeasure> measure(CachePoint point) {
        return measures.stream()
                .filter(measure -> measure.number() == point.number())
                .findFirst();
    }

    /** Share of the splits that have an entry there. */
    public double stored(CachePoint point) {
        return Math.max(0, Math.min(1, stored.getOrDefault(point.prefix(), 0.0)));
    }

    /** Of one thread, to read a record at its source; 0 where that was not measured. */
    double readingNanos() {
        return measures.stream()
                .filter(measure -> measure.number() == 0)
                .mapToDouble(measure -> Math.min(measure.computeNanos(), allNanos))
                .findFirst()
                .orElse(0);
    }
}
