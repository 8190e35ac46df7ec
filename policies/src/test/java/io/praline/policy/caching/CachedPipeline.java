package io.praline.policy.caching;

import java.util.List;

/**
 * What a job's workers run.
 *
 * @param measures of its points, as they are; the first is the source
 * @param apart share of reading and computing that does not overlap
 */
record CachedPipeline(
        List<CachePoint> points, List<PointMeasure> measures, double allNanos, double threads, double apart) {
    private double pace(double readingNanos, double computingNanos) {
        double reading = readingNanos / 1e9;
        double computing = computingNanos / 1e9 / threads;
        return Math.max(reading, computing) + apart * Math.min(reading, computing);
    }

    private double source() {
        return measures.get(0).computeNanos();
    }

    double computes() {
        return pace(source(), allNanos - source());
    }

    double writes(CachePoint point) {
        return pace(source(), allNanos - source() + measure(point).writeNanos());
    }

    double reads(CachePoint point) {
        return pace(measure(point).readNanos(), allNanos - measure(point).computeNanos());
    }

    PointMeasure measure(CachePoint point) {
        return measures.get(points.indexOf(point));
    }
}
