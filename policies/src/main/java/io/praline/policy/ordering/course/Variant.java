package io.praline.policy.ordering.course;

import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Proof;
import java.util.List;

/**
 * A pipeline in another order.
 *
 * @param digest of its graph; empty until a worker has made it
 * @param moved what runs elsewhere than its author wrote it, a line each
 * @param proof what its moves promise
 * @param tolerance how far results may differ, beside the range of values
 * @param predictedGain 2 where twice as many elements are expected in the same time
 * @param measuredGain as it was on a sample; 0 where it was not measured
 */
public record Variant(
        String digest, List<String> moved, Proof proof, double tolerance, double predictedGain, double measuredGain) {
    /** A line is for people, and a status tells all of them. */
    private static final int MOST_LINES = 50;

    public Variant {
        moved = List.copyOf(moved);
    }

    static Variant of(OrderPlan plan) {
        List<String> lines =
                plan.moves().stream().map(Move::toString).limit(MOST_LINES).toList();
        return new Variant("", lines, plan.proof(), plan.tolerance(), plan.predictedGain(), 0);
    }

    Variant verified(String made, double gain) {
        return new Variant(made, moved, proof, tolerance, predictedGain, gain);
    }
}
