package io.praline.worker.profile;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a sample told of a pipeline.
 *
 * @param steps from the sources on
 * @param splits how many were read from
 * @param records that were read
 * @param took reading them
 * @param wanted how much was to be read
 * @param ended whether all that was read came out too; false where the time was up before
 * @param all whether there is no more to read
 * @param callNanos what it costs to call a step's function at all, beside what its ops do; a part of what steps took. 0 where
 *     it is lost among what ops do
 */
public record Profile(
        List<StepMeasure> steps,
        int splits,
        long records,
        Duration took,
        SampleSize wanted,
        boolean ended,
        boolean all,
        double callNanos) {
    public Profile {
        steps = List.copyOf(steps);
    }

    /** The step of this name. */
    public Optional<StepMeasure> step(String name) {
        return steps.stream().filter(step -> step.name().equals(name)).findFirst();
    }

    /** Work on a record that was read. */
    public double nanosPerRecord(StepMeasure step) {
        return records == 0 ? 0 : (double) step.nanos() / records;
    }

    /** Of all work, from 0 to 1. */
    public double share(StepMeasure step) {
        long all = steps.stream().mapToLong(StepMeasure::nanos).sum();
        return all == 0 ? 0 : (double) step.nanos() / all;
    }

    /** Bytes that leave for one that comes; empty where nothing came. */
    public static Optional<Double> inflation(StepMeasure step) {
        return step.bytesIn() == 0 ? Optional.empty() : Optional.of((double) step.bytesOut() / step.bytesIn());
    }

    /** Whether fewer records were read than wanted. */
    public boolean few() {
        return records < wanted.elements();
    }
}
