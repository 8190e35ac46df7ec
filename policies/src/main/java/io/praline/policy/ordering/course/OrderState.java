package io.praline.policy.ordering.course;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a job's order.
 *
 * @param phase where it is
 * @param trial the newest request to measure, counted from 1; 0 before the first
 * @param since when it got there
 * @param unanswered requests that nobody answered
 * @param lost workers that were lost while they ran the variant
 * @param variant the one that is verified or in use; empty in all other phases
 * @param fromEpoch the first epoch that the variant in use may run in
 * @param usualRate elements/s of a task in the user's order, as last measured; 0 before
 * @param variantRate elements/s of a task in the variant's, as first measured; 0 before
 * @param reason why it is there, in a sentence
 */
public record OrderState(
        Phase phase,
        int trial,
        Instant since,
        int unanswered,
        int lost,
        Optional<Variant> variant,
        int fromEpoch,
        double usualRate,
        double variantRate,
        String reason) {
    /** Where a job's order is. */
    public enum Phase {
        /** Nothing was measured yet. */
        WAITING,
        /** A worker measures the steps. */
        PROFILING,
        /** A worker holds a variant against the user's order. */
        VERIFYING,
        /** The user's order stays. */
        USUAL,
        /** New attempts run the variant. */
        CHANGED
    }

    public OrderState {
        if (phase == Phase.CHANGED
                && variant.filter(used -> !used.digest().isEmpty()).isEmpty()) {
            throw new IllegalArgumentException("a variant that is in use must have a digest");
        }
    }

    /** Before anything is known. */
    public static OrderState waiting(Instant at) {
        return new OrderState(
                Phase.WAITING,
                0,
                at,
                0,
                0,
                Optional.empty(),
                0,
                0,
                0,
                "nothing was measured yet: the user's order runs");
    }

    /** The variant that attempts of this epoch run; empty: the user's order. */
    public Optional<Variant> used(int epoch) {
        return phase == Phase.CHANGED && epoch >= fromEpoch ? variant : Optional.empty();
    }

    /** Whether somebody was asked to measure and has not answered. */
    public boolean asked() {
        return phase == Phase.PROFILING || phase == Phase.VERIFYING;
    }

    /** Whether something is still to be measured. */
    public boolean open() {
        return asked() || phase == Phase.WAITING;
    }

    /** The same of a job that has ended: nothing will be measured any more. */
    public OrderState ofEnded() {
        return open() ? usual("the job ended before its order was decided on: the user's ran", since) : this;
    }

    OrderState asking(Phase what, Optional<Variant> verified, String why, Instant at) {
        return new OrderState(what, trial + 1, at, unanswered, lost, verified, 0, usualRate, variantRate, why);
    }

    OrderState waitingAgain(String why, Instant at) {
        return new OrderState(
                Phase.WAITING, trial, at, unanswered + 1, lost, Optional.empty(), 0, usualRate, variantRate, why);
    }

    OrderState usual(String why, Instant at) {
        return new OrderState(
                Phase.USUAL, trial, at, unanswered, lost, Optional.empty(), 0, usualRate, variantRate, why);
    }

    OrderState changed(Variant used, int from, String why, Instant at) {
        return new OrderState(Phase.CHANGED, trial, at, unanswered, lost, Optional.of(used), from, usualRate, 0, why);
    }

    OrderState withLost() {
        return new OrderState(
                phase, trial, since, unanswered, lost + 1, variant, fromEpoch, usualRate, variantRate, reason);
    }

    OrderState withRates(double usual, double changed) {
        return new OrderState(phase, trial, since, unanswered, lost, variant, fromEpoch, usual, changed, reason);
    }
}
