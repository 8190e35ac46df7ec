package io.praline.policy.simulation;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How well a policy did over many runs.
 *
 * @param policy its name
 * @param scenario the world's name
 * @param figures in the order in which they are told
 */
public record Summary(String policy, String scenario, List<Figure> figures) {
    public Summary {
        figures = List.copyOf(figures);
    }

    /**
     * One quantity over all runs.
     *
     * @param name with its unit, where it has one
     * @param mean over the runs
     * @param p95 that 95 of 100 runs do not exceed
     */
    public record Figure(String name, double mean, double p95) {}

    /** Of runs of one job, or of the jobs of one run. */
    public static Summary of(String policy, String scenario, List<Outcome> outcomes) {
        return new Summary(
                policy,
                scenario,
                List.of(
                        figure("finalRemote", outcomes, run -> run.last().remote()),
                        figure("finalLocal", outcomes, run -> run.last().local()),
                        figure("costPerEpoch", outcomes, Outcome::costPerEpoch),
                        figure("oracleCostPerEpoch", outcomes, Outcome::oracleCostPerEpoch),
                        figure("regret", outcomes, Outcome::regret),
                        figure("windowsToConverge", outcomes, run -> run.convergence()
                                .windows()),
                        figure("costUntilConverged", outcomes, run -> run.convergence()
                                .cost()),
                        figure("changesFollowed", outcomes, Outcome::changesFollowed),
                        figure("converged", outcomes, run -> run.convergence().reached() ? 1 : 0),
                        figure("changesAfterConvergence", outcomes, run -> run.convergence()
                                .changesAfter()),
                        figure("atRest", outcomes, Summary::atRest),
                        figure("windows", outcomes, Outcome::windows),
                        figure("droppedWindows", outcomes, Outcome::droppedWindows),
                        figure("seconds", outcomes, Outcome::seconds),
                        figure("spent", outcomes, Outcome::spent)));
    }

    /** The figure of that name. */
    public Figure figure(String name) {
        return figures.stream()
                .filter(figure -> figure.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no figure " + name));
    }

    /** It came to rest, and moved no more while the world stayed as it was. */
    private static double atRest(Outcome run) {
        return run.convergence().reached() && run.convergence().changesAfter() == 0 ? 1 : 0;
    }

    private static Figure figure(String name, List<Outcome> outcomes, ToDoubleFunction<Outcome> of) {
        if (outcomes.isEmpty()) {
            throw new IllegalArgumentException("there is no run to summarise");
        }
        double[] sorted = outcomes.stream().mapToDouble(of).sorted().toArray();
        double sum = 0;
        for (double value : sorted) {
            sum += value;
        }
        int rank = (int) Math.ceil(0.95 * sorted.length);
        return new Figure(name, sum / sorted.length, sorted[rank - 1]);
    }
}
