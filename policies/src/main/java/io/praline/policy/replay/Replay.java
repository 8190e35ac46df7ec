package io.praline.policy.replay;

import io.praline.policy.Command;
import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of a policy that was run over a record: it sees what was seen, and knows what it would have decided itself.
 *
 * @param steps that were compared
 * @param differences those steps after which its target was another than the recorded one, in order
 */
public record Replay(int steps, List<Difference> differences) {
    public Replay {
        differences = List.copyOf(differences);
    }

    /**
     * A step where the two part.
     *
     * @param step counted from 1
     * @param at when, in the record's time
     * @param recorded target that was in force after it
     * @param decided target that the policy would have
     * @param reason that the policy gives
     */
    public record Difference(int step, Instant at, Target recorded, Target decided, String reason) {}

    public int matched() {
        return steps - differences.size();
    }

    /**
     * Over turns that were taken. Every turn is a step, and matches when the target after it is the recorded one. A policy
     * over its own turns matches in all, always.
     *
     * @param start what was known before the first of them; its memory must be the policy's own, or none
     */
    public static Replay ofTurns(PolicyState start, List<Recorded> turns, Policy policy) {
        List<Difference> differences = new ArrayList<>();
        PolicyState state = start;
        Target recorded = start.wanted();
        int step = 0;
        for (Recorded taken : turns) {
            step++;
            for (Command command : taken.commands()) {
                recorded = command.match(ScaleTo::workers);
            }
            Turn turn = Turn.take(state, taken.seen(), policy);
            state = turn.state();
            differ(step, recorded, turn).ifPresent(differences::add);
        }
        return new Replay(step, differences);
    }

    /**
     * Over a table of windows. A step is a row that has a next row, unless its window cannot be true and is dropped; it
     * matches when the policy's target after it is the next row's workers. The job has its first row's workers to begin
     * with, no limits but the policy's own, and there is always one free worker more in its pool.
     */
    public static Replay ofWindows(List<WindowTable.Row> rows, Policy policy) {
        List<Difference> differences = new ArrayList<>();
        int steps = 0;
        Optional<PolicyState> known = Optional.empty();
        for (int i = 0; i < rows.size(); i++) {
            WindowTable.Row row = rows.get(i);
            if (row.window().isEmpty()) {
                continue;
            }
            WindowClosed window = row.window().get();
            PolicyState before = known.orElseGet(() -> begun(window));
            before = Turn.take(
                            before,
                            new PoolChanged(
                                    window.at(),
                                    row.workers().remote() + 1,
                                    row.workers().remote() + 1),
                            policy)
                    .state();
            before = Turn.take(before, new Granted(window.at(), row.workers()), policy)
                    .state();
            Turn turn = Turn.take(before, window, policy);
            known = Optional.of(turn.state());
            if (i + 1 < rows.size()) {
                steps++;
                differ(steps, rows.get(i + 1).workers(), turn).ifPresent(differences::add);
            }
        }
        return new Replay(steps, differences);
    }

    /** A job that the first window's workers serve, as somebody decided. */
    private static PolicyState begun(WindowClosed first) {
        Terms terms = new Terms(
                Terms.Goal.COST,
                Terms.USUAL.prices(),
                new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE),
                Double.POSITIVE_INFINITY);
        List<Observation> seen =
                List.of(new TermsSet(first.at(), terms), new Planned(first.at(), Integer.MAX_VALUE, 0, false));
        PolicyState state = PolicyState.UNKNOWN;
        for (Observation observation : seen) {
            state = state.apply(observation);
        }
        return state.apply(
                Decision.of(first.at(), new ScaleTo(first.tasks()), "the table begins with " + first.tasks()));
    }

    private static Optional<Difference> differ(int step, Target recorded, Turn turn) {
        Target decided = turn.state().wanted();
        return decided.equals(recorded)
                ? Optional.empty()
                : Optional.of(new Difference(
                        step,
                        turn.seen().at(),
                        recorded,
                        decided,
                        turn.decision().reason()));
    }
}
