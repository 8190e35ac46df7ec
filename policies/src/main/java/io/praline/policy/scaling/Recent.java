package io.praline.policy.scaling;

import io.praline.policy.JobState;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import io.praline.policy.scaling.Learned.Point;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The steady windows that still count, oldest first.
 *
 * @param windows oldest first
 * @param consumers that take their share of the rate
 */
record Recent(List<WindowClosed> windows, int consumers) {
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

    static Recent of(JobState state, long sinceMillis) {
        List<WindowClosed> windows = state.windows().stream()
                .filter(window -> window.at().toEpochMilli() >= sinceMillis && window.elements() > 0)
                .toList();
        int consumers = (int)
                windows.stream().mapToInt(WindowClosed::consumer).distinct().count();
        return new Recent(windows, consumers);
    }

    Recent last(int count) {
        return new Recent(windows.subList(Math.max(0, windows.size() - count), windows.size()), consumers);
    }

    /** All but the last ones, if those are enough to measure noise that a change has not moved. */
    Recent before(int count) {
        int many = windows.size() - count;
        return many >= ENOUGH ? new Recent(windows.subList(0, many), consumers) : this;
    }

    Recent of(Target tasks) {
        return new Recent(
                windows.stream().filter(window -> window.tasks().equals(tasks)).toList(), consumers);
    }

    /** Elements/s of the whole job. */
    double rate(WindowClosed window) {
        return window.elements() / window.seconds() * consumers;
    }

    /** Elements/s for each second in which the trainer did not wait. */
    double trainerRate(WindowClosed window) {
        return rate(window) / (1 - Math.min(LONGEST_WAIT, window.waitShare()));
    }

    double[] logs(ToDoubleFunction<WindowClosed> of) {
        return windows.stream()
                .mapToDouble(window -> StrictMath.log(of.applyAsDouble(window)))
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
        double[] rates = logs(this::rate);
        double noise = noise();
        double error = UNBELIEVED;
        if (rates.length >= 3) {
            error = MEDIAN * noise / Math.sqrt(rates.length);
        } else if (rates.length == 2 && Math.abs(rates[0] - rates[1]) < 4 * noise) {
            error = noise;
        }
        double wait = Medians.median(
                windows.stream().mapToDouble(WindowClosed::waitShare).toArray());
        return new Point(
                windows.get(0).tasks(),
                StrictMath.exp(Medians.median(rates)),
                StrictMath.exp(Medians.median(logs(this::trainerRate))),
                wait,
                error);
    }
}
