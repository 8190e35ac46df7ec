package io.praline.policy.scaling;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Steady windows as the published policies look at them: the last one, and the newest before it that other workers
 * served.
 *
 * @param all oldest first, at least one
 */
record Windows(List<WindowClosed> all) {

    /** Those of a job from a time on: what was measured before it started (again) tells nothing. */
    static Windows since(PolicyState state, Instant started) {
        return new Windows(state.windows().stream()
                .filter(window -> !window.at().isBefore(started))
                .toList());
    }

    WindowClosed last() {
        return all.get(all.size() - 1);
    }

    Optional<WindowClosed> lastOther() {
        Target tasks = last().tasks();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (!all.get(i).tasks().equals(tasks)) {
                return Optional.of(all.get(i));
            }
        }
        return Optional.empty();
    }

    /** Batch time with those workers, in seconds: the mean over the consumers of each one's newest window with them. */
    double batchSeconds(Target workers) {
        Map<Integer, Double> newest = new TreeMap<>();
        for (WindowClosed window : all) {
            if (window.tasks().equals(workers)) {
                newest.put(window.consumer(), window.batchSeconds());
            }
        }
        double sum = 0;
        for (double seconds : newest.values()) {
            sum += seconds;
        }
        return sum / newest.size();
    }
}
