package io.praline.policy.replay;

import io.praline.policy.Command;
import io.praline.policy.Observation;
import java.util.List;

/**
 * One turn as it was taken.
 *
 * @param seen what was observed
 * @param commands what was decided on it; empty: nothing was to be done
 */
public record Recorded(Observation seen, List<Command> commands) {
    public Recorded {
        commands = List.copyOf(commands);
    }
}
