package io.praline.policy.simulation;

import io.praline.policy.Target;
import java.util.List;

/**
 * What trainer and workers can do:
 *
 * <pre>
 *   rate = min(trainer / (1 + trainerSlowdownPerLocal x L), remote x R + local(L))       elements/s
 * </pre>
 *
 * @param trainer elements/s that the trainer takes when it never waits and nobody works beside it
 * @param remote elements/s that each remote worker makes
 * @param local elements/s that 1, 2, ... local workers make together
 * @param trainerSlowdownPerLocal by which share of its undisturbed time each local worker makes a step longer
 */
public record Rates(double trainer, double remote, List<Double> local, double trainerSlowdownPerLocal) {
    public Rates {
        above0("trainerElementsPerSecond", trainer);
        above0("remoteElementsPerSecond", remote);
        local.forEach(rate -> above0("each of localElementsPerSecond", rate));
        if (!(trainerSlowdownPerLocal >= 0 && trainerSlowdownPerLocal < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "trainerSlowdownPerLocal must not be negative, is " + trainerSlowdownPerLocal);
        }
        local = List.copyOf(local);
    }

    private static void above0(String name, double rate) {
        if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must be above 0, is " + rate);
        }
    }

    /** Elements/s of so many local workers together. */
    public double localRate(int workers) {
        return workers == 0 ? 0 : local.get(workers - 1);
    }

    /** Elements/s that these workers can make. */
    public double supply(Target workers) {
        return remote * workers.remote() + localRate(workers.local());
    }

    /** Elements/s that the trainer can take beside so many local workers. */
    public double demand(int localWorkers) {
        return trainer / (1 + trainerSlowdownPerLocal * localWorkers);
    }

    /** Elements/s of it that remote workers make: local ones are drained first. */
    public double remoteRate(Target workers) {
        return Math.max(0, rate(workers) - localRate(workers.local()));
    }

    /** Elements/s of the training with these workers. */
    public double rate(Target workers) {
        return Math.min(demand(workers.local()), supply(workers));
    }
}
