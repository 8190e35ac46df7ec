package io.praline.worker.profile;

import io.praline.schema.PointMeasure;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.StoreSpeed;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.ordering.SplitPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What keeping elements behind each cache point would cost and save, for a record of a split: the work of the steps up to it,
 * as a profile measured it, and what the worker's store takes to write and read what comes out of the last of them.
 */
final class PointMeasures {
    /**
     * What an element costs beside its bytes: a call of a function and a trip through a queue to be kept, calls that take its
     * record apart to be read. Estimates of their order, for machines of 2025: with any but small elements bytes outweigh them.
     */
    private static final double NANOS_TO_KEEP = 12_000;

    private static final double NANOS_TO_READ = 8_000;

    private PointMeasures() {}

    /** One for each point of which the profile tells; none where there is no store. */
    static List<PointMeasure> of(CachePoints points, MeasuredSteps measured, Optional<CacheStore> store) {
        Optional<StoreSpeed> speed = store.flatMap(CacheStore::speed);
        long records = measured.profile().records();
        if (speed.isEmpty() || records == 0) {
            return List.of();
        }
        List<PointMeasure> told = new ArrayList<>();
        for (CachePoint point : points.points()) {
            double nanos = 0;
            Optional<StepMeasure> last = Optional.empty();
            double before = 0;
            for (SplitPipeline.Link link : measured.links()) {
                Optional<StepMeasure> step = measured.measure(link.name());
                before += step.map(StepMeasure::nanos).orElse(0L);
                if (link.transformation().equals(point.step())) {
                    last = step;
                    nanos = before;
                }
            }
            if (last.isPresent()) {
                double elements = (double) last.get().elements() / records;
                double bytes = (double) last.get().bytesOut() / records;
                told.add(new PointMeasure(
                        point.number(),
                        nanos / records,
                        bytes,
                        elements * NANOS_TO_KEEP + bytes * speed.get().nanosToWriteByte(),
                        elements * NANOS_TO_READ + bytes * speed.get().nanosToReadByte()));
            }
        }
        return told;
    }

    /** Work of the whole pipeline on a record, in nanoseconds. */
    static double allNanos(MeasuredSteps measured) {
        long records = measured.profile().records();
        return records == 0
                ? 0
                : (double) measured.profile().steps().stream()
                                .mapToLong(StepMeasure::nanos)
                                .sum()
                        / records;
    }
}
