package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What each target would be worth by a model, over what the model is unsure of. What the goal makes small, for an element:
 *
 * <pre>
 *   COST      money per hour / rate            money per hour = clientPerHour + R x remotePerHour + egress; of a host that
 *                                              costs nothing {@value #FREE_HOST} x remotePerHour
 *   TIME      1 / rate                         and a hair of the money without egress, so that the cheapest of equally fast
 *                                              ones wins
 *   BALANCED  money per hour / rate / rate
 *
 *   egress    = 3600 x rate x remote share x bytes per element x egressPerGb / 10^9         for an hour
 *   remote share = max(0, rate - local(L)) / rate             of the elements: local workers are drained first
 * </pre>
 *
 * <p>Bytes per element are the median of the windows; egress is not counted until one has told them.
 *
 * <p>For a number of local workers each of these falls or rises steadily with R, or rises and then falls, until supply meets
 * the trainer's rate, and rises from there on. So the best R is none, all that there may be, or where the two meet: only
 * those, and some beside the last for what the model is unsure of, are looked at; and some about where more remote workers
 * were seen to bring less.
 */
final class ExpectedImprovement {
    /** Of a normal distribution, with {@link #SHARES}: exact for polynomials of degree 9. */
    private static final double[] POINTS = {-2.856970, -1.355626, 0, 1.355626, 2.856970};

    private static final double[] SHARES = {0.01125741, 0.2220759, 0.5333333, 0.2220759, 0.01125741};

    /** The same with fewer points, exact for polynomials of degree 5. */
    private static final double[] FEW_POINTS = {-1.732051, 0, 1.732051};

    private static final double[] FEW_SHARES = {1.0 / 6, 2.0 / 3, 1.0 / 6};

    /** So much of the money counts where time does. */
    private static final double HAIR = 0.02;

    /** Of an hour of a worker, what an hour of a host that costs nothing counts. */
    private static final double FREE_HOST = 1;

    /** A supply that is very unsure is still not below this share of what is expected. */
    private static final double LEAST_SUPPLY = 0.1;

    private static final int AROUND = 2;

    private final RateModel model;
    private final PolicyState state;
    private final Target most;
    private final double egressPerElement;

    /** By this model, with bytes as most windows have them; until there is a steady one, as the one that is seen has them. */
    static ExpectedImprovement of(RateModel model, PolicyState state, Observation seen, Target most) {
        return new ExpectedImprovement(model, state, bytesPerElement(state, seen), most);
    }

    /**
     * By this model.
     *
     * @param bytesPerElement that come to the trainer; 0 where unknown
     * @param most workers that there are; a target beyond it gets only these
     */
    ExpectedImprovement(RateModel model, PolicyState state, double bytesPerElement, Target most) {
        this.model = model;
        this.state = state;
        this.most = most;
        egressPerElement = state.terms().prices().egress(bytesPerElement);
    }

    /** The model on which it rests. */
    RateModel model() {
        return model;
    }

    /** Money for so long with these workers, at the rate that is expected. */
    double cost(Target workers, double seconds) {
        return state.terms().prices().cost(workers, seconds) + seconds / 3600 * egressPerHour(workers);
    }

    /** What of that, in an hour, is for bytes from remote workers. */
    double egressPerHour(Target workers) {
        return egressPerHour(model.rate(workers), model.local(workers.local()));
    }

    private double egressPerHour(double rate, double localRate) {
        return 3600 * egressPerElement * Math.max(0, rate - localRate);
    }

    /**
     * What a target would be worth beside another.
     *
     * @param target in question
     * @param gain expected, as a share of what the other is worth: below 0 where it is worse
     * @param hope what is expected to be gained if it is taken only where it turns out better, as a share
     * @param confidence that it is better, 0 to 1
     */
    record Prospect(Target target, double gain, double hope, double confidence) {}

    /**
     * All that may be best, beside {@code now}; that itself is not among them. What is unsure of the trainer is unsure for
     * both in the same way, but for what more or fewer local workers change; and that they never make it faster is sure.
     */
    List<Prospect> prospects(Target now) {
        Target here = served(now);
        double[] trainerNow = new double[FEW_POINTS.length];
        double errorNow = Math.sqrt(model.trainerCovariance(here.local(), here.local()));
        for (int i = 0; i < FEW_POINTS.length; i++) {
            trainerNow[i] = StrictMath.exp(model.trainerLog(here.local()) + FEW_POINTS[i] * errorNow);
        }
        double[] suppliesNow = supplies(here);
        double localNow = localShare(here);
        double[][] worthNow = new double[FEW_POINTS.length][POINTS.length];
        double expectedNow = 0;
        for (int i = 0; i < FEW_POINTS.length; i++) {
            for (int k = 0; k < POINTS.length; k++) {
                worthNow[i][k] = worth(here.remote(), trainerNow[i], suppliesNow[k], localNow);
                expectedNow += FEW_SHARES[i] * SHARES[k] * worthNow[i][k];
            }
        }
        List<Prospect> prospects = new ArrayList<>();
        for (int local : model.locals()) {
            double[][] beside = trainers(trainerNow, errorNow, here.local(), Math.min(local, most.local()));
            for (Target target : candidates(now, local)) {
                prospects.add(prospect(target, beside, worthNow, expectedNow));
            }
        }
        return prospects;
    }

    private Prospect prospect(Target target, double[][] trainers, double[][] worthNow, double expectedNow) {
        Target there = served(target);
        double[] supplies = supplies(there);
        double local = localShare(there);
        double expected = 0;
        double hope = 0;
        double confidence = 0;
        for (int i = 0; i < FEW_POINTS.length; i++) {
            for (int j = 0; j < FEW_POINTS.length; j++) {
                for (int k = 0; k < POINTS.length; k++) {
                    double share = FEW_SHARES[i] * FEW_SHARES[j] * SHARES[k];
                    double worth = worth(there.remote(), trainers[i][j], supplies[k], local);
                    expected += share * worth;
                    if (worth < worthNow[i][k]) {
                        hope += share * (worthNow[i][k] - worth);
                        confidence += share;
                    }
                }
            }
        }
        return new Prospect(target, 1 - expected / expectedNow, hope / expectedNow, confidence);
    }

    /** The trainer's rate beside other local workers: for each of its rates now, what that may become. */
    private double[][] trainers(double[] trainerNow, double errorNow, int here, int there) {
        double[][] rates = new double[FEW_POINTS.length][FEW_POINTS.length];
        double common = model.trainerCovariance(here, there) / errorNow;
        double own = Math.sqrt(Math.max(0, model.trainerCovariance(there, there) - common * common));
        double step = model.trainerLog(there) - model.trainerLog(here);
        for (int i = 0; i < FEW_POINTS.length; i++) {
            for (int j = 0; j < FEW_POINTS.length; j++) {
                double log = step + FEW_POINTS[i] * (common - errorNow) + FEW_POINTS[j] * own;
                double possible = there > here ? Math.min(0, log) : Math.max(0, log);
                rates[i][j] = trainerNow[i] * (there == here ? 1 : StrictMath.exp(possible));
            }
        }
        return rates;
    }

    private double[] supplies(Target target) {
        double supply = model.supply(target);
        double error = model.supplyError(target);
        double[] supplies = new double[POINTS.length];
        for (int i = 0; i < POINTS.length; i++) {
            supplies[i] = Math.max(LEAST_SUPPLY * supply, supply + POINTS[i] * error);
        }
        return supplies;
    }

    /** Of what these workers make, the share of the local ones: what is unsure of the sum is unsure of both alike. */
    private double localShare(Target workers) {
        return Math.min(1, model.local(workers.local()) / model.supply(workers));
    }

    private Target served(Target wanted) {
        return new Target(Math.min(wanted.remote(), most.remote()), Math.min(wanted.local(), most.local()));
    }

    /** Whether the terms and what the job reads allow so many workers. */
    boolean allowed(Target target) {
        Limits limits = state.terms().limits();
        int workers = target.workers();
        return workers > 0
                && target.remote() <= limits.maxRemote()
                && target.local() <= limits.maxLocal()
                && (workers == 1 || !state.plan().singleTask())
                && (workers == 1 || workers <= state.plan().splits());
    }

    private List<Target> candidates(Target now, int local) {
        int come = Math.min(local, most.local());
        long splits = Math.max(0, state.plan().splits() - local);
        int maxRemote = (int) Math.min(state.terms().limits().maxRemote(), splits);
        int meet = model.remotesFor(model.trainer(come) - model.local(come), maxRemote);
        SortedSet<Integer> remotes = new TreeSet<>(List.of(0, 1, now.remote()));
        for (int remote = meet - AROUND; remote <= meet + AROUND; remote++) {
            remotes.add(remote);
        }
        for (int bend : model.bends()) {
            remotes.addAll(List.of(bend / 2, bend - 1, bend, bend + 1, bend + bend / 4));
        }
        return remotes.stream()
                .filter(remote -> remote >= 0)
                .map(remote -> new Target(remote, local))
                .filter(target -> !target.equals(now) && allowed(target))
                .toList();
    }

    /**
     * What the goal makes small. Where the host costs nothing its hour still counts a little, or it would be all the same how
     * long the trainer waits; where neither host nor workers do, an hour counts as 1 beside its egress.
     */
    private double worth(int remote, double trainer, double supply, double localShare) {
        Terms.Prices prices = state.terms().prices();
        double rate = Math.min(trainer, supply);
        double host = prices.clientPerHour() > 0 ? prices.clientPerHour() : FREE_HOST * prices.remotePerHour();
        double unit = host + prices.remotePerHour();
        double paid = unit > 0 ? (host + remote * prices.remotePerHour()) / unit : 1 + HAIR * remote;
        double egress = egressPerHour(rate, localShare * supply) / (unit > 0 ? unit : 1);
        return switch (state.terms().goal()) {
            case COST -> (paid + egress) / rate;
            case TIME -> (1 + HAIR * (unit > 0 ? paid : remote)) / rate;
            case BALANCED -> (paid + egress) / rate / rate;
        };
    }

    private static double bytesPerElement(PolicyState state, Observation seen) {
        double[] steady = state.windows().stream()
                .filter(ExpectedImprovement::tellsBytes)
                .mapToDouble(ExpectedImprovement::bytesPerElement)
                .toArray();
        if (steady.length > 0) {
            return Medians.median(steady);
        }
        return seen instanceof WindowClosed window && tellsBytes(window) ? bytesPerElement(window) : 0;
    }

    private static boolean tellsBytes(WindowClosed window) {
        return window.bytes() > 0 && window.elements() > 0;
    }

    private static double bytesPerElement(WindowClosed window) {
        return (double) window.bytes() / window.elements();
    }
}
