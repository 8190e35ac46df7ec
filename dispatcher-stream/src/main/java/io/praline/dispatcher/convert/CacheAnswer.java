package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.CachePoints;
import io.praline.policy.caching.PointMeasure;
import io.praline.policy.caching.course.CacheEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a worker that measured told of where elements may be kept.
 *
 * @param trial of a request that was made for this alone; empty: the order of steps was measured, and this with it
 * @param points of the graph that it had
 * @param sample what the points cost; empty where that was not measured
 * @param failure why nothing was measured, in a line; empty where it was
 */
public record CacheAnswer(OptionalInt trial, CachePoints points, Optional<Sample> sample, String failure) {

    /**
     * What points cost.
     *
     * @param allNanos of the whole pipeline, for a record
     * @param records that were read
     */
    public record Sample(List<PointMeasure> measures, double allNanos, long records) {
        public Sample {
            measures = List.copyOf(measures);
        }
    }

    /** What it is for the course; empty where it told nothing for it. */
    public Optional<CacheEvent> event(Instant at) {
        if (sample.isPresent()) {
            Sample of = sample.get();
            return Optional.of(
                    new CacheEvent.Profiled(at, points.points(), of.measures(), of.allNanos(), of.records()));
        }
        return trial.isPresent()
                ? Optional.of(new CacheEvent.Failed(
                        at, trial.getAsInt(), failure.isEmpty() ? "its worker measures no cache points" : failure))
                : Optional.empty();
    }
}
