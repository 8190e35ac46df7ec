package io.praline.policy.scaling.fitted;

import java.util.Arrays;

/** The middle of a few numbers, which one wild number does not move. */
final class Medians {
    /** Standard deviation of a normal distribution over the median distance from its middle. */
    private static final double NORMAL = 1.4826;

    private Medians() {}

    static double median(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Standard deviation of most of them: by the median distance from the median. */
    static double deviation(double[] numbers) {
        double middle = median(numbers);
        double[] distances = numbers.clone();
        for (int i = 0; i < distances.length; i++) {
            distances[i] = Math.abs(distances[i] - middle);
        }
        return NORMAL * median(distances);
    }
}
