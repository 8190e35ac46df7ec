package io.praline.policy.ordering.course;

import io.praline.policy.Counted;
import io.praline.policy.ordering.ExactOrder;
import io.praline.policy.ordering.OrderOptions;
import io.praline.policy.ordering.OrderOptions.Prices;
import io.praline.policy.ordering.PecanOrder;
import io.praline.policy.ordering.TolerantOrder;
import io.praline.policy.ordering.course.OrderState.Phase;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.verification.GainBound;
import io.praline.policy.ordering.verification.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A job's way from the user's order to a better one: it runs as written, is measured while it does, a variant is held against
 * it on a sample, and used where that shows it to be as equal as was promised and faster for sure. Whatever goes wrong, the
 * user's order stays, or comes back for good.
 *
 * @param mode how equal results must be
 * @param tracked whether the job's elements carry tickets
 * @param singleTask whether only one task may run at a time: it changes between epochs only
 * @param skipsBadRecords whether the job leaves records out that it fails on
 */
public record OrderCourse(OrderMode mode, boolean tracked, boolean singleTask, boolean skipsBadRecords) {
    /**
     * Of the rules that admit moves: one more whenever they refuse what they admitted before, so that no job begins in an order
     * that older ones have admitted.
     */
    public static final int RULES = 8;

    /** Before, a job's first rate says little. */
    static final Duration SETTLED = Duration.ofSeconds(2);

    /** Measuring takes some seconds of one worker: a job that is over soon gains nothing from it. */
    static final Duration WORTH = Duration.ofSeconds(15);

    /** Measuring and verifying take some seconds each; whoever has not answered by then will not. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    static final int MOST_UNANSWERED = 3;

    /** One worker that is lost is a coincidence, and so may be a second one. */
    static final int MOST_LOST = 3;

    /** Before anything is known of the job but what it was asked to be, and its plan. */
    public OrderState begin(Instant at) {
        OrderState waiting = OrderState.waiting(at);
        if (mode == OrderMode.OFF) {
            return waiting.usual("the user's order stays, as was asked for", at);
        }
        if (!tracked) {
            return waiting.usual(
                    "the user's order stays: without tickets nobody can say that elements are the same", at);
        }
        return waiting;
    }

    /** What follows from an event; late and repeated ones are normal. */
    public OrderTurn take(OrderState state, OrderEvent seen) {
        return seen.match(new OrderEvent.Cases<>() {
            @Override
            public OrderTurn passed(OrderEvent.Passed time) {
                return OrderCourse.passed(state, time);
            }

            @Override
            public OrderTurn profiled(OrderEvent.Profiled profile) {
                boolean its = state.phase() == Phase.PROFILING && profile.trial() == state.trial();
                return its ? OrderCourse.this.profiled(state, profile) : OrderTurn.nothing(state);
            }

            @Override
            public OrderTurn verified(OrderEvent.Verified sample) {
                boolean its = state.phase() == Phase.VERIFYING && sample.trial() == state.trial();
                return its ? OrderCourse.this.verified(state, sample) : OrderTurn.nothing(state);
            }

            @Override
            public OrderTurn failed(OrderEvent.Failed trial) {
                boolean its = state.asked() && trial.trial() == state.trial();
                return its
                        ? keep(
                                state,
                                "the user's order stays: it could not be measured, since " + trial.why(),
                                seen.at())
                        : OrderTurn.nothing(state);
            }

            @Override
            public OrderTurn unanswered(OrderEvent.Unanswered trial) {
                return state.asked() ? again(state, trial.why(), seen.at()) : OrderTurn.nothing(state);
            }

            @Override
            public OrderTurn known(OrderEvent.Known order) {
                if (state.phase() != Phase.WAITING || state.trial() > 0) {
                    return OrderTurn.nothing(state);
                }
                String why = format(
                        "job %s has shown it on the same data: %.2f times as fast as the user's order",
                        order.job(), order.variant().measuredGain());
                return run(state, order.variant(), 0, why, seen.at());
            }

            @Override
            public OrderTurn broke(OrderEvent.Broke attempt) {
                return state.phase() == Phase.CHANGED
                        ? keep(
                                state,
                                "the user's order comes back: in the other one an attempt failed, " + attempt.why(),
                                seen.at())
                        : OrderTurn.nothing(state);
            }

            @Override
            public OrderTurn crashed(OrderEvent.Crashed worker) {
                if (state.phase() != Phase.CHANGED) {
                    return OrderTurn.nothing(state);
                }
                OrderState known = state.withLost();
                return known.lost() < MOST_LOST
                        ? OrderTurn.nothing(known)
                        : keep(
                                known,
                                format(
                                        "the user's order comes back: %d workers were lost in the other one, at last %s",
                                        known.lost(), worker.worker()),
                                seen.at());
            }

            @Override
            public OrderTurn rate(OrderEvent.Rate task) {
                return rated(state, task);
            }
        });
    }

    private static OrderTurn passed(OrderState state, OrderEvent.Passed time) {
        if (state.asked()) {
            boolean late = Duration.between(state.since(), time.at()).compareTo(PATIENCE) > 0;
            return late
                    ? again(state, "nobody answered within " + PATIENCE.toSeconds() + " s", time.at())
                    : OrderTurn.nothing(state);
        }
        if (state.phase() != Phase.WAITING
                || time.worked().compareTo(SETTLED) < 0
                || time.opened() <= 0
                || time.assigned() >= time.all()
                || state.usualRate() == 0) {
            return OrderTurn.nothing(state);
        }
        double left = time.worked().toMillis() / 1e3 * (time.all() - time.opened()) / time.opened();
        if (left < WORTH.toSeconds()) {
            return OrderTurn.nothing(state);
        }
        String why = format(
                "%d of %s %s begun in %d s, so that about %.0f s are left: its steps are to be measured",
                time.opened(),
                Counted.of(time.all(), "split"),
                Counted.word(time.opened(), "was", "were"),
                time.worked().toSeconds(),
                left);
        OrderState asking = state.asking(Phase.PROFILING, Optional.empty(), why, time.at());
        return OrderTurn.of(asking, new OrderCommand.Profile(asking.trial()))
                .with(Map.of("secondsLeft", left, "trial", (double) asking.trial()));
    }

