package io.praline.policy.simulation;

import io.praline.policy.Target;
import io.praline.policy.Terms;

/**
 * A world as it is until something changes.
 *
 * @param terms of the job
 * @param rates of trainer and workers
 * @param delays of starting and stopping
 * @param noise of what is measured
 * @param training what is read
 * @param remoteMeanLifetimeSeconds after which a remote worker dies, on average; infinite where none ever does
 */
public record World(
        Terms terms, Rates rates, Delays delays, Noise noise, Training training, double remoteMeanLifetimeSeconds) {
    public World {
        if (!(remoteMeanLifetimeSeconds > 0)) {
            throw new IllegalArgumentException(
                    "remoteMeanLifetimeSeconds must be above 0, is " + remoteMeanLifetimeSeconds);
        }
        if (terms.limits().maxLocal() > rates.local().size()) {
            throw new IllegalArgumentException("maxLocal is " + terms.limits().maxLocal()
                    + ", but localElementsPerSecond tells the rate of at most "
                    + rates.local().size());
        }
    }

    /** Seconds that an epoch takes with these workers; infinite where nobody works. */
    public double epochSeconds(Target workers) {
        return training.elementsPerEpoch() / rates.rate(workers);
    }

    /** Money that an epoch costs with these workers; infinite where nobody works. */
    public double epochCost(Target workers) {
        double seconds = epochSeconds(workers);
        return Double.isInfinite(seconds) ? seconds : cost(workers, workers, seconds);
    }

    /**
     * Money for so many seconds:
     *
     * <pre>
     *   time at the price of client and remote workers
     *   + seconds x max(0, rate - local(L)) x bytesPerElement x egressPerGb / 10^9
     * </pre>
     *
     * @param paid workers, also those that do not serve yet
     * @param serving workers
     */
    double cost(Target paid, Target serving, double seconds) {
        double bytes = seconds * rates.remoteRate(serving) * training.bytesPerElement();
        return terms.prices().cost(paid, seconds) + terms.prices().egress(bytes);
    }

    /** What the job's goal wants to be small. */
    public double value(Target workers) {
        return switch (terms.goal()) {
            case COST -> epochCost(workers);
            case TIME -> epochSeconds(workers);
            case BALANCED -> epochCost(workers) * epochSeconds(workers);
        };
    }

    /** The best workers within the limits, by trying all; of equally good ones the cheapest, then the fewest. */
    public Target best() {
        return best(terms.limits().maxRemote());
    }

    /** The best workers where so many remote ones can be had. */
    Target best(int maxRemote) {
        Target best = Target.NONE;
        for (int remote = 0; remote <= maxRemote; remote++) {
            for (int local = 0; local <= terms.limits().maxLocal(); local++) {
                Target other = new Target(remote, local);
                if (better(other, best)) {
                    best = other;
                }
            }
        }
        return best;
    }

    private boolean better(Target one, Target other) {
        if (value(one) != value(other)) {
            return value(one) < value(other);
        }
        if (epochCost(one) != epochCost(other)) {
            return epochCost(one) < epochCost(other);
        }
        return one.workers() < other.workers();
    }
}
