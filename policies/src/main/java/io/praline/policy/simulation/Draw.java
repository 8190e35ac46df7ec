package io.praline.policy.simulation;

import java.util.SplittableRandom;

/** Chance, from a seed: the same seed draws the same on every machine. */
final class Draw {
    /** Of the heavy tail: a factor above x with probability x^-1.5. */
    private static final double TAIL = 1.5;

    private static final double LARGEST_FACTOR = 20;

    /** Garbage is wrong by a factor of 20 to 2000, either way. */
    private static final double ABSURD_FROM = 20;

    private static final double ABSURD_ORDERS = 2;
    private static final double LONGEST_SECONDS = 86_400;

    private final SplittableRandom random;

    Draw(long seed) {
        random = new SplittableRandom(seed);
    }

    private Draw(SplittableRandom random) {
        this.random = random;
    }

    /** Chance of its own: what is drawn from it does not move what is drawn from this. */
    Draw split() {
        return new Draw(random.split());
    }

    boolean happens(double share) {
        return random.nextDouble() < share;
    }

    /** Seconds until something happens that comes once in {@code mean} seconds. */
    double lifetime(double mean) {
        return -mean * StrictMath.log(1 - random.nextDouble());
    }

    /** Around 1, with this standard deviation, never below a tenth. */
    double around1(double deviation) {
        return Math.max(0.1, 1 + deviation * gaussian());
    }

    private double gaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
        return radius * StrictMath.cos(2 * StrictMath.PI * random.nextDouble());
    }

    /** A stall, or batches that lay ready: 1 or more, or as often one over that. */
    double heavyTailed() {
        double factor = Math.min(LARGEST_FACTOR, StrictMath.pow(1 - random.nextDouble(), -1 / TAIL));
        return random.nextBoolean() ? factor : 1 / factor;
    }

    /** A time that cannot be: half of them negative, the others absurd. */
    double nonsense(double seconds) {
        if (random.nextBoolean()) {
            return -seconds * random.nextDouble();
        }
        double factor = ABSURD_FROM * StrictMath.pow(10, ABSURD_ORDERS * random.nextDouble());
        return Math.min(LONGEST_SECONDS, random.nextBoolean() ? seconds * factor : seconds / factor);
    }
}
