package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Turn;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import io.praline.schema.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes every decision down with its reason, numbered for each job and for the pool. Which splits go to an attempt that
 * runs is none: it follows from the order and the room, which are fixed, and would be most of the journal.
 */
final class Journal {
    /** A journal that retention has cut can be replayed from one of these on. */
    private static final long SNAPSHOT_EVERY = 1_000;

    private final Outgoing out;

    Journal(Outgoing out) {
        this.out = out;
    }

    /** One decision of the dispatcher's own rules. */
    record Entry(Observed seen, List<Decided> decided, String reason, Map<String, Double> numbers) {
        Entry(Observed seen, Decided decided, String reason) {
            this(seen, List.of(decided), reason, Map.of());
        }

        Entry(Observed seen, String reason) {
            this(seen, List.of(), reason, Map.of());
        }
    }

    void write(Job job, Instant at, Entry entry) {
        long sequence = job.row().nextJournal();
        job.changed();
        JobPolicy leading = job.leading();
        Optional<Snapshot> snapshot = sequence % SNAPSHOT_EVERY == 0
                ? Optional.of(DecisionWriter.snapshot(leading.policy(), leading.state()))
                : Optional.empty();
        out.journal(written(job.id(), job.pool(), sequence, at, entry, snapshot));
    }

    void write(Pool pool, Instant at, Entry entry) {
        long sequence = pool.row().journal();
        pool.row(pool.row().withJournal(sequence + 1));
        out.journal(written("pool:" + pool.name(), pool.name(), sequence, at, entry, Optional.empty()));
    }

    private static JournalEntry written(
            String key, String pool, long sequence, Instant at, Entry entry, Optional<Snapshot> snapshot) {
        return DecisionWriter.entry(
                new DecisionWriter.Line(key, pool, sequence, at),
                entry.seen(),
                entry.decided(),
                entry.reason(),
                entry.numbers(),
                snapshot);
    }

    /** The policies' turn: what they decide on an observation, which is written down with it. */
    void turn(Pool pool, Job job, Observation seen) {
        job.shadow().ifPresent(shadow -> look(job, shadow, seen));
        JobPolicy leading = job.leading();
        PolicyState before = leading.state();
        Turn turn = leading.turn(seen);
        boolean breaksFirst = leading.breaksFirst(turn);
        if (!breaksFirst && isNothing(before, turn)) {
            return;
        }
        // the snapshot that may go with it is of the state before
        write(job, seen.at(), entry(job, turn, breaksFirst));
        leading.keep(turn);
        if (breaksFirst) {
            out.broken(job.id(), leading.policy().name(), turn.broken().get());
        }
        if (turn.broken().isPresent() && turn.state().scaledAt().equals(Instant.EPOCH)) {
            job.doom("policy " + leading.policy().name() + " broke at its first decision: "
                    + Turn.inALine(turn.broken().get()));
            pool.turnDue(true);
        }
        Target wanted = turn.state().wanted();
        if (wanted.remote() != before.wanted().remote()) {
            pool.turnDue(true);
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
            write(
                    job,
                    seen.at(),
                    new Entry(
                            DecisionWriter.shadow(DecisionWriter.observed(job.id(), seen)),
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
            Entry would = entry(job, turn, false);
            String reason = "shadow policy " + shadow.policy().name() + ": " + would.reason();
            write(
                    job,
                    seen.at(),
                    new Entry(DecisionWriter.shadow(would.seen()), would.decided(), reason, would.numbers()));
        }
    }

    /** Time that passed and changed nothing is not kept: what it cost is counted with the next observation. */
    private static boolean isNothing(PolicyState before, Turn turn) {
        return turn.seen() instanceof Observation.Clock
                && turn.decision().commands().isEmpty()
                && turn.state().memory().equals(before.memory());
    }

    /** What a policy threw is told once. */
    private static Entry entry(Job job, Turn turn, boolean breaksFirst) {
        Decision decision = turn.decision();
        boolean breaksAgain = turn.broken().isPresent() && !breaksFirst;
        return new Entry(
                DecisionWriter.observed(job.id(), turn.seen()),
                DecisionWriter.decided(job.id(), decision),
                breaksAgain ? "its policy broke again, the target stays as it is" : decision.reason(),
                decision.numbers());
    }
}
