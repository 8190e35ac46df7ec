package io.praline.policy.simulation;

import io.praline.policy.Terms;
import java.util.List;

/** Worlds for tests. */
final class Worlds {
    /** As the scenarios that are shipped have it. */
    static final Noise NOISE = new Noise(0.05, 0.02, 0.02);

    private Worlds() {}

    static Terms terms(Terms.Goal goal, double client, double remote, int maxRemote, int maxLocal) {
        return new Terms(
                goal,
                new Terms.Prices(client, remote, 0),
                new Terms.Limits(maxRemote, maxLocal),
                Double.POSITIVE_INFINITY);
    }

    static Terms terms(double client, double remote, int maxRemote, int maxLocal) {
        return terms(Terms.Goal.COST, client, remote, maxRemote, maxLocal);
    }

    /** One job for itself, until it ends. */
    static Scenario alone(String name, World world, Change... changes) {
        return new Scenario(name, world, List.of(changes), List.of(), Double.POSITIVE_INFINITY);
    }

    /** Windows of 1,000 elements, two epochs of 5,000; a remote worker starts in 10 s and drains in 5 s, a local one in 2 s. */
    static World small(Terms terms, Rates rates, Noise noise) {
        return new World(
                terms, rates, new Delays(10, 5, 2), noise, new Training(5000, 100, 2, 10, 0), Double.POSITIVE_INFINITY);
    }

    /** The same with elements of so many bytes, and a price for a GB of those that come from remote workers. */
    static World ofElements(World world, double bytes, double egressPerGb) {
        Terms terms = world.terms();
        Terms.Prices prices =
                new Terms.Prices(terms.prices().clientPerHour(), terms.prices().remotePerHour(), egressPerGb);
        Training training = world.training();
        return new World(
                new Terms(terms.goal(), prices, terms.limits(), terms.cap()),
                world.rates(),
                world.delays(),
                world.noise(),
                new Training(
                        training.elementsPerEpoch(),
                        training.batch(),
                        training.epochs(),
                        training.windowBatches(),
                        bytes),
                world.remoteMeanLifetimeSeconds());
    }

    /** The model of the published grid. */
    static World resnet(Noise noise) {
        return new World(
                terms(4.96, 0.427319, 20, 10),
                new Rates(
                        3220,
                        170,
                        List.of(390.0, 676.0, 934.0, 1165.0, 1221.0, 1350.0, 1493.0, 1614.0, 1713.0, 1912.0),
                        0),
                new Delays(10, 20, 5),
                noise,
                new Training(1_281_167, 128, 30, 500, 0),
                Double.POSITIVE_INFINITY);
    }
}
