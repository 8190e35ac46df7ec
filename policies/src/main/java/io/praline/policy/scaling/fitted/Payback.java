package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.ExpectedImprovement.Prospect;

/**
 * Whether a change brings in what it costs; all in seconds of the job as it is:
 *
 * <pre>
 *   pays  if gained x horizonSeconds &gt; {@value #CHANGE_SECONDS} + start + lost      gained is a share of what the goal asks for
 *   start = remote workers more x remotePerHour / cost of an hour now x startSeconds
 *   lost  = max(0, -gain expected) x {@value #TRIAL_WINDOWS} x seconds of a window, median
 * </pre>
 *
 * @param horizonSeconds in which a change must bring in what it costs
 * @param startSeconds for which a remote worker is paid before it serves
 */
record Payback(double horizonSeconds, double startSeconds) {
    /** Windows for which a trial lasts, to be believed and undone. */
    private static final int TRIAL_WINDOWS = 3;

    /** Seconds of training that a change costs by itself: batches that lay ready elsewhere, caches that are cold. */
    private static final double CHANGE_SECONDS = 5;

    boolean pays(PolicyState state, ExpectedImprovement improvement, Target target, double gained, double lostSeconds) {
        double perHour = improvement.cost(state.wanted(), 3600);
        int more = Math.max(0, target.remote() - state.wanted().remote());
        double start = perHour > 0 ? more * state.terms().prices().remotePerHour() / perHour * startSeconds : 0;
        return gained * horizonSeconds > CHANGE_SECONDS + start + lostSeconds;
    }

    /** Seconds that a trial of this is expected to lose. */
    static double lost(PolicyState state, Prospect prospect) {
        double windowSeconds = Medians.median(
                state.windows().stream().mapToDouble(WindowClosed::seconds).toArray());
        return Math.max(0, -prospect.gain()) * TRIAL_WINDOWS * windowSeconds;
    }
}
