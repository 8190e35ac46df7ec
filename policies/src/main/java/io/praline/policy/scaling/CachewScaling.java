package io.praline.policy.scaling;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Counted;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Reasons;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Cachew's AutoScaling as its authors' code has it: remote workers only, one at a time, by the gain of the last change,
 *
 * <pre>
 *   gain = 1 - batch time / batch time with the workers before       both in seconds, above 0: it helped
 *
 *   scaling, after one more    one more while gain &gt; up, else back and stable
 *   scaling, after one less    one less while gain &gt; -down, else back and stable
 *   stable, each time after more than stableReports windows:
 *     one less and scaling     if queue depth / queue depth when it got stable &gt; queueGrowth
 *     one more and scaling     if batch time / batch time when it got stable &gt; batchTimeGrowth
 * </pre>
 *
 * <p>It begins with one worker and tries two after the first window. A window whose workers are not the target is waited
 * out; one with |gain| &gt; garbage is passed over. A queue that was empty when it got stable has no growth.
 *
 * <p>{@code terms.limits()} lower the bound. With several consumers, batch times are the mean over them.
 *
 * @param maxRemote workers at most
 * @param up gain that one more must bring, as a share
 * @param down loss that one less may bring, as a share
 * @param stableReports windows that a stable job is left alone
 * @param queueGrowth growth of the queue, as a ratio, above which a worker is too many
 * @param batchTimeGrowth growth of the batch time, as a ratio, above which a worker is missing
 * @param garbage gain or loss, as a share, that cannot be true
 */
