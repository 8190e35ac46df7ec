package io.praline.dispatcher.turn.progress;

import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Turn;
import java.util.Optional;

/** A policy, and what it knows of one job. Owned by the stream thread. */
public final class JobPolicy {
    private final Policy policy;
    private PolicyState state;
    private boolean changed;
    private boolean broke;
    private Optional<String> why = Optional.empty();

    public JobPolicy(Policy policy, PolicyState state) {
        this.policy = policy;
        this.state = state;
    }

    public Policy policy() {
        return policy;
    }

    public PolicyState state() {
        return state;
    }

    /** What it decides on an observation; it knows nothing of that before {@link #keep}. */
    public Turn turn(Observation seen) {
        return Turn.take(state, seen, policy);
    }

    public void keep(Turn turn) {
        state = turn.state();
        changed = true;
        if (!turn.decision().commands().isEmpty()) {
            why = Optional.of(turn.decision().reason());
        }
    }

    /** Why it wants what it wants; empty where it decided that before this dispatcher took over. */
    public Optional<String> why() {
        return why;
    }

    /** Whether it broke on this turn and never did before, as far as this dispatcher knows. */
    public boolean breaksFirst(Turn turn) {
        boolean first = turn.broken().isPresent() && !broke;
        broke |= first;
        return first;
    }

    /** Whether the pool should be made larger for what it wants; where it breaks on that, as for most policies. */
    public boolean elastic() {
        try {
            return policy.elastic(state);
        } catch (RuntimeException broken) {
            return true;
        }
    }

    /** Whether it knows something new since this was last asked. */
    public boolean changed() {
        boolean was = changed;
        changed = false;
        return was;
    }
}
