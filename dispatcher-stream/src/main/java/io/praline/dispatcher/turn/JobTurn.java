package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.JobPolicy;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Turn;
import java.time.Instant;

/** The job's turn: its policies see something, and decide how many workers it wants. */
final class JobTurn {
    private final Journal journal;
    private final Outgoing out;

    JobTurn(Journal journal, Outgoing out) {
        this.journal = journal;
        this.out = out;
    }

    /** What the job's policies decide on an observation, which is written down with it. */
    void take(Pool pool, Job job, Observation seen) {
        job.shadow().ifPresent(shadow -> look(job, shadow, seen));
        JobPolicy leading = job.leading();
        PolicyState before = leading.state();
        Turn turn = leading.turn(seen);
        boolean breaksFirst = leading.breaksFirst(turn);
        if (!breaksFirst && isNothing(before, turn)) {
            return;
        }
        // the snapshot that may go with it is of the state before
        journal.write(job, seen.at(), entry(job, turn, breaksFirst));
        leading.keep(turn);
        if (breaksFirst) {
            out.broken(job.id(), leading.policy().name(), turn.broken().get());
        }
        if (turn.broken().isPresent() && turn.state().scaledAt().equals(Instant.EPOCH)) {
            job.doom("policy " + leading.policy().name() + " broke at its first decision: "
                    + Turn.inALine(turn.broken().get()));
            pool.due(TurnCause.JOB_ENDED);
        }
        Target wanted = turn.state().wanted();
        if (wanted.remote() != before.wanted().remote()) {
            pool.due(TurnCause.TARGET_CHANGED);
        } else if (!wanted.equals(before.wanted())) {
            pool.moves(job);
        }
    }

    /** A policy that only looks on: written down when it would have done something, and not carried out. */
    private void look(Job job, JobPolicy shadow, Observation seen) {
        PolicyState before = shadow.state();
        Turn turn = shadow.turn(seen);
        if (turn.broken().isPresent()) {
            RuntimeException broken = turn.broken().get();
            String name = shadow.policy().name();
            journal.write(
                    job,
                    seen.at(),
                    new Journal.Entry(
                            DecisionWriter.shadow(job.id(), seen),
                            "shadow policy " + name + " broke and is not asked again: " + Turn.inALine(broken)));
            out.broken(job.id(), name, broken);
            job.dropShadow();
            return;
        }
        if (isNothing(before, turn)) {
            return;
        }
        shadow.keep(turn);
        if (!turn.decision().commands().isEmpty()) {
            Journal.Entry would = entry(job, turn, false);
            String reason = "shadow policy " + shadow.policy().name() + ": " + would.reason();
            journal.write(
                    job,
                    seen.at(),
                    new Journal.Entry(DecisionWriter.shadow(job.id(), seen), would.decided(), reason, would.numbers()));
        }
    }

    /** Time that passed and changed nothing is not kept: what it cost is counted with the next observation. */
    private static boolean isNothing(PolicyState before, Turn turn) {
        return turn.seen() instanceof Observation.Clock
                && turn.decision().commands().isEmpty()
                && turn.state().memory().equals(before.memory());
    }

    /** What a policy threw is told once. */
    private static Journal.Entry entry(Job job, Turn turn, boolean breaksFirst) {
        Decision decision = turn.decision();
        boolean breaksAgain = turn.broken().isPresent() && !breaksFirst;
        return new Journal.Entry(
                DecisionWriter.observed(job.id(), turn.seen()),
                DecisionWriter.decided(job.id(), decision),
                breaksAgain ? "its policy broke again, the target stays as it is" : decision.reason(),
                decision.numbers());
    }
}
