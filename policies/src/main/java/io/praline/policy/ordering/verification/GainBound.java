package io.praline.policy.ordering.verification;

import java.util.List;
import java.util.Locale;

/**
 * How much faster a variant is, and how sure that is, from pairs of runs of the same work, the user's order and the variant
 * in turns:
 *
 * <pre>
 *   x     = ln(time of the user's order / time of the variant), of each of n pairs
 *   gain  = e^mean(x)
 *   lower = e^(mean(x) - t * deviation(x) / sqrt(n)),  upper with a plus
 *   t     = 90 % quantile of Student's distribution with n - 1 degrees of freedom
 * </pre>
 *
 * So in nine of ten cases the true gain is above {@code lower}, and in nine of ten below {@code upper}. Logarithms make a
 * gain of two and a loss of two equally far from none; a pair's own time tells what else the machine did then.
 *
 * @param pairs that were run
 * @param gain 2 where the variant takes half the time
 * @param lower its bound from below
 * @param upper its bound from above
 */
public record GainBound(int pairs, double gain, double lower, double upper) {
    /** Of fewer the deviation is not known. */
    public static final int FEWEST = 5;

    /** The 90 % quantile of the normal distribution. */
    private static final double NORMAL = 1.2815515655446004;

    /**
     * The same work by both.
     *
     * @param usualNanos by the user's order
     * @param variantNanos by the variant
     */
    public record Pair(long usualNanos, long variantNanos) {
        public Pair {
            if (usualNanos < 1 || variantNanos < 1) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "times must be positive, are %d ns by the user's order and %d ns by the variant",
                        usualNanos,
                        variantNanos));
            }
        }

        private double logRatio() {
            return StrictMath.log((double) usualNanos / variantNanos);
        }
    }

    public static GainBound of(List<Pair> pairs) {
        int n = pairs.size();
        if (n < FEWEST) {
            throw new IllegalArgumentException("a gain's bounds need at least 5 pairs, have " + n);
        }
        double mean = pairs.stream().mapToDouble(Pair::logRatio).sum() / n;
        double squares = pairs.stream()
                .mapToDouble(pair -> (pair.logRatio() - mean) * (pair.logRatio() - mean))
                .sum();
        double margin = quantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
        return new GainBound(n, StrictMath.exp(mean), StrictMath.exp(mean - margin), StrictMath.exp(mean + margin));
    }

    /**
     * By the expansion of Cornish and Fisher around the normal distribution (Abramowitz and Stegun 26.7.5), which from four
     * degrees of freedom on is off by less than 0.001.
     */
    static double quantile(int degrees) {
        double z = NORMAL;
        double square = z * z;
        double first = z * (square + 1) / 4;
        double second = z * ((5 * square + 16) * square + 3) / 96;
        double third = z * (((3 * square + 19) * square + 17) * square - 15) / 384;
        double inverse = 1.0 / degrees;
        return z + inverse * (first + inverse * (second + inverse * third));
    }
}
