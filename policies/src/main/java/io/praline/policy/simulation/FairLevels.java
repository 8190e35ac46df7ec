package io.praline.policy.simulation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Weighted max-min in fractions of workers, to measure a division by:
 *
 * <pre>
 *   share = min(wish, weight x level)       with the level at which the shares add up to the workers
 * </pre>
 */
final class FairLevels {
    private FairLevels() {}

    static double[] shares(double[] wishes, double[] weights, double workers) {
        int[] order = IntStream.range(0, wishes.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> wishes[i] / weights[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double left = workers;
        double weightLeft = Arrays.stream(weights).sum();
        double[] shares = new double[wishes.length];
        for (int i : order) {
            shares[i] = Math.min(wishes[i], left * weights[i] / weightLeft);
            left -= shares[i];
            weightLeft -= weights[i];
        }
        return shares;
    }
}