public record CachewScaling(
        int maxRemote,
        double up,
        double down,
        int stableReports,
        double queueGrowth,
        double batchTimeGrowth,
        double garbage)
        implements Policy {
    private static final String STABLE = "stable";
    private static final String REPORTS = "stableReports";
    private static final String CONVERGED_SECONDS = "convergedBatchSeconds";
    private static final String CONVERGED_QUEUE = "convergedQueueDepthBatches";
    private static final String STARTED_SECONDS = "startedEpochSeconds";

    public CachewScaling {
        if (maxRemote < 1 || stableReports < 0) {
            throw new IllegalArgumentException("maxRemote must be at least 1 and stableReports not negative, are "
                    + maxRemote + " and " + stableReports);
        }
        if (Double.isNaN(up) || Double.isNaN(down) || !(queueGrowth > 0) || !(batchTimeGrowth > 0) || !(garbage > 0)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "queueGrowth, batchTimeGrowth and garbage must be above 0, are %s, %s and %s",
                    queueGrowth,
                    batchTimeGrowth,
                    garbage));
        }
    }

    /** With its authors' constants. */
    public CachewScaling() {
        this(100, 0.07, 0.03, 20, 1.5, 1.5, 1.2);
    }

    @Override
    public String name() {
        return "cachew";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public SortedMap<String, String> parameters() {
        return Parameters.of(this);
    }

    /** What it remembers. */
    private record Memory(boolean stable, int reports, double seconds, double queueDepth, double startedSeconds) {
        static Memory of(PolicyState state) {
            SortedMap<String, Double> kept = state.memory();
            return new Memory(
                    kept.getOrDefault(STABLE, 0.0) > 0,
                    kept.getOrDefault(REPORTS, 0.0).intValue(),
                    kept.getOrDefault(CONVERGED_SECONDS, 0.0),
                    kept.getOrDefault(CONVERGED_QUEUE, 0.0),
                    kept.getOrDefault(STARTED_SECONDS, 0.0));
        }

        static Memory atStart(Instant at) {
            return new Memory(false, 0, 0, 0, at.toEpochMilli() / 1e3);
        }

        Memory scaling() {
            return new Memory(false, 0, seconds, queueDepth, startedSeconds);
        }

        Memory converged(double batchSeconds, double batches) {
            return new Memory(true, 0, batchSeconds, batches, startedSeconds);
        }

        Memory reports(int windows) {
            return new Memory(stable, windows, seconds, queueDepth, startedSeconds);
        }

        Instant started() {
            return Instant.ofEpochMilli(Math.round(startedSeconds * 1e3));
        }

        SortedMap<String, Double> numbers() {
            SortedMap<String, Double> kept = new TreeMap<>();
            kept.put(STABLE, stable ? 1.0 : 0.0);
            kept.put(REPORTS, (double) reports);
            kept.put(CONVERGED_SECONDS, seconds);
            kept.put(CONVERGED_QUEUE, queueDepth);
            kept.put(STARTED_SECONDS, startedSeconds);
            return kept;
        }
    }

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        if (state.wanted().workers() == 0) {
            return Decision.of(seen.at(), new ScaleTo(1, 0), "it begins with one worker")
                    .remembering(Memory.atStart(seen.at()).numbers());
        }
        if (!(seen instanceof WindowClosed window)) {
            return Decision.nothing(seen.at(), Reasons.NO_WINDOW);
        }
        if (window.straddles()) {
            return Decision.nothing(seen.at(), Reasons.STRADDLES);
        }
        Target last = window.tasks();
        if (last.remote() != state.wanted().remote()) {
            return Decision.nothing(seen.at(), Reasons.waiting(state.wanted(), last));
        }
        Memory memory = Memory.of(state);
        if (seen.at().isBefore(memory.started())) {
            return Decision.nothing(seen.at(), Reasons.MEASURED_BEFORE);
        }
        Windows windows = Windows.since(state, memory.started());
        if (windows.all().size() == 1) {
            int two = Math.min(2, most(state));
            return decision(state, seen.at(), two, memory, "after its first window it tries two");
        }
        return decide(state, window, windows, memory);
    }

    private Decision decide(PolicyState state, WindowClosed last, Windows windows, Memory memory) {
        double seconds = windows.batchSeconds(last.tasks());
        SortedMap<String, Double> numbers = new TreeMap<>();
        numbers.put("batchSeconds", seconds);
        Optional<WindowClosed> other = windows.lastOther();
        double gain = 0;
        String compared = String.format(
                Locale.ROOT, "a batch takes %.1f ms with %s", seconds * 1e3, Counted.of(last.remoteTasks(), "worker"));
        if (other.isPresent()) {
            double before = windows.batchSeconds(other.get().tasks());
            gain = 1 - seconds / before;
            compared += String.format(
                    Locale.ROOT,
                    " and took %.1f ms with %d",
                    before * 1e3,
                    other.get().remoteTasks());
            numbers.put("beforeBatchSeconds", before);
            numbers.put("gain", gain);
            if (Math.abs(gain) > garbage) {
                return Decision.nothing(last.at(), compared + ": " + Reasons.IMPOSSIBLE)
                        .with(numbers);
            }
        }
        Decision decision;
        if (memory.stable()) {
            decision = stable(state, last, seconds, memory);
        } else if (other.isPresent()) {
            decision = scaling(state, last, windows, other.get(), gain, memory, compared);
        } else {
            decision = Decision.nothing(last.at(), compared + ": " + Reasons.NOTHING_TO_COMPARE);
        }
        return decision.with(numbers);
    }

    private Decision scaling(
            PolicyState state,
            WindowClosed last,
            Windows windows,
            WindowClosed other,
            double gain,
            Memory memory,
            String compared) {
        int workers = last.remoteTasks();
        boolean wentUp = workers > other.remoteTasks();
        if (wentUp && gain > up && workers < most(state)) {
            return decision(state, last.at(), workers + 1, memory, compared + ": that helped, one more");
        }
        if (!wentUp && gain > -down && workers > 1) {
            return decision(state, last.at(), workers - 1, memory, compared + ": that did no harm, one less");
        }
        return decision(
                state,
                last.at(),
                other.remoteTasks(),
                memory.converged(windows.batchSeconds(other.tasks()), other.queueDepth()),
                compared + ": back to " + other.remoteTasks() + ", it is stable now");
    }

    private Decision stable(PolicyState state, WindowClosed last, double seconds, Memory memory) {
        int workers = last.remoteTasks();
        int reports = memory.reports() + 1;
        if (reports <= stableReports) {
            String reason =
                    "it is stable: window " + reports + " of the " + stableReports + " in which it is left alone";
            return decision(state, last.at(), workers, memory.reports(reports), reason);
        }
        boolean queueGrew = memory.queueDepth() > 0 && last.queueDepth() / memory.queueDepth() > queueGrowth;
        if (queueGrew && workers > 1) {
            String reason = String.format(
                    Locale.ROOT,
                    "%.1f batches lie ready, %.1f did when it got stable: one less",
                    last.queueDepth(),
                    memory.queueDepth());
            return decision(state, last.at(), workers - 1, memory.scaling(), reason);
        }
        if (memory.seconds() > 0 && seconds / memory.seconds() > batchTimeGrowth && workers < most(state)) {
            String reason = String.format(
                    Locale.ROOT,
                    "a batch takes %.1f ms and took %.1f ms when it got stable: one more",
                    seconds * 1e3,
                    memory.seconds() * 1e3);
            return decision(state, last.at(), workers + 1, memory.scaling(), reason);
        }
        return decision(
                state, last.at(), workers, memory.reports(0), "neither queue nor batch time grew since it got stable");
    }

    private static Decision decision(PolicyState state, Instant at, int workers, Memory memory, String reason) {
        Decision decision = workers == state.wanted().remote()
                ? Decision.nothing(at, reason)
                : Decision.of(at, new ScaleTo(workers, 0), reason);
        return decision.with(Collections.emptySortedMap()).remembering(memory.numbers());
    }

    private int most(PolicyState state) {
        return Math.max(1, Math.min(maxRemote, state.terms().limits().maxRemote()));
    }
}
