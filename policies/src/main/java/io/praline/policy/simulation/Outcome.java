package io.praline.policy.simulation;

import io.praline.policy.Target;

/**
 * How well a policy did in one run. Costs are those of the true world, without noise.
 *
 * @param last target of the run
 * @param costPerEpoch mean over the windows since the policy came to rest in the last world; over the last
 *     {@value Convergence#HOLD} where it never did
 * @param oracleCostPerEpoch with the best workers of the last world
 * @param regret what the job's goal makes small, over that of the best workers, less 1
 * @param convergence in the first world
 * @param changesFollowed changes of the world after which the target was good again within few windows
 * @param windows in all; those in which the workers changed are not counted
 * @param droppedWindows that were refused
 * @param seconds that it took
 * @param spent money in all
 */
public record Outcome(
        Target last,
        double costPerEpoch,
        double oracleCostPerEpoch,
        double regret,
        Convergence convergence,
        int changesFollowed,
        int windows,
        int droppedWindows,
        double seconds,
        double spent) {}
