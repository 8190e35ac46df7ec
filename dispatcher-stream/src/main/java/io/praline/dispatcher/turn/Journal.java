package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.policy.Decision;
import io.praline.policy.JobState;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.Turn;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import io.praline.schema.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes every decision down with its reason, numbered for each job and for the pool. Which splits go to an attempt that
 * runs is none: it follows from the order and the room, which are fixed, and would be most of the journal.
 */
final class Journal {
    /** A journal that retention has cut can be replayed from one of these on. */
    private static final long SNAPSHOT_EVERY = 1_000;

    private final Policy policy;
    private final Outgoing out;

    Journal(Policy policy, Outgoing out) {
        this.policy = policy;
        this.out = out;
    }

    /** One decision of the dispatcher's own rules. */
    record Entry(Observed seen, List<Decided> decided, String reason, Map<String, Double> numbers) {
        Entry(Observed seen, Decided decided, String reason) {
            this(seen, List.of(decided), reason, Map.of());
        }
    }

    void write(OpenJob job, Instant at, Entry entry) {
        long sequence = job.row().nextJournal();
        job.changed();
        JobState state = job.row().policyState();
        Optional<Snapshot> snapshot =
                sequence % SNAPSHOT_EVERY == 0 ? Optional.of(DecisionWriter.snapshot(policy, state)) : Optional.empty();
        out.journal(entry(job.id(), job.pool(), sequence, at, entry, snapshot));
    }

    void write(Pool pool, Instant at, Entry entry) {
        long sequence = pool.row().journal();
        pool.row(new PoolRow(pool.row().target(), sequence + 1));
        out.journal(entry("pool:" + pool.name(), pool.name(), sequence, at, entry, Optional.empty()));
    }

    /** The policy's turn: what it decides on an observation, which is written down with it. */
    void turn(OpenJob job, Observation seen) {
        JobState before = job.row().policyState();
        Turn turn = Turn.take(before, seen, policy);
        Decision decision = turn.decision();
        Entry entry = new Entry(
                DecisionWriter.observed(job.id(), seen),
                DecisionWriter.decided(job.id(), decision),
                decision.reason(),
                decision.numbers());
        boolean nothingNew = decision.commands().isEmpty() && turn.state().equals(before);
        if (!(nothingNew && seen instanceof Observation.Clock)) {
            // the snapshot that may go with it is of the state before
            write(job, seen.at(), entry);
        }
        job.row().policyState(turn.state());
        job.changed();
    }

    private static JournalEntry entry(
            String key, String pool, long sequence, Instant at, Entry entry, Optional<Snapshot> snapshot) {
        return JournalEntry.newBuilder()
                .setJob(key)
                .setPool(pool)
                .setSequence(sequence)
                .setAtMillis(at.toEpochMilli())
                .setObservation(entry.seen())
                .setDecision(entry.decided())
                .setReason(entry.reason())
                .setNumbers(new TreeMap<>(entry.numbers()))
                .setSnapshot(snapshot.orElse(null))
                .build();
    }
}