    private static OrderTurn again(OrderState state, String why, Instant at) {
        OrderState waiting =
                state.waitingAgain("the user's order runs: " + why + ", and another worker is to measure", at);
        return waiting.unanswered() < MOST_UNANSWERED
                ? OrderTurn.said(waiting, waiting.reason())
                : keep(
                        waiting,
                        format(
                                "the user's order stays: it was to be measured %d times, and %s",
                                waiting.unanswered(), why),
                        at);
    }

    private static OrderTurn keep(OrderState state, String why, Instant at) {
        return OrderTurn.of(state.usual(why, at), new OrderCommand.Keep());
    }

    private OrderTurn profiled(OrderState state, OrderEvent.Profiled profile) {
        OrderPlan plan = plan(profile);
        if (plan.movesNothing()) {
            List<String> blocked = plan.blocked().stream().map(Object::toString).toList();
            return keep(state, "the user's order stays: " + plan.reason(), profile.at())
                    .saying(blocked);
        }
        Variant variant = Variant.of(plan);
        String why = format(
                "%s: expected to be %.2f times as fast, which is to be tried on a sample",
                plan.reason(), plan.predictedGain());
        OrderState asking = state.asking(Phase.VERIFYING, Optional.of(variant), why, profile.at());
        OrderCommand verify =
                new OrderCommand.Verify(asking.trial(), plan.changed(), profile.records(), profile.nanos());
        return OrderTurn.of(asking, verify)
                .with(Map.of(
                        "predictedGain",
                        plan.predictedGain(),
                        "nanosPerElementBefore",
                        plan.before().nanosPerElement(),
                        "nanosPerElementAfter",
                        plan.after().nanosPerElement(),
                        "records",
                        (double) profile.records()))
                .saying(variant.moved());
    }

    private OrderPlan plan(OrderEvent.Profiled profile) {
        Prices prices = new Prices(profile.callNanos(), Prices.USUAL.nanosPerByteToClient());
        OrderOptions options = new OrderOptions(skipsBadRecords, List.of(), prices);
        return switch (mode) {
            case EXACT -> new ExactOrder(options).plan(profile.steps(), profile.measures());
            case TOLERANT -> new TolerantOrder(options).plan(profile.steps(), profile.measures());
            case PECAN -> new PecanOrder(options).plan(profile.steps(), profile.measures());
            case OFF -> throw new IllegalStateException("nothing is measured where the user's order stays");
        };
    }

    private OrderTurn verified(OrderState state, OrderEvent.Verified sample) {
        Variant found = state.variant().orElseThrow();
        GainBound gain = GainBound.of(sample.pairs());
        Verdict verdict = Verdict.of(found.proof(), found.tolerance(), sample.results(), gain);
        Map<String, Double> numbers = new TreeMap<>(Map.of(
                "gain", gain.gain(),
                "gainLower", gain.lower(),
                "gainUpper", gain.upper(),
                "pairs", (double) gain.pairs(),
                "compared", (double) sample.results().elements(),
                "unequal", (double) sample.results().unequal(),
                "largestDifference", sample.results().largestDifference(),
                "predictedGain", found.predictedGain()));
        if (!verdict.accepted()) {
            return keep(state, "the user's order stays: " + verdict.reason(), sample.at())
                    .with(numbers)
                    .saying(found.moved());
        }
        int from = singleTask ? sample.frontEpoch() + 1 : 0;
        Variant variant = found.verified(sample.digest(), gain.gain());
        return run(state, variant, from, verdict.reason(), sample.at()).with(numbers);
    }

    private static OrderTurn run(OrderState state, Variant variant, int from, String why, Instant at) {
        OrderState changed = state.changed(variant, from, why, at);
        return OrderTurn.of(changed, new OrderCommand.Run(variant, from, variant.measuredGain()))
                .with(Map.of("gain", variant.measuredGain(), "fromEpoch", (double) from))
                .saying(variant.moved());
    }

    /** The first that is told of the variant is held against the last of the user's order. */
    private static OrderTurn rated(OrderState state, OrderEvent.Rate task) {
        if (!task.variant()) {
            return OrderTurn.nothing(state.withRates(task.elementsPerSecond(), state.variantRate()));
        }
        if (state.phase() != Phase.CHANGED || state.variantRate() > 0) {
            return OrderTurn.nothing(state);
        }
        OrderState known = state.withRates(state.usualRate(), task.elementsPerSecond());
        if (state.usualRate() == 0) {
            return OrderTurn.nothing(known);
        }
        double gain = task.elementsPerSecond() / state.usualRate();
        double expected = state.variant().orElseThrow().measuredGain();
        return OrderTurn.said(
                        known,
                        format(
                                "a task makes %.0f elements/s in the new order and made %.0f: %.2f times as many, %.2f were expected",
                                task.elementsPerSecond(), state.usualRate(), gain, expected))
                .with(Map.of(
                        "elementsPerSecond",
                        task.elementsPerSecond(),
                        "elementsPerSecondBefore",
                        state.usualRate(),
                        "gain",
                        gain,
                        "expectedGain",
                        expected));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
