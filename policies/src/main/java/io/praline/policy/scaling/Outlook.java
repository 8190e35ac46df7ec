package io.praline.policy.scaling;

import io.praline.policy.JobState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * What each target would be worth by a fit, over what the fit is unsure of. What the goal makes small, for an element:
 *
 * <pre>
 *   COST      money per hour / rate            money per hour = clientPerHour + R x remotePerHour
 *   TIME      1 / rate                         and a hair of the money, so that the cheapest of equally fast ones wins
 *   BALANCED  money per hour / rate / rate
 * </pre>
 *
 * <p>For a number of local workers each of these falls or rises steadily with R, or rises and then falls, until supply meets
 * the trainer's rate, and rises from there on. So the best R is none, all that there may be, or where the two meet: only
 * those, and some beside the last for what the fit is unsure of, are looked at.
 */
final class Outlook {
    /** Of a normal distribution, with {@link #SHARES}: exact for polynomials of degree 9. */
    private static final double[] POINTS = {-2.856970, -1.355626, 0, 1.355626, 2.856970};

    private static final double[] SHARES = {0.01125741, 0.2220759, 0.5333333, 0.2220759, 0.01125741};

    /** So much of the money counts where time does. */
    private static final double HAIR = 0.02;

    /** A supply that is very unsure is still not below this share of what is expected. */
    private static final double LEAST_SUPPLY = 0.1;

    private static final int AROUND = 2;

    private final Fit fit;
    private final JobState state;
    private final Target most;
    private final int[] locals;
    private final double[][] trainer;

    /** @param most workers that there are; a target beyond it gets only these */
    Outlook(Fit fit, JobState state, Target most) {
        this.fit = fit;
        this.state = state;
        this.most = most;
        locals = fit.locals();
        trainer = new double[locals.length][];
        for (int i = 0; i < locals.length; i++) {
            trainer[i] = trainer(locals[i]);
        }
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

    /** All that may be best, beside {@code now}; that itself is not among them. */
    List<Prospect> prospects(Target now) {
        double[] worthNow = worth(now);
        double expectedNow = expected(worthNow);
        List<Prospect> prospects = new ArrayList<>();
        for (Target target : candidates(now)) {
            double[] worth = worth(target);
            double hope = 0;
            double confidence = 0;
            for (int i = 0; i < worth.length; i++) {
                if (worth[i] < worthNow[i]) {
                    hope += share(i) * (worthNow[i] - worth[i]);
                    confidence += share(i);
                }
            }
            prospects.add(new Prospect(
                    target, 1 - expected(worth) / expectedNow, hope / expectedNow, confidence));
        }
        return prospects;
    }

    boolean allowed(Target target) {
        Limits limits = state.terms().limits();
        int workers = target.workers();
        return workers > 0
                && target.remote() <= limits.maxRemote()
                && target.local() <= limits.maxLocal()
                && (workers == 1 || !state.plan().singleTask())
                && (workers == 1 || workers <= state.plan().splits());
    }

    private List<Target> candidates(Target now) {
        List<Target> candidates = new ArrayList<>();
        for (int local : locals) {
            double perRemote = fit.remote();
            int meet = (int) Math.min(1e6, Math.ceil((fit.trainer(local) - fit.local(local)) / perRemote));
            int maxRemote = state.terms().limits().maxRemote();
            int splits = (int) Math.min(maxRemote, Math.max(1, state.plan().splits() - local));
            add(candidates, new Target(0, local), now);
            add(candidates, new Target(1, local), now);
            int from = Math.max(2, Math.min(splits, meet) - AROUND);
            int to = Math.min(splits, Math.max(meet + AROUND, 0));
            for (int remote = from; remote <= to; remote++) {
                add(candidates, new Target(remote, local), now);
            }
            if (now.remote() < from || now.remote() > to) {
                add(candidates, new Target(now.remote(), local), now);
            }
        }
        return candidates;
    }

    private void add(List<Target> candidates, Target target, Target now) {
        if (!target.equals(now) && allowed(target)) {
            candidates.add(target);
        }
    }

    private double[] worth(Target wanted) {
        Target target = new Target(Math.min(wanted.remote(), most.remote()), Math.min(wanted.local(), most.local()));
        double supply = fit.supply(target);
        double error = fit.supplyError(target);
        double[] trainers = trainerOf(target.local());
        double[] worth = new double[POINTS.length * POINTS.length];
        for (int i = 0; i < POINTS.length; i++) {
            double supplied = Math.max(LEAST_SUPPLY * supply, supply + POINTS[i] * error);
            for (int j = 0; j < POINTS.length; j++) {
                worth[i * POINTS.length + j] =
                        worth(state.terms(), target.remote(), Math.min(supplied, trainers[j]));
            }
        }
        return worth;
    }

    /** What the goal makes small. */
    static double worth(Terms terms, int remote, double rate) {
        double money = terms.prices().clientPerHour() + remote * terms.prices().remotePerHour();
        double unit = terms.prices().clientPerHour() + terms.prices().remotePerHour();
        double paid = unit > 0 ? money / unit : 1;
        return switch (terms.goal()) {
            case COST -> (unit > 0 ? paid : 1 + HAIR * remote) / rate;
            case TIME -> (1 + HAIR * (unit > 0 ? paid : remote)) / rate;
            case BALANCED -> (unit > 0 ? paid : 1 + HAIR * remote) / rate / rate;
        };
    }

    private double[] trainerOf(int local) {
        for (int i = 0; i < locals.length; i++) {
            if (locals[i] == local) {
                return trainer[i];
            }
        }
        return trainer(local);
    }

    private double[] trainer(int local) {
        double log = fit.trainerLog(local);
        double error = fit.trainerError(local);
        double[] rates = new double[POINTS.length];
        for (int i = 0; i < POINTS.length; i++) {
            rates[i] = StrictMath.exp(log + POINTS[i] * error);
        }
        return rates;
    }

    private static double expected(double[] worth) {
        double sum = 0;
        for (int i = 0; i < worth.length; i++) {
            sum += share(i) * worth[i];
        }
        return sum;
    }

    private static double share(int index) {
        return SHARES[index / POINTS.length] * SHARES[index % POINTS.length];
    }
}
