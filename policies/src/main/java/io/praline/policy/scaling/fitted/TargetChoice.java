package io.praline.policy.scaling.fitted;

import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.ExpectedImprovement.Prospect;
import io.praline.policy.scaling.fitted.FittedMemory.Progress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * To which of the targets in prospect a job goes, if to any; gains and hopes are shares of what the goal asks for:
 *
 * <pre>
 *   move  to the one of the greatest gain, if that is more than the gain needed, its confidence is above {@value #CONFIDENT}
 *         (at rest {@value #SURE}), and it pays; in any case if the limits do not allow what it has
 *   try   the one of the greatest hope, of those whose hope is above {@value #HOPE} x gain and which pay, the loss that is
 *         expected of the trial included; while it is not at rest, fewer than {@code trials} were made, and the rate
 *         with what it has is believed: measured with an error below {@value #BELIEVED}, as a share
 * </pre>
 *
 * @param trials changes that are made to learn something, between two re-openings
 * @param gain that a change must be expected to bring, as a share
 * @param payback what a change must bring in
 */
record TargetChoice(int trials, double gain, Payback payback) {
    /** A better target must be better in so much of what is possible. */
    private static final double CONFIDENT = 0.6;

    private static final double SURE = 0.9;

    /** A trial may bring less than a change that is made for good: it also teaches. */
    private static final double HOPE = 0.6;

    private static final double BELIEVED = 0.2;

    /**
     * What it goes to for good.
     *
     * @param must whether it may not stay
     * @param needed gain that is asked for, as a share
     */
    Optional<Choice> move(
            PolicyState state,
            ExpectedImprovement improvement,
            Progress progress,
            List<Prospect> prospects,
            boolean must,
            double needed) {
        Optional<Prospect> best = prospects.stream().max(Comparator.comparingDouble(Prospect::gain));
        if (must) {
            return best.map(to -> Choice.forced(to, state.wanted()));
        }
        return best.filter(to -> better(state, improvement, progress, to, needed))
                .map(to -> Choice.better(to, state.wanted()));
    }

    private boolean better(
            PolicyState state, ExpectedImprovement improvement, Progress progress, Prospect best, double needed) {
        double confidence = progress.atRest() ? SURE : CONFIDENT;
        return best.gain() > needed
                && best.confidence() > confidence
                && payback.pays(state, improvement, best.target(), best.gain(), 0);
    }

    /** What it tries, to learn. */
    Optional<Choice> trial(
            PolicyState state, ExpectedImprovement improvement, FittedMemory learned, List<Prospect> prospects) {
        Progress progress = learned.progress();
        if (!believed(learned, state.wanted()) || progress.atRest() || progress.trials() >= trials) {
            return Optional.empty();
        }
        return prospects.stream()
                .filter(to -> to.hope() > HOPE * gain
                        && payback.pays(state, improvement, to.target(), to.hope(), Payback.lost(state, to)))
                .max(Comparator.comparingDouble(Prospect::hope))
                .map(Choice::trial);
    }

    private static boolean believed(FittedMemory learned, Target now) {
        return learned.points().stream().anyMatch(point -> point.tasks().equals(now) && point.error() < BELIEVED);
    }
}
