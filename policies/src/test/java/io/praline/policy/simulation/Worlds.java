package io.praline.policy.simulation;

import io.praline.policy.Terms;
import java.util.List;

/** Worlds for tests. */
final class Worlds {
    static final Rates RESNET_RATES = new Rates(
            3220, 170, List.of(390.0, 676.0, 934.0, 1165.0, 1221.0, 1350.0, 1493.0, 1614.0, 1713.0, 1912.0), 0);
    static final Delays DELAYS = new Delays(20, 20, 5);

    private Worlds() {}

    static Terms terms(double client, double remote, int maxRemote, int maxLocal) {
        return new Terms(
                Terms.Goal.COST,
                new Terms.Prices(client, remote, 0),
                new Terms.Limits(maxRemote, maxLocal),
                Double.POSITIVE_INFINITY);
    }

    static World resnet(Noise noise) {
        return new World(
                terms(4.96, 0.427319, 20, 10),
                RESNET_RATES,
                DELAYS,
                noise,
                new Training(1_281_167, 128, 12, 500),
                Double.POSITIVE_INFINITY);
    }

    static Scenario alone(World world) {
        return Scenario.alone("test", world);
    }
}
