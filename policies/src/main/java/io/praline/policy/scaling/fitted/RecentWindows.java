package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The steady windows that still count, oldest first.
 *
 * <p>A trainer may live for a while on batches that lay ready, which nobody makes any more: of workers that were drained, or
 * from before it became faster. What it had from there will not last:
 *
 * <pre>
 *   rate    = elements / seconds
 *   lasting = rate - elements by which what lay ready became less / seconds
 * </pre>
 *
 * @param windows oldest first
 * @param consumers that take their share of the rate
 */
record RecentWindows(List<Measured> windows, int consumers) {
    /** Of a window's rate, as a share, while there are too few to measure it. */
    static final double USUAL_NOISE = 0.05;

    private static final double LEAST_NOISE = 0.02;
    private static final double MOST_NOISE = 0.3;
    private static final int ENOUGH = 6;

    /** Who has measured nothing twice knows nothing: a lone window may be nonsense. */
    private static final double UNBELIEVED = 0.5;

    /** Deviation of a median over that of the mean, for normal noise. */
    private static final double MEDIAN = 1.25;

    /** The longest wait, as a share, in which the rest still tells of the trainer. */
    private static final double LONGEST_WAIT = 0.995;

    /** However fast what lay ready becomes less, so much (as a share) of a rate was made meanwhile. */
    private static final double LEAST_MADE = 0.1;

    /**
     * A window, and what its consumer took from what had lain ready.
     *
     * @param drained elements/s by which that became less since the consumer's window before; 0 where it did not
     */
    record Measured(WindowClosed window, double drained) {
        private static Measured after(Optional<WindowClosed> before, WindowClosed window) {
            return new Measured(window, before.map(one -> drained(one, window)).orElse(0.0));
        }

        /** Depths are means, and so those of the windows' middles; other windows may have lain between the two. */
        private static double drained(WindowClosed before, WindowClosed window) {
            double apart = Math.max(
                    (before.seconds() + window.seconds()) / 2,
                    Duration.between(before.at(), window.at()).toMillis() / 1e3);
            double elementsPerBatch = (double) window.elements() / window.batches();
            return Math.max(0, before.queueDepth() - window.queueDepth()) * elementsPerBatch / apart;
        }

        Target tasks() {
            return window.tasks();
        }
    }

    static RecentWindows of(PolicyState state, long sinceMillis) {
        List<Measured> windows = new ArrayList<>();
        SortedMap<Integer, WindowClosed> before = new TreeMap<>();
        for (WindowClosed window : state.windows()) {
            if (window.elements() > 0) {
                Optional<WindowClosed> its = Optional.ofNullable(before.put(window.consumer(), window));
                if (window.at().toEpochMilli() >= sinceMillis) {
                    windows.add(Measured.after(its, window));
                }
            }
        }
        int consumers = (int) windows.stream()
                .mapToInt(one -> one.window().consumer())
                .distinct()
                .count();
        return new RecentWindows(windows, consumers);
    }

    /** Nothing is known but this one. */
    static RecentWindows of(WindowClosed lone) {
        return new RecentWindows(List.of(Measured.after(Optional.empty(), lone)), 1);
    }

    RecentWindows last(int count) {
        return new RecentWindows(windows.subList(Math.max(0, windows.size() - count), windows.size()), consumers);
    }

    /** All but the last ones, if those are enough to measure noise that a change has not moved. */
    RecentWindows before(int count) {
        int many = windows.size() - count;
        return many >= ENOUGH ? new RecentWindows(windows.subList(0, many), consumers) : this;
    }

    RecentWindows of(Target tasks) {
        return new RecentWindows(
                windows.stream().filter(one -> one.tasks().equals(tasks)).toList(), consumers);
    }

    /** Elements/s of the whole job. */
    private double rate(Measured one) {
        return one.window().elements() / one.window().seconds() * consumers;
    }

    /** Elements/s of the whole job, without those that had lain ready. */
    double lastingRate(Measured one) {
        double rate = rate(one);
        return Math.max(LEAST_MADE * rate, rate - one.drained() * consumers);
    }

    /** Elements/s for each second in which the trainer did not wait. */
    double trainerRate(Measured one) {
        return rate(one) / (1 - Math.min(LONGEST_WAIT, one.window().waitShare()));
    }

    double[] logs(ToDoubleFunction<Measured> of) {
        return windows.stream()
                .mapToDouble(one -> StrictMath.log(of.applyAsDouble(one)))
                .toArray();
    }

    /** Standard deviation of what most windows measured, as a share. */
    double noise() {
        return windows.size() < ENOUGH
                ? USUAL_NOISE
                : Math.max(LEAST_NOISE, Math.min(MOST_NOISE, Medians.deviation(logs(this::trainerRate))));
    }

    /** What windows with the same workers tell together. */
    Point point() {
        double[] rates = logs(this::lastingRate);
        double noise = noise();
        double error = UNBELIEVED;
        if (rates.length >= 3) {
            error = MEDIAN * noise / Math.sqrt(rates.length);
        } else if (rates.length == 2 && Math.abs(rates[0] - rates[1]) < 4 * noise) {
            error = noise;
        }
        double wait = Medians.median(
                windows.stream().mapToDouble(one -> one.window().waitShare()).toArray());
        return new Point(
                windows.get(0).tasks(),
                StrictMath.exp(Medians.median(rates)),
                StrictMath.exp(Medians.median(logs(this::trainerRate))),
                wait,
                error);
    }
}
