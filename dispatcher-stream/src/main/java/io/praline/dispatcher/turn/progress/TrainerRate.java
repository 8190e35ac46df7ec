package io.praline.dispatcher.turn.progress;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a job's loops would take, by what they measured. */
public final class TrainerRate {
    /** A loop that waits all the time would take any number. */
    private static final double LEAST_BUSY = 0.01;

    private TrainerRate() {}

    /** Elements in a second if they never waited; infinite before they measured. */
    public static double of(PolicyState state) {
        SortedMap<Integer, Double> rates = new TreeMap<>();
        for (WindowClosed window : state.windows()) {
            double busy = window.seconds() * Math.max(LEAST_BUSY, 1 - window.waitShare());
            if (window.elements() > 0 && busy > 0) {
                rates.put(window.consumer(), window.elements() / busy);
            }
        }
        return rates.isEmpty()
                ? Double.POSITIVE_INFINITY
                : rates.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
