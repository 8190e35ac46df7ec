package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The steady windows that still count, oldest first, as windows of the whole job: a round of its consumers, in which each of
 * them closed at least one, is one. Consumers need not be equally fast, and what all of them do at once, a pause, is seen once.
 *
 * <pre>
 *   rate        = sum over consumers of elements / seconds
 *   trainerRate = sum over consumers of elements / seconds / (1 - waitShare)
 * </pre>
 *
 * <p>A trainer may live for a while on batches that lay ready, which nobody makes any more: of workers that were drained, or
 * from before it became faster. What it had from there will not last:
 *
 * <pre>
 *   lasting = rate - elements by which what lay ready became less / seconds
 * </pre>
 *
 * @param windows oldest first
 * @param open whether the last window that closed was not one of the first of its consumers: once a round is often enough to
 *     decide
 */
record RecentWindows(List<Measured> windows, boolean open) {
    /** Of a window's rate, as a share, while there are too few to measure it. */
    static final double USUAL_NOISE = 0.05;

    private static final double LEAST_NOISE = 0.02;
    private static final double MOST_NOISE = 0.3;
    private static final int ENOUGH = 6;

    /** Who has measured nothing twice knows nothing: a lone window may be nonsense. */
    private static final double UNBELIEVED = 0.5;

    /** Deviation of a median over that of the mean, for normal noise. */
    private static final double MEDIAN = 1.25;

    /** However fast what lay ready becomes less, so much (as a share) of a rate was made meanwhile. */
    private static final double LEAST_MADE = 0.1;

    /**
     * A window of the job.
     *
     * @param from when the first window of its round closed
     * @param at when it closed itself
     * @param tasks that served it
     * @param rate elements/s
     * @param trainerRate elements/s for each second in which the trainer did not wait
     * @param waitShare of its time
     * @param drained elements/s by which what lay ready became less
     */
    record Measured(
            Instant from, Instant at, Target tasks, double rate, double trainerRate, double waitShare, double drained) {
        /** Elements/s, without those that had lain ready. */
        double lastingRate() {
            return Math.max(LEAST_MADE * rate, rate - drained);
        }
    }

    /**
     * Those of a job from a time on. Rounds are told apart from the newest window backwards, so that they are the same as long
     * as one that opens a round was the last to close.
     */
    static RecentWindows of(PolicyState state, long sinceMillis) {
        List<WindowClosed> all =
                state.windows().stream().filter(window -> window.elements() > 0).toList();
        SortedSet<Integer> consumers = ConsumerRound.present(all);
        List<Optional<WindowClosed>> before = before(all);
        Deque<Measured> windows = new ArrayDeque<>();
        ConsumerRound round = new ConsumerRound();
        for (int i = all.size() - 1; i >= 0; i--) {
            WindowClosed window = all.get(i);
            if (window.at().toEpochMilli() < sinceMillis || !consumers.contains(window.consumer())) {
                continue;
            }
            if (!round.goesOnWith(window)) {
                round = new ConsumerRound();
            }
            round.add(window, before.get(i));
            if (round.closedBy(consumers)) {
                windows.addFirst(round.measured());
                round = new ConsumerRound();
            }
        }
        boolean ofFirst = all.isEmpty() || all.get(all.size() - 1).consumer() == consumers.first();
        return new RecentWindows(List.copyOf(windows), !ofFirst);
    }

    /** Of each window the one before it of the same consumer. */
    private static List<Optional<WindowClosed>> before(List<WindowClosed> all) {
        SortedMap<Integer, WindowClosed> last = new TreeMap<>();
        return all.stream()
                .map(window -> Optional.ofNullable(last.put(window.consumer(), window)))
                .toList();
    }

    /** Nothing is known but this one. */
    static RecentWindows of(WindowClosed lone) {
        ConsumerRound round = new ConsumerRound();
        round.add(lone, Optional.empty());
        return new RecentWindows(List.of(round.measured()), false);
    }

    RecentWindows last(int count) {
        return new RecentWindows(windows.subList(Math.max(0, windows.size() - count), windows.size()), open);
    }

    /** All but the last ones, if those are enough to measure noise that a change has not moved. */
    RecentWindows before(int count) {
        int many = windows.size() - count;
        return many >= ENOUGH ? new RecentWindows(windows.subList(0, many), open) : this;
    }

    RecentWindows of(Target tasks) {
        return new RecentWindows(
                windows.stream().filter(one -> one.tasks().equals(tasks)).toList(), open);
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
                : Math.max(LEAST_NOISE, Math.min(MOST_NOISE, Medians.deviation(logs(Measured::trainerRate))));
    }

    /** What windows with the same workers tell together. */
    Point point() {
        double[] rates = logs(Measured::lastingRate);
        double noise = noise();
        double error = UNBELIEVED;
        if (rates.length >= 3) {
            error = MEDIAN * noise / Math.sqrt(rates.length);
        } else if (rates.length == 2 && Math.abs(rates[0] - rates[1]) < 4 * noise) {
            error = noise;
        }
        double wait =
                Medians.median(windows.stream().mapToDouble(Measured::waitShare).toArray());
        return new Point(
                windows.get(0).tasks(),
                StrictMath.exp(Medians.median(rates)),
                StrictMath.exp(Medians.median(logs(Measured::trainerRate))),
                wait,
                error);
    }
}
