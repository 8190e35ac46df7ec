package io.praline.policy.scaling.fitted;

import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import io.praline.policy.scaling.fitted.LeastSquares.Estimate;
import java.util.List;
import java.util.Optional;

/**
 * A job's small model, with the uncertainty of each of its parts:
 *
 * <pre>
 *   rate(R, L) = min(trainer(L), supply(R, L))       elements/s
 *   supply(R, L) = remote(R) + local(L)              what R remote and L local workers make
 *   trainer(L)                                       what the trainer takes when it never waits, beside L local workers
 * </pre>
 *
 * <p>How it is fitted to what was learned, see {@link RateFit}; where more remote workers were seen to bring less and less, what
 * they bring together goes by {@link RemoteCurve}.
 */
final class RateModel {
    /** A trainer that waits for less than this share of its time is as fast as it can be. */
    static final double STARVED = 0.08;

    private final int[] locals;
    private final double remoteUnit;
    private final double localUnit;
    private final Estimate supply;
    private final Estimate trainer;
    private final boolean trainerKnown;
    private final double clockFactor;
    private final Optional<RemoteCurve> curve;

    RateModel(
            int[] locals,
            double remoteUnit,
            double localUnit,
            Estimate supply,
            Estimate trainer,
            boolean trainerKnown,
            double clockFactor,
            List<Point> believed) {
        this.locals = locals;
        this.remoteUnit = remoteUnit;
        this.localUnit = localUnit;
        this.supply = supply;
        this.trainer = trainer;
        this.trainerKnown = trainerKnown;
        this.clockFactor = clockFactor;
        curve = RemoteCurve.of(believed, this::local, this::localError);
    }

    /** From what was learned, for numbers of local workers up to {@code maxLocal} or what was seen. */
    static RateModel of(FittedMemory learned, int maxLocal) {
        return new RateFit(learned, maxLocal).fit();
    }

    /** Whether a trainer's rate was measured, and believed. Until then nothing can be planned. */
    boolean known() {
        return trainerKnown;
    }

    /** What windows say of the workers' rates, over what their own clocks say. */
    double clockFactor() {
        return clockFactor;
    }

    /** Numbers of local workers that are told apart, from 0. */
    int[] locals() {
        return locals.clone();
    }

    /** Elements/s of so many remote workers together. */
    double remote(int workers) {
        double each = Math.max(remoteUnit * 1e-3, remoteUnit * supply.mean(0));
        return curve.map(seen -> seen.at(workers)).orElse(each * workers);
    }

    /** Elements/s of each of so many remote workers, or of one. */
    double eachRemote(int workers) {
        return remote(Math.max(1, workers)) / Math.max(1, workers);
    }

    /** The fewest remote workers that make so much together; {@code most} where not even these do. */
    int remotesFor(double elementsPerSecond, int most) {
        if (curve.isEmpty()) {
            return (int) Math.min(most, Math.max(0, Math.ceil(elementsPerSecond / remote(1))));
        }
        int tooFew = -1;
        int enough = most;
        while (enough - tooFew > 1) {
            int middle = tooFew + (enough - tooFew) / 2;
            if (remote(middle) < elementsPerSecond) {
                tooFew = middle;
            } else {
                enough = middle;
            }
        }
        return enough;
    }

    /** Numbers of remote workers at which what they bring bends. */
    List<Integer> bends() {
        return curve.map(RemoteCurve::workers).orElse(List.of());
    }

    /** Elements/s of so many local workers together. */
    double local(int workers) {
        double sum = 0;
        for (Share share : shares(workers)) {
            if (share.index > 0) {
                sum += share.weight * supply.mean(share.index);
            }
        }
        return Math.max(0, localUnit * sum);
    }

    /** Standard deviation of the same. */
    private double localError(int workers) {
        Share[] shares = shares(workers);
        int[] unknowns = {shares[0].index, shares[1].index};
        double[] factors = {localFactor(shares[0]), localFactor(shares[1])};
        return Math.sqrt(Math.max(0, variance(supply, unknowns, factors)));
    }

    /** Place 0 stands for a remote worker in the supply. */
    private double localFactor(Share share) {
        return share.index > 0 ? localUnit * share.weight : 0;
    }

    /** Elements/s that these workers make. */
    double supply(Target workers) {
        return Math.max(1e-9, remote(workers.remote()) + local(workers.local()));
    }

    /** Standard deviation of the same. */
    double supplyError(Target workers) {
        Share[] shares = shares(workers.local());
        int[] unknowns = {0, shares[0].index, shares[1].index};
        double[] factors = {remoteUnit * workers.remote(), localFactor(shares[0]), localFactor(shares[1])};
        double bent = curve.map(seen -> seen.error(workers.remote())).orElse(0.0);
        if (bent > 0) {
            factors[0] = 0;
        }
        return Math.sqrt(Math.max(0, variance(supply, unknowns, factors)) + bent * bent);
    }

    /** Logarithm of the elements/s that the trainer takes beside so many local workers. */
    double trainerLog(int workers) {
        double sum = 0;
        for (Share share : shares(workers)) {
            sum += share.weight * trainer.mean(share.index + 1);
        }
        return sum;
    }

    /** How that and the same for other numbers of local workers are wrong together, squared; about shares of the rate. */
    double trainerCovariance(int workers, int others) {
        double sum = 0;
        for (Share one : shares(workers)) {
            for (Share other : shares(others)) {
                sum += one.weight * other.weight * trainer.covariance(one.index + 1, other.index + 1);
            }
        }
        return sum;
    }

    /** Elements/s that the trainer takes beside so many local workers. */
    double trainer(int workers) {
        return StrictMath.exp(trainerLog(workers));
    }

    /** Elements/s with these workers. */
    double rate(Target workers) {
        return Math.min(trainer(workers.local()), supply(workers));
    }

    private static double variance(Estimate of, int[] unknowns, double[] factors) {
        double sum = 0;
        for (int i = 0; i < unknowns.length; i++) {
            for (int j = 0; j < unknowns.length; j++) {
                sum += factors[i] * factors[j] * of.covariance(unknowns[i], unknowns[j]);
            }
        }
        return sum;
    }

    private Share[] shares(int workers) {
        return shares(locals, workers);
    }

    /** A place in the chain of local workers, and how much of it. */
    record Share(int index, double weight) {}

    /** Between two places of the chain, as much of each as it is near. */
    static Share[] shares(int[] locals, int workers) {
        int above = 0;
        while (above < locals.length - 1 && locals[above] < workers) {
            above++;
        }
        if (locals[above] <= workers || above == 0) {
            return new Share[] {new Share(above, 1), new Share(above, 0)};
        }
        double weight = (workers - locals[above - 1]) / (double) (locals[above] - locals[above - 1]);
        return new Share[] {new Share(above - 1, 1 - weight), new Share(above, weight)};
    }
}
