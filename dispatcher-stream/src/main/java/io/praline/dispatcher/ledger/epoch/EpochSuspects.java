package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The splits of an epoch that were open when workers crashed. Owned by the stream thread. */
final class EpochSuspects {
    private final Rows rows;
    private final String job;
    private final int epoch;
    private final SortedMap<Long, SuspectRow> suspects = new TreeMap<>();
    private final SortedSet<Long> alone = new TreeSet<>();
    private final SortedSet<Long> changed = new TreeSet<>();

    EpochSuspects(Rows rows, String job, int epoch) {
        this.rows = rows;
        this.job = job;
        this.epoch = epoch;
        rows.each(
                RowKey.of(RowKey.SUSPECT, job, epoch),
                (key, value) -> suspects.put((long) RowKey.lastNumber(key), SuspectRow.decode(value)));
        suspects.forEach(this::noteAlone);
    }

    private void noteAlone(long ordinal, SuspectRow suspect) {
        if (suspect.alone()) {
            alone.add(ordinal);
        }
    }

    /** It was open once more. */
    SuspectRow crashed(long ordinal, SuspectRow.Crash crash) {
        SuspectRow suspect = change(ordinal);
        suspect.crashed(crash);
        noteAlone(ordinal, suspect);
        return suspect;
    }

    /** To be changed; a new one where there was none. */
    SuspectRow change(long ordinal) {
        changed.add(ordinal);
        return suspects.computeIfAbsent(ordinal, none -> new SuspectRow());
    }

    Optional<SuspectRow> of(long ordinal) {
        return Optional.ofNullable(suspects.get(ordinal));
    }

    /** Whether it is read alone or not at all. */
    boolean isAlone(long ordinal) {
        return alone.contains(ordinal);
    }

    /** Those that are read alone or not at all. */
    SortedSet<Long> alone() {
        return alone.isEmpty() ? Collections.emptySortedSet() : new TreeSet<>(alone);
    }

    /** The split that the attempt reads alone; empty where it reads none so. */
    Optional<Long> readBy(int attempt) {
        return alone.stream()
                .filter(ordinal -> suspects.get(ordinal).reader().equals(OptionalInt.of(attempt)))
                .findFirst();
    }

    /** Nothing is suspicious about it any more. */
    void remove(long ordinal) {
        if (suspects.remove(ordinal) != null) {
            alone.remove(ordinal);
            changed.remove(ordinal);
            rows.delete(RowKey.of(RowKey.SUSPECT, job, epoch, (int) ordinal));
        }
    }

    /** Writes what changed. */
    void save() {
        changed.forEach(ordinal -> rows.put(
                RowKey.of(RowKey.SUSPECT, job, epoch, ordinal.intValue()),
                suspects.get(ordinal).encode()));
        changed.clear();
    }
}
