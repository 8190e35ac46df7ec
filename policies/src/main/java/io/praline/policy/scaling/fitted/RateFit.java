package io.praline.policy.scaling.fitted;

import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import io.praline.policy.scaling.fitted.FittedMemory.Rate;
import io.praline.policy.scaling.fitted.LeastSquares.Estimate;
import io.praline.policy.scaling.fitted.RateModel.Share;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A {@link RateModel} in the making. Evidence are the workers' own clocks, and windows: the rate of one in which the trainer waited is a supply; elements
 * over the time in which it did not wait are what it takes. Where nothing was measured, it is thought that each local
 * worker brings {@value #NEXT_LOCAL} of what the one before it brought, and that the trainer slows down a little, both with
 * much doubt. Both are solved as least squares over a chain of local workers, in shares of a typical rate and in logarithms.
 *
 * <p>Where windows say that workers make less (or more) than their clocks do, all clocks are corrected by that factor.
 */
final class RateFit {
    /** What a loop that never starves still waits, and what a starved one may have been mismeasured by. */
    private static final double WAIT_ERROR = 0.01;
    /** Deviation of a worker's own clock, as a share. */
    private static final double CLOCK_ERROR = 0.06;
    /** What is less sure than this share is not believed; a lone window is, if it agrees with the workers' clocks to it. */
    private static final double AGREES = 0.2;

    private static final double NEXT_LOCAL = 0.9;
    private static final double NEXT_LOCAL_DEVIATION = 0.15;
    private static final double TRAINER_SLOPE = -0.01;
    private static final double TRAINER_SLOPE_DEVIATION = 0.05;
    private static final double TRAINER_STEP_DEVIATION = 0.01;
    /** Every number of local workers up to here is looked at, from there on in growing steps. */
    private static final int EACH_LOCAL = 12;

    private static final double STEP = 1.3;

    /** Below this share of what is usual a rate is no measure: rounding would lose all others. */
    private static final double LEAST_MADE = 1e-3;

    private final FittedMemory learned;
    private final int[] locals;
    private final double remoteClock;
    private final double remoteUnit;
    private final double localUnit;

    RateFit(FittedMemory learned, int maxLocal) {
        this.learned = learned;
        int most = Math.max(1, maxLocal);
        for (Point point : learned.points()) {
            most = Math.max(most, point.tasks().local());
        }
        if (!learned.localRates().isEmpty()) {
            most = Math.max(most, learned.localRates().lastKey());
        }
        locals = chain(most);
        remoteClock = learned.remoteRates().isEmpty() ? 0 : median(learned.remoteRates());
        double local = 0;
        if (!learned.localRates().isEmpty()) {
            local = median(learned.localRates().get(learned.localRates().firstKey()));
        }
        double any = anyRate(remoteClock, local, learned.points());
        remoteUnit = remoteClock > 0 ? remoteClock : any;
        localUnit = local > 0 ? local : any;
    }

    private static int[] chain(int most) {
        IntStream.Builder places = IntStream.builder();
        int next = 0;
        while (next < most) {
            places.add(next);
            next = next < EACH_LOCAL ? next + 1 : Math.max(next + 1, (int) (next * STEP));
        }
        places.add(most);
        return places.build().toArray();
    }

    private static double anyRate(double remote, double local, List<Point> points) {
        if (remote > 0 || local > 0) {
            return Math.max(remote, local);
        }
        if (points.isEmpty()) {
            return 1;
        }
        Point point = points.get(0);
        return point.rate() / Math.max(1, point.tasks().workers());
    }

    private static double median(List<Rate> rates) {
        return Medians.median(
                rates.stream().mapToDouble(Rate::elementsPerSecond).toArray());
    }

    RateModel fit() {
        List<Point> points =
                learned.points().stream().filter(point -> error(point) < AGREES).toList();
        double factor = clockFactor();
        LeastSquares supply = new LeastSquares(locals.length);
        priorSupply(supply);
        clocks(supply, factor);
        for (Point point : points) {
            if (point.starved()) {
                see(supply, point, point.rate(), error(point));
            }
        }
        Estimate estimate = supply.estimate();
        boolean raised = false;
        for (Point point : points) {
            if (!point.starved() && mean(estimate, point.tasks()) < point.rate()) {
                see(supply, point, point.rate(), error(point));
                raised = true;
            }
        }
        LeastSquares trainer = new LeastSquares(locals.length + 1);
        trainer(trainer, points);
        return new RateModel(
                locals,
                remoteUnit,
                localUnit,
                raised ? supply.estimate() : estimate,
                trainer.estimate(),
                !points.isEmpty(),
                factor,
                points);
    }

    private double mean(Estimate estimate, Target workers) {
        double sum = workers.remote() * remoteUnit * estimate.mean(0);
        for (Share share : RateModel.shares(locals, workers.local())) {
            if (share.index() > 0) {
                sum += localUnit * share.weight() * estimate.mean(share.index());
            }
        }
        return sum;
    }

    /** Place 0 is a remote worker, since none is 0 for certain; the others are the chain's. */
    private void priorSupply(LeastSquares supply) {
        supply.see(1, 1, new int[] {0}, new double[] {1});
        supply.see(1, 1, new int[] {1}, new double[] {1.0 / locals[1]});
        for (int i = 2; i < locals.length; i++) {
            double step = locals[i] - locals[i - 1];
            double before = locals[i - 1] - locals[i - 2];
            double kept = StrictMath.pow(NEXT_LOCAL, (step + before) / 2);
            double deviation = NEXT_LOCAL_DEVIATION * Math.sqrt(step);
            double[] factors = {1 / step, -1 / step - kept / before, kept / before};
            if (i == 2) {
                supply.see(0, deviation, new int[] {i, i - 1}, new double[] {factors[0], factors[1]});
            } else {
                supply.see(0, deviation, new int[] {i, i - 1, i - 2}, factors);
            }
        }
    }

    private void clocks(LeastSquares supply, double factor) {
        if (remoteClock > 0) {
            double value = remoteClock * factor;
            double error = clockError(learned.remoteRates().size());
            supply.see(1, error, new int[] {0}, new double[] {remoteUnit / value});
        }
        for (Map.Entry<Integer, List<Rate>> rates : learned.localRates().entrySet()) {
            double value = median(rates.getValue()) * rates.getKey() * factor;
            double error = clockError(rates.getValue().size());
            Point alone = new Point(new Target(0, rates.getKey()), value, 0, 1, error);
            see(supply, alone, value, error);
        }
    }

    private static double clockError(int measured) {
        return CLOCK_ERROR / Math.sqrt(measured);
    }

    private void see(LeastSquares supply, Point point, double made, double error) {
        double usual = point.tasks().remote() * remoteUnit + point.tasks().local() * localUnit;
        double rate = Math.max(made, LEAST_MADE * usual);
        Share[] shares = RateModel.shares(locals, point.tasks().local());
        int[] unknowns = {0, shares[0].index(), shares[1].index()};
        double[] factors = {
            point.tasks().remote() * remoteUnit / rate,
            shares[0].index() > 0 ? localUnit * shares[0].weight() / rate : 0,
            shares[1].index() > 0 ? localUnit * shares[1].weight() / rate : 0
        };
        supply.see(1, error, unknowns, factors);
    }

    /** What the clocks of these workers say that they make; 0 where not all were measured. */
    private double byClocks(Target workers) {
        double local = 0;
        if (workers.local() > 0) {
            List<Rate> rates = learned.localRates().get(workers.local());
            if (rates == null) {
                return 0;
            }
            local = median(rates) * workers.local();
        }
        return workers.remote() > 0 && remoteClock == 0 ? 0 : workers.remote() * remoteClock + local;
    }

    /** A lone window that the workers' clocks confirm when it closes is as good as two, whatever they tell later. */
    static Point confirmed(FittedMemory learned, Point point) {
        double error = new RateFit(learned.with(point), 0).error(point);
        return new Point(point.tasks(), point.rate(), point.trainerRate(), point.waitShare(), error);
    }

    private double error(Point point) {
        double clocks = byClocks(point.tasks());
        boolean agrees = point.starved() && clocks > 0 && Math.abs(point.rate() / clocks - 1) < AGREES;
        return agrees ? Math.min(point.error(), CLOCK_ERROR) : point.error();
    }

    /** 1 while what windows say is within the errors of the clocks. */
    private double clockFactor() {
        double[] logs = learned.points().stream()
                .filter(point -> point.starved() && point.error() < AGREES && byClocks(point.tasks()) > 0)
                .mapToDouble(point -> StrictMath.log(point.rate() / byClocks(point.tasks())))
                .toArray();
        if (logs.length == 0) {
            return 1;
        }
        double log = Medians.median(logs);
        double doubt = 2 * CLOCK_ERROR / log;
        return StrictMath.exp(log * Math.max(0, 1 - doubt * doubt));
    }

    /** Unknown 0 is the slope, the others the chain's. */
    private void trainer(LeastSquares trainer, List<Point> points) {
        double level = points.isEmpty() ? 0 : StrictMath.log(points.get(0).trainerRate());
        trainer.see(level, 3, new int[] {1}, new double[] {1});
        trainer.see(TRAINER_SLOPE, TRAINER_SLOPE_DEVIATION, new int[] {0}, new double[] {1});
        for (int i = 1; i < locals.length; i++) {
            double step = locals[i] - locals[i - 1];
            trainer.see(
                    0, TRAINER_STEP_DEVIATION * Math.sqrt(step), new int[] {i + 1, i, 0}, new double[] {1, -1, -step});
        }
        for (Point point : points) {
            Share[] shares = RateModel.shares(locals, point.tasks().local());
            double error = error(point);
            double wait = WAIT_ERROR / Math.max(WAIT_ERROR, 1 - point.waitShare());
            trainer.see(
                    StrictMath.log(point.trainerRate()),
                    Math.sqrt(error * error + wait * wait),
                    new int[] {shares[0].index() + 1, shares[1].index() + 1},
                    new double[] {shares[0].weight(), shares[1].weight()});
        }
    }
}
