package io.praline.worker.profile;

/**
 * What a step did while a sample was read.
 *
 * @param name the step's
 * @param elements that it yielded
 * @param bytesIn of what it was given, in all; 0 of what reads splits
 * @param bytesOut of what it yielded, in all
 * @param nanos of work, summed over threads
 */
public record StepMeasure(String name, long elements, long bytesIn, long bytesOut, long nanos) {

    /** The same of a step of this name. */
    StepMeasure named(String other) {
        return new StepMeasure(other, elements, bytesIn, bytesOut, nanos);
    }
}
