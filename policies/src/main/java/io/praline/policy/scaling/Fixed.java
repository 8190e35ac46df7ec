package io.praline.policy.scaling;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import java.util.SortedMap;

/**
 * Always the same workers, whatever is measured.
 *
 * @param remote workers of the pool
 * @param local workers on the trainer's host
 */
public record Fixed(int remote, int local) implements Policy {

    public Fixed {
        if (remote < 0 || local < 0 || remote + local == 0) {
            throw new IllegalArgumentException(
                    "remote and local must not be negative nor both 0, are " + remote + " and " + local);
        }
    }

    /** One remote worker. */
    public Fixed() {
        this(1, 0);
    }

    @Override
    public String name() {
        return "fixed";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public SortedMap<String, String> parameters() {
        return Parameters.of(this);
    }

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        Target target = new Target(remote, local);
        return target.equals(state.wanted())
                ? Decision.nothing(seen.at(), "it has its fixed number: " + target)
                : Decision.of(seen.at(), new ScaleTo(target), "its number of workers is fixed: " + target);
    }
}
