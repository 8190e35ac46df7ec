package io.praline.dispatcher.replay;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Turn;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import io.praline.schema.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A journal as the dispatcher writes it, of turns that a policy takes on what it is shown. */
final class Journals {
    private final Policy policy;
    private final int snapshotEvery;
    private final List<JournalEntry> entries = new ArrayList<>();
    private PolicyState state = PolicyState.UNKNOWN;

    Journals(Policy policy, int snapshotEvery) {
        this.policy = policy;
        this.snapshotEvery = snapshotEvery;
    }

    static List<JournalEntry> of(Policy policy, List<Observation> seen) {
        Journals journal = new Journals(policy, DecisionWriter.ENTRIES_A_SNAPSHOT);
        seen.forEach(journal::turn);
        return journal.entries();
    }

    List<JournalEntry> entries() {
        return entries;
    }

    void turn(Observation seen) {
        Turn turn = Turn.take(state, seen, policy);
        add(seen.at().toEpochMilli(), DecisionWriter.observed("train", seen), turn);
        state = turn.state();
    }

    /** A turn of the dispatcher's own. */
    void own(long millis, JournalKind kind) {
        add(millis, DecisionWriter.observed(kind, "w1", Map.of()), null);
    }

    private void add(long millis, Observed seen, Turn turn) {
        int sequence = entries.size();
        Snapshot snapshot = sequence % snapshotEvery == 0 ? DecisionWriter.snapshot(policy, state) : null;
        entries.add(JournalEntry.newBuilder()
                .setJob("train")
                .setPool("default")
                .setSequence(sequence)
                .setAtMillis(millis)
                .setObservation(seen)
                .setDecision(turn == null ? List.of() : DecisionWriter.decided("train", turn.decision()))
                .setReason(turn == null ? "by its own rules" : turn.decision().reason())
                .setNumbers(
                        turn == null
                                ? new TreeMap<>()
                                : new TreeMap<>(turn.decision().numbers()))
                .setSnapshot(snapshot)
                .build());
    }
}
