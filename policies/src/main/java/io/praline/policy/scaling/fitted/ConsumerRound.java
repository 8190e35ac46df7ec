package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.RecentWindows.Measured;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Windows of a job's consumers that closed beside the same workers, the newest first, until each has closed one. */
final class ConsumerRound {
    /** The longest wait, as a share, in which the rest still tells of the trainer. */
    private static final double LONGEST_WAIT = 0.995;

    /** Who has closed none for so long has left, unless its windows are as long. */
    private static final double SILENT_SECONDS = 60;

    private static final int SILENT_WINDOWS = 3;

    private final SortedMap<Integer, Part> parts = new TreeMap<>();
    private Target tasks = Target.NONE;
    private Instant from = Instant.EPOCH;
    private Instant at = Instant.EPOCH;

    /** What one consumer closed in it. */
    private static final class Part {
        private double elements;
        private double seconds;
        private double waited;
        private double drained;
        private int windows;

        private double rate() {
            return elements / seconds;
        }

        private double waitShare() {
            return waited / seconds;
        }

        private double trainerRate() {
            return rate() / (1 - Math.min(LONGEST_WAIT, waitShare()));
        }
    }

    /** Consumers that were not silent for long when the last of these windows closed. */
    static SortedSet<Integer> present(List<WindowClosed> windows) {
        SortedSet<Integer> present = new TreeSet<>();
        Instant last = windows.isEmpty()
                ? Instant.EPOCH
                : windows.get(windows.size() - 1).at();
        for (WindowClosed window : windows) {
            double silent = Duration.between(window.at(), last).toMillis() / 1e3;
            if (silent <= Math.max(SILENT_SECONDS, SILENT_WINDOWS * window.seconds())) {
                present.add(window.consumer());
            }
        }
        return present;
    }

    /** Whether this window may be one of it: others tell of other workers. */
    boolean goesOnWith(WindowClosed window) {
        return parts.isEmpty() || tasks.equals(window.tasks());
    }

    /**
     * The window that closed before those.
     *
     * @param before that of the same consumer
     */
    void add(WindowClosed window, Optional<WindowClosed> before) {
        if (parts.isEmpty()) {
            tasks = window.tasks();
            at = window.at();
        }
        from = window.at();
        Part part = parts.computeIfAbsent(window.consumer(), none -> new Part());
        part.elements += window.elements();
        part.seconds += window.seconds();
        part.waited += window.waitShare() * window.seconds();
        part.drained += before.map(one -> drained(one, window)).orElse(0.0);
        part.windows++;
    }

    /** Depths are means, and so those of the windows' middles; other windows may have lain between the two. */
    private static double drained(WindowClosed before, WindowClosed window) {
        double apart = Math.max(
                (before.seconds() + window.seconds()) / 2,
                Duration.between(before.at(), window.at()).toMillis() / 1e3);
        double elementsPerBatch = (double) window.elements() / window.batches();
        return Math.max(0, before.queueDepth() - window.queueDepth()) * elementsPerBatch / apart;
    }

    boolean closedBy(Set<Integer> consumers) {
        return parts.keySet().containsAll(consumers);
    }

    /** All of it as a window of the job. */
    Measured measured() {
        double rate = 0;
        double trainerRate = 0;
        double drained = 0;
        for (Part part : parts.values()) {
            rate += part.rate();
            trainerRate += part.trainerRate();
            drained += part.drained / part.windows;
        }
        double waitShare = parts.size() == 1 ? parts.get(parts.firstKey()).waitShare() : 1 - rate / trainerRate;
        return new Measured(from, at, tasks, rate, trainerRate, waitShare, drained);
    }
}
