package io.praline.deploy.page;

import io.praline.dispatcher.convert.ObservationReader;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.schema.JournalEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a job's journal tells of it as it is now; the newest entries suffice.
 *
 * @param state what its policy knows
 * @param whole whether that is known from the job's start on: else terms and money are not
 * @param sequence the newest entry's number
 * @param reason of the newest decision of its policy; empty before the first
 * @param windows the newest that each consumer closed, by consumer
 */
record JobFigures(
        PolicyState state, boolean whole, long sequence, String reason, SortedMap<Integer, WindowClosed> windows) {
    /** A consumer whose newest window is so much older than the newest of all measures no more. */
    private static final Duration CURRENT = Duration.ofMinutes(2);

    static final JobFigures NONE = new JobFigures(PolicyState.UNKNOWN, false, -1, "", Collections.emptySortedMap());

    JobFigures {
        windows = Collections.unmodifiableSortedMap(new TreeMap<>(windows));
    }

    /** With the next entry; as it is where that is one of those that it has. What cannot be read changes nothing but the number. */
    JobFigures then(JournalEntry entry) {
        if (entry.getSequence() <= sequence) {
            return this;
        }
        boolean follows = whole ? entry.getSequence() == sequence + 1 : entry.getSequence() == 0;
        try {
            Optional<PolicyState> snapshot = entry.getSnapshot().map(known -> PolicyStateText.read(known.getState()));
            PolicyState before = snapshot.orElse(state);
            boolean known = follows || snapshot.isPresent();
            return ObservationReader.observation(entry)
                    .map(seen -> took(before, known, entry, seen))
                    .orElseGet(() -> new JobFigures(before, known, entry.getSequence(), reason, windows));
        } catch (RuntimeException unreadable) { // of whatever build wrote it
            return new JobFigures(state, false, entry.getSequence(), reason, windows);
        }
    }

    private JobFigures took(PolicyState before, boolean known, JournalEntry entry, Observation seen) {
        Decision decided = new Decision(
                seen.at(),
                ObservationReader.commands(entry.getDecision()),
                entry.getReason(),
                Collections.emptySortedMap(),
                Optional.empty());
        SortedMap<Integer, WindowClosed> measured = new TreeMap<>(windows);
        if (seen instanceof WindowClosed window && window.seconds() > 0) {
            measured.put(window.consumer(), window);
        }
        return new JobFigures(
                before.apply(seen).apply(decided), known, entry.getSequence(), entry.getReason(), measured);
    }

    /** Windows of the consumers that measure now. */
    private Collection<WindowClosed> current() {
        Optional<Instant> newest = measuredAt();
        return windows.values().stream()
                .filter(window -> newest.isPresent()
                        && Duration.between(window.at(), newest.get()).compareTo(CURRENT) <= 0)
                .toList();
    }

    /** When the newest window closed, in log time. */
    Optional<Instant> measuredAt() {
        return windows.values().stream().map(WindowClosed::at).max(Instant::compareTo);
    }

    /** What all consumers together take. */
    double elementsPerSecond() {
        return current().stream()
                .mapToDouble(window -> window.elements() / window.seconds())
                .sum();
    }

    /** The share of its time that a training loop waits, 0 to 1, in the mean over consumers. */
    double waitShare() {
        return current().stream().mapToDouble(WindowClosed::waitShare).average().orElse(0);
    }

    /** In the mean over consumers. */
    double batchSeconds() {
        return current().stream()
                .filter(window -> window.batches() > 0)
                .mapToDouble(window -> window.seconds() / window.batches())
                .average()
                .orElse(0);
    }
}
