package io.praline.policy.scaling;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Counted;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Reasons;
import io.praline.policy.Target;
import java.util.Collections;
import java.util.SortedMap;

/**
 * Every worker there is, as long as it has something to read:
 *
 * <pre>
 *   workers = min(workers of the pool, splits of an epoch)       1 for a job that only one task may serve
 * </pre>
 *
 * It never asks for workers that are not there, but for one where there is none at all.
 */
public record EveryWorker() implements Policy {

    @Override
    public String name() {
        return "every-worker";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public SortedMap<String, String> parameters() {
        return Collections.emptySortedMap();
    }

    @Override
    public boolean elastic(PolicyState state) {
        return false;
    }

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        if (!state.planned()) {
            return Decision.nothing(seen.at(), Reasons.UNPLANNED);
        }
        int wanted = state.plan().singleTask()
                ? 1
                : (int) Math.min(
                        Math.max(1, state.pool().workers()), state.plan().splits());
        Target target = new Target(wanted, 0);
        if (target.equals(state.wanted())) {
            return Decision.nothing(seen.at(), "it wants " + wanted + " as before");
        }
        return Decision.of(seen.at(), new ScaleTo(target), reason(state, wanted));
    }

    private static String reason(PolicyState state, int wanted) {
        if (state.plan().singleTask()) {
            return "only one task may run its pipeline at a time";
        }
        return "the pool has " + Counted.of(state.pool().workers(), "worker") + " and an epoch has "
                + Counted.of(state.plan().splits(), "split") + ": it can use " + wanted;
    }
}
