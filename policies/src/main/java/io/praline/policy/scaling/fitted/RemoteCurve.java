package io.praline.policy.scaling.fitted;

import io.praline.policy.scaling.fitted.FittedMemory.Point;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * What remote workers make together where more of them were seen to bring less and less, since they share what they read from
 * or what they send through:
 *
 * <pre>
 *   remote(R)  = remote(a) x (R / a)^e       between two numbers a and b of workers that starved their trainer, and beyond
 *   e          = log(remote(b) / remote(a)) / log(b / a), 0 to 1
 *   seen       if, for two such numbers, log(b / a) - log(remote(b) / remote(a)) &gt; {@value #SHORT} + {@value #ERRORS} errors
 * </pre>
 *
 * Below the fewest, each makes as much as each of these. What certainly came while the trainer did not starve, they can
 * make at least.
 */
final class RemoteCurve {
    private static final double SHORT = 0.15;
    private static final double ERRORS = 3;

    /** What is not known between two numbers of workers and beyond, as a share for each e-fold of their number. */
    private static final double DOUBT = 0.5;

    /** However much local ones are thought to make, so much (as a share) came from remote ones. */
    private static final double LEAST = 0.1;

    private final SortedMap<Integer, Seen> seen;

    /**
     * What so many made.
     *
     * @param error standard deviation, as a share
     */
    private record Seen(double rate, double error) {}

    private RemoteCurve(SortedMap<Integer, Seen> seen) {
        this.seen = seen;
    }

    /**
     * By what was measured; empty where nothing says that they bring less and less.
     *
     * @param points that are believed, newest first
     * @param local elements/s of so many local workers
     * @param localError standard deviation of the same
     */
    static Optional<RemoteCurve> of(List<Point> points, IntToDoubleFunction local, IntToDoubleFunction localError) {
        SortedMap<Integer, Seen> seen = new TreeMap<>();
        for (Point point : points) {
            if (point.starved() && point.tasks().remote() > 0) {
                seen.putIfAbsent(point.tasks().remote(), made(point, local, localError));
            }
        }
        if (!bends(seen)) {
            return Optional.empty();
        }
        RemoteCurve curve = new RemoteCurve(seen);
        for (Point point : points) {
            int workers = point.tasks().remote();
            if (!point.starved() && workers > 0) {
                Seen least = made(point, local, localError);
                if (least.rate * (1 - ERRORS * least.error) > curve.at(workers)) {
                    seen.put(workers, least);
                }
            }
        }
        return bends(seen) ? Optional.of(curve) : Optional.empty();
    }

    /** By the remote ones of those that served it. */
    private static Seen made(Point point, IntToDoubleFunction local, IntToDoubleFunction localError) {
        int locals = point.tasks().local();
        double rate = Math.max(LEAST * point.rate(), point.rate() - local.applyAsDouble(locals));
        double error = StrictMath.hypot(point.error() * point.rate(), localError.applyAsDouble(locals));
        return new Seen(rate, error / rate);
    }

    private static boolean bends(SortedMap<Integer, Seen> seen) {
        return seen.entrySet().stream().anyMatch(few -> seen.tailMap(few.getKey() + 1).entrySet().stream()
                .anyMatch(many -> bends(few, many)));
    }

    private static boolean bends(Map.Entry<Integer, Seen> few, Map.Entry<Integer, Seen> many) {
        double more = StrictMath.log((double) many.getKey() / few.getKey());
        double brought = StrictMath.log(many.getValue().rate / few.getValue().rate);
        return more - brought > SHORT + ERRORS * StrictMath.hypot(few.getValue().error, many.getValue().error);
    }

    /** Numbers of workers of which it was measured what they make, in ascending order. */
    List<Integer> workers() {
        return List.copyOf(seen.keySet());
    }

    /** Elements/s of so many. */
    double at(int workers) {
        int fewest = seen.firstKey();
        if (workers <= fewest) {
            return seen.get(fewest).rate * workers / fewest;
        }
        int many = above(workers);
        int few = seen.headMap(many).lastKey();
        double from = seen.get(few).rate;
        double bend = StrictMath.log(seen.get(many).rate / from) / StrictMath.log((double) many / few);
        return from * StrictMath.pow((double) workers / few, Math.max(0, Math.min(1, bend)));
    }

    /** The least number that was measured and is not below; the largest one, beyond. */
    private int above(int workers) {
        SortedMap<Integer, Seen> more = seen.tailMap(workers);
        return more.isEmpty() ? seen.lastKey() : more.firstKey();
    }

    /** Standard deviation of the same. */
    double error(int workers) {
        if (workers == 0) {
            return 0;
        }
        double nearest = Double.POSITIVE_INFINITY;
        double error = 0;
        for (int measured : seen.keySet()) {
            double apart = Math.abs(StrictMath.log((double) workers / measured));
            if (apart < nearest) {
                nearest = apart;
                error = seen.get(measured).error;
            }
        }
        return at(workers) * StrictMath.hypot(error, DOUBT * nearest);
    }
}
