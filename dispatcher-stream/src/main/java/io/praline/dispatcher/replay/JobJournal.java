package io.praline.dispatcher.replay;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.ObservationReader;
import io.praline.policy.Decision;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.policy.replay.Recorded;
import io.praline.policy.replay.Replay;
import io.praline.schema.JournalEntry;
import io.praline.schema.Snapshot;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The journal of one job, from where it can be replayed: its start, or the first snapshot that retention has left.
 *
 * @param job the job's id
 * @param begun what was known before the first entry that is replayed; empty: nothing, it is the job's start
 * @param skipped entries before the first snapshot
 * @param entries from there on, without a gap
 */
public record JobJournal(String job, Optional<Snapshot> begun, int skipped, List<JournalEntry> entries) {
    public JobJournal {
        entries = List.copyOf(entries);
    }

    /**
     * The journal in these entries.
     *
     * @throws IllegalArgumentException if they are of several jobs, have a gap, or no place to begin with
     */
    public static JobJournal of(List<JournalEntry> entries) {
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("the journal has no entry");
        }
        String job = entries.get(0).getJob();
        long next = entries.get(0).getSequence();
        for (JournalEntry entry : entries) {
            if (!entry.getJob().equals(job)) {
                throw new IllegalArgumentException(
                        "the journal is of several jobs, " + job + " and " + entry.getJob() + ": export one of them");
            }
            if (entry.getSequence() != next) {
                throw new IllegalArgumentException("the journal of job " + job + " has entry " + entry.getSequence()
                        + " where entry " + next + " should be: export it again");
            }
            next++;
        }
        for (int i = 0; i < entries.size(); i++) {
            JournalEntry entry = entries.get(i);
            if (entry.getSnapshot().isPresent() || entry.getSequence() == 0) {
                return new JobJournal(job, entry.getSnapshot(), i, entries.subList(i, entries.size()));
            }
        }
        throw new IllegalArgumentException("the journal of job " + job + " begins with entry "
                + entries.get(0).getSequence() + " and has no snapshot to go on from: there is one every "
                + DecisionWriter.ENTRIES_A_SNAPSHOT + " entries");
    }

    /**
     * The policy over it. Where the journal goes on from a snapshot of another policy, it begins without a memory.
     *
     * @throws IllegalArgumentException naming the entry or snapshot that cannot be read
     */
    public Replay replay(Policy policy) {
        List<Recorded> turns = entries.stream()
                .flatMap(entry -> ObservationReader.observation(entry)
                        .map(seen -> new Recorded(seen, ObservationReader.commands(entry.getDecision())))
                        .stream())
                .toList();
        return Replay.ofTurns(start(policy), turns, policy);
    }

    private PolicyState start(Policy policy) {
        if (begun.isEmpty()) {
            return PolicyState.UNKNOWN;
        }
        PolicyState state = PolicyStateText.read(begun.get().getState());
        return begun.get().getPolicy().equals(policy.name())
                ? state
                : state.apply(Decision.nothing(state.spending().at(), "another policy's memory is none of its own")
                        .remembering(Collections.emptySortedMap()));
    }
}
