package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import java.util.Optional;

/**
 * When what is measured is no noise around the model any more, and what it is corrected to:
 *
 * <pre>
 *   off       = log(measured / modelled)                of the trainer's rate, or else of the job's: about a share
 *   tolerance = max(share, {@value #NOISES} x noise of the windows before the last {@value #LATELY})
 *   departed    if off is beyond the tolerance, all on one side, in the last {@value #IN_ROW} windows or all but one of the
 *               last {@value #LATELY}
 *   corrected   the trainer's rate x e^(median of off); or the workers' rates by what they make for what they should
 *   contradicts if |log(supply with a worker's clock / supply without)| &gt; share
 * </pre>
 *
 * @param share by which a rate must have moved, whatever the noise
 */
record Departure(double share) {
    private static final int LATELY = 5;
    private static final int IN_ROW = 3;
    private static final double NOISES = 3;

    /** Whether what it rested upon was another model than the one that goes by this rate too. */
    boolean contradicts(RateModel before, RateModel after, RateMeasured rate) {
        Target one = rate.local() ? new Target(0, rate.beside()) : new Target(1, 0);
        return Math.abs(StrictMath.log(after.supply(one) / before.supply(one))) > share;
    }

    /** What is learned now, if the last windows are not what the model expects: all is open again. */
    Optional<FittedMemory> from(RateModel model, PolicyState state, FittedMemory learned, RecentWindows recent) {
        RecentWindows lately = recent.last(LATELY);
        if (lately.windows().size() < LATELY || !model.known()) {
            return Optional.empty();
        }
        double tolerance = Math.max(share, NOISES * recent.before(LATELY).noise());
        double[] trainer = lately.logs(
                one -> lately.trainerRate(one) / model.trainer(one.tasks().local()));
        if (departs(trainer, tolerance)) {
            FittedMemory scaled = learned.scaled(1, StrictMath.exp(Medians.median(trainer)));
            return Optional.of(reopened(state, scaled, since(lately, trainer)));
        }
        double[] rate = lately.logs(one -> lately.lastingRate(one) / model.rate(one.tasks()));
        if (departs(rate, tolerance)) {
            double moved = Medians.median(lately.logs(one -> lately.lastingRate(one) / model.supply(one.tasks())));
            return Optional.of(reopened(state, learned.scaled(StrictMath.exp(moved), 1), since(lately, rate)));
        }
        return Optional.empty();
    }

    /** All of the last few, or all but one of the last some, are off on the same side: that is no chance. */
    private static boolean departs(double[] logs, double tolerance) {
        double side = Math.signum(Medians.median(logs));
        int off = 0;
        int inRow = 0;
        for (double log : logs) {
            boolean away = log * side > tolerance;
            off += away ? 1 : 0;
            inRow = away ? inRow + 1 : 0;
        }
        return inRow >= IN_ROW || off >= LATELY - 1;
    }

    /** When the first of those windows closed that departed as they all did. */
    private static long since(RecentWindows lately, double[] logs) {
        double half = Medians.median(logs) / 2;
        int first = 0;
        while (half > 0 ? logs[first] < half : logs[first] > half) {
            first++;
        }
        return lately.windows().get(first).window().at().toEpochMilli();
    }

    private static FittedMemory reopened(PolicyState state, FittedMemory learned, long sinceMillis) {
        RecentWindows recent = RecentWindows.of(state, sinceMillis);
        Target tasks = recent.windows().get(recent.windows().size() - 1).tasks();
        return learned.with(learned.progress().reopened(sinceMillis))
                .with(recent.of(tasks).point());
    }
}
