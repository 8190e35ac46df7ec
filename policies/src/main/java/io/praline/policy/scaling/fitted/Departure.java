package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Rate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * When what is measured is no noise around the model any more, and what it is corrected to:
 *
 * <pre>
 *   off       = log(measured / modelled)                of the trainer's rate, or else of the job's: about a share
 *   tolerance = max(share, {@value #NOISES} x noise of the windows before the last {@value #LATELY})
 *   departed    if off is beyond the tolerance, all on one side, in the last {@value #IN_ROW} windows or all but one of the
 *               last {@value #LATELY}
 *   corrected   the trainer's rate x e^(median of the last {@value #IN_ROW} off); or the workers' rates by what they made then
 *               for what they should
 *   contradicts if |log(supply with a worker's clock / supply without)| &gt; share
 *   moved       if more than half of the workers that told a rate before it came to rest and told another one since, two at
 *               least where there are as many, are off by more than the share on the same side
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

    /** Whether the very workers that it rested upon make more than they did, or less: what windows told of them is past. */
    boolean moved(List<Rate> atRest, List<Rate> now) {
        int known = 0;
        int more = 0;
        int less = 0;
        for (Rate before : atRest) {
            Optional<Rate> its = now.stream()
                    .filter(rate -> rate.worker().equals(before.worker()))
                    .findFirst();
            double off = its.map(rate -> StrictMath.log(rate.elementsPerSecond() / before.elementsPerSecond()))
                    .orElse(0.0);
            known += its.isPresent() ? 1 : 0;
            more += off > share ? 1 : 0;
            less += off < -share ? 1 : 0;
        }
        int most = Math.max(more, less);
        return most > 0 && most >= Math.min(2, atRest.size()) && 2 * most > known;
    }

    /** What is learned now, if the last windows are not what the model expects: all is open again. */
    Optional<FittedMemory> from(RateModel model, PolicyState state, FittedMemory learned, RecentWindows recent) {
        RecentWindows lately = recent.last(LATELY);
        if (lately.windows().size() < LATELY || !model.known()) {
            return Optional.empty();
        }
        double tolerance = Math.max(share, NOISES * recent.before(LATELY).noise());
        double[] trainer =
                lately.logs(one -> one.trainerRate() / model.trainer(one.tasks().local()));
        if (departs(trainer, tolerance)) {
            FittedMemory scaled = learned.scaled(1, StrictMath.exp(lastly(trainer)));
            return Optional.of(reopened(state, scaled, since(lately, trainer)));
        }
        double[] rate = lately.logs(one -> one.lastingRate() / model.rate(one.tasks()));
        if (departs(rate, tolerance)) {
            double moved = lastly(lately.logs(one -> one.lastingRate() / model.supply(one.tasks())));
            return Optional.of(reopened(state, learned.scaled(StrictMath.exp(moved), 1), since(lately, rate)));
        }
        return Optional.empty();
    }

    /** All of the last few, or all but one of the last some, are off on the same side: that is no chance. */
    private static boolean departs(double[] logs, double tolerance) {
        double side = Math.signum(lastly(logs));
        int off = 0;
        int inRow = 0;
        for (double log : logs) {
            boolean away = log * side > tolerance;
            off += away ? 1 : 0;
            inRow = away ? inRow + 1 : 0;
        }
        return inRow >= IN_ROW || off >= LATELY - 1;
    }

    /** Of windows that departed, the first may tell of a time in which not all had changed yet: the last ones count. */
    private static double lastly(double[] logs) {
        return Medians.median(Arrays.copyOfRange(logs, logs.length - IN_ROW, logs.length));
    }

    /** When the first of those windows closed that departed as they all did. */
    private static long since(RecentWindows lately, double[] logs) {
        double half = lastly(logs) / 2;
        int first = 0;
        while (half > 0 ? logs[first] < half : logs[first] > half) {
            first++;
        }
        return lately.windows().get(first).from().toEpochMilli();
    }

    private static FittedMemory reopened(PolicyState state, FittedMemory learned, long sinceMillis) {
        FittedMemory open = learned.with(learned.progress().reopened(sinceMillis));
        RecentWindows recent = RecentWindows.of(state, sinceMillis);
        if (recent.windows().isEmpty()) {
            return open;
        }
        Target tasks = recent.windows().get(recent.windows().size() - 1).tasks();
        return open.with(recent.of(tasks).point());
    }
}
