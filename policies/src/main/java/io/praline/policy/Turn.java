package io.praline.policy;

/**
 * One turn, used by the live dispatcher and by the replay, so that they cannot differ.
 *
 * @param seen what was observed
 * @param decision what the policy made of it
 * @param state what is known afterwards
 */
public record Turn(Observation seen, Decision decision, JobState state) {

    public static Turn take(JobState before, Observation seen, Policy policy) {
        JobState known = before.apply(seen);
        Decision decision = policy.decide(known, seen);
        return new Turn(seen, decision, known.apply(decision));
    }
}
