package io.praline.policy.caching;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The published choice of Cachew (USENIX ATC'22, section 4.4), with the read model of its code: the least time for an element,
 * whatever writing and storing cost and however often it is still read:
 *
 * <pre>
 *   compute = all
 *   p       = read(bytes at p) + all - compute(p)     ms; equal ones compute
 * </pre>
 *
 * It looks at points that a name marks ({@code source_cache}, {@code autocache}); where there is none, at the source and the
 * last one. No job takes it: it is what others are measured against.
 */
public final class CachewCaching {
    private static final List<String> MARKS = List.of("source_cache", "autocache");
    private static final double BYTES_PER_MB = 1e6;

    /** Of its table of reads: bytes of an element, and milliseconds for it. */
    private record Read(double megabytes, double millis) {}

    private static final List<Read> READS = List.of(
            new Read(0.1, 0.00376),
            new Read(1, 0.2549),
            new Read(5, 5.627),
            new Read(10, 11.94),
            new Read(15, 13.68),
            new Read(20, 22.25),
            new Read(25, 26.34),
            new Read(30, 30.50),
            new Read(50, 75.10),
            new Read(75, 112.8),
            new Read(100, 155.0),
            new Read(200, 306.6),
            new Read(400, 624.7));

    private CachewCaching() {}

    /** The point to keep; empty: it computes. */
    public static Optional<CachePoint> choose(CacheSituation situation) {
        return places(situation.points()).stream()
                .filter(point -> situation.measure(point).isPresent())
                .filter(point -> nanos(situation, point) < situation.allNanos())
                .min(Comparator.comparingDouble(point -> nanos(situation, point)));
    }

    /** The points that it looks at. */
    static List<CachePoint> places(List<CachePoint> points) {
        List<CachePoint> marked = points.stream()
                .filter(point -> MARKS.stream().anyMatch(point.step()::contains))
                .toList();
        if (!marked.isEmpty() || points.isEmpty()) {
            return marked;
        }
        return Stream.of(points.get(0), points.get(points.size() - 1))
                .distinct()
                .toList();
    }

    private static double nanos(CacheSituation situation, CachePoint point) {
        PointMeasure measure = situation.measure(point).orElseThrow();
        double after = Math.max(0, situation.allNanos() - measure.computeNanos());
        return readMillis(measure.bytes()) * 1e6 + after;
    }

    /** Linear between the rows of the table, and beyond its ends as in its first and last stretch; never below 0. */
    static double readMillis(double bytes) {
        double megabytes = bytes / BYTES_PER_MB;
        int upper = 1;
        while (upper < READS.size() - 1 && megabytes > READS.get(upper).megabytes) {
            upper++;
        }
        Read from = READS.get(upper - 1);
        Read to = READS.get(upper);
        double slope = (to.millis - from.millis) / (to.megabytes - from.megabytes);
        return Math.max(0, from.millis + (megabytes - from.megabytes) * slope);
    }
}
