package io.praline.policy;

import java.util.Optional;

/**
 * One turn, used by the live dispatcher and by the replay, so that they cannot differ.
 *
 * @param seen what was observed
 * @param decision what the policy made of it; nothing where it broke
 * @param state what is known afterwards
 * @param broken what the policy threw; empty: it decided
 */
public record Turn(Observation seen, Decision decision, PolicyState state, Optional<RuntimeException> broken) {

    /** A message may be of any length, and there is a reason for each turn. */
    private static final int LONGEST_MESSAGE = 500;

    /** A policy that throws decides nothing, wherever it is asked: the target stays as it is. */
    public static Turn take(PolicyState before, Observation seen, Policy policy) {
        PolicyState known = before.apply(seen);
        try {
            Decision decision = policy.decide(known, seen);
            return new Turn(seen, decision, known.apply(decision), Optional.empty());
        } catch (RuntimeException broken) {
            String reason = "policy " + policy.name() + " broke, the target stays as it is: " + inALine(broken);
            return new Turn(seen, Decision.nothing(seen.at(), reason), known, Optional.of(broken));
        }
    }

    /** What was thrown, in one line. */
    public static String inALine(Throwable broken) {
        String line = broken.toString().strip().replaceAll("\\s*\\R\\s*", " ");
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "...";
    }
}
