package io.praline.policy.ordering.plan;

import java.util.List;

/**
 * What an order is expected to cost, by {@code CostModel}.
 *
 * @param steps in that order
 * @param nanosPerElement of work for one element that comes to the first step, with its way to the client
 */
public record Prediction(List<StepCost> steps, double nanosPerElement) {
    public Prediction {
        steps = List.copyOf(steps);
    }

    /**
     * One step's part.
     *
     * @param name the step's
     * @param bytesIn of one element when it comes, by itself or its share of a batch
     * @param bytesOut when it leaves
     * @param nanos of work for one element that comes to the pipeline's first step
     */
    public record StepCost(String name, double bytesIn, double bytesOut, double nanos) {}
}
