package io.praline.policy.ordering;

import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Proof;
import java.util.List;
import java.util.Set;

/**
 * The cheapest order that gives the same results bit for bit, and by moves that the user allows by name.
 *
 * @param options what the user says
 */
public record ExactOrder(OrderOptions options) {

    /**
     * The order for a pipeline.
     *
     * @param pipeline all of its steps in the user's order, cut as small as they can be
     * @param measured what they did on a sample, each called by itself
     */
    public OrderPlan plan(List<Step> pipeline, List<StepMeasure> measured) {
        return new RuledOrder(pipeline, measured, options, Set.of(Proof.EXACT, Proof.BY_LEAVE)).plan();
    }
}
