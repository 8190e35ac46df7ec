package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The attempts of an epoch that are not closed, and which of them are where: by what they do, and by the process that runs
 * them. So whoever wants the few of which something is true need not look at all. Owned by the stream thread.
 */
final class EpochAttempts {
    private final Rows rows;
    private final String job;
    private final int epoch;
    private final SortedMap<Integer, AttemptRow> attempts = new TreeMap<>();
    private final SortedMap<Integer, AttemptRow> seen = Collections.unmodifiableSortedMap(attempts);
    private final SortedMap<Integer, Place> places = new TreeMap<>();
    private final Map<AttemptRow.State, SortedSet<Integer>> byState = new EnumMap<>(AttemptRow.State.class);
    private final Map<AttemptRow.State, SortedSet<Integer>> seenByState = new EnumMap<>(AttemptRow.State.class);
    private final Map<String, SortedSet<Integer>> byProcess = new TreeMap<>();
    private final SortedSet<Integer> unsaved = new TreeSet<>();
    private final SortedSet<Integer> stirred = new TreeSet<>();

    EpochAttempts(Rows rows, String job, int epoch) {
        this.rows = rows;
        this.job = job;
        this.epoch = epoch;
        for (AttemptRow.State state : AttemptRow.State.values()) {
            SortedSet<Integer> its = new TreeSet<>();
            byState.put(state, its);
            seenByState.put(state, Collections.unmodifiableSortedSet(its));
        }
        rows.each(
                RowKey.of(RowKey.PLACE, job, epoch),
                (key, value) -> places.put(RowKey.lastNumber(key), Place.decode(value)));
        rows.each(
                RowKey.of(RowKey.ATTEMPT, job, epoch),
                (key, value) -> restore(RowKey.lastNumber(key), AttemptRow.decode(value)));
    }

    private void restore(int attempt, AttemptRow row) {
        attempts.put(attempt, row);
        byState.get(row.state()).add(attempt);
        byProcess
                .computeIfAbsent(places.get(attempt).incarnation(), none -> new TreeSet<>())
                .add(attempt);
        stirred.add(attempt);
    }

    /** A new one. */
    void add(int attempt, Place place, AttemptGraph graph) {
        places.put(attempt, place);
        restore(attempt, new AttemptRow(graph));
        unsaved.add(attempt);
        rows.put(RowKey.of(RowKey.PLACE, job, epoch, attempt), place.encode());
    }

    SortedMap<Integer, AttemptRow> all() {
        return seen;
    }

    /** Null where there is none. */
    AttemptRow get(int attempt) {
        return attempts.get(attempt);
    }

    Place place(int attempt) {
        return places.get(attempt);
    }

    SortedSet<Integer> in(AttemptRow.State state) {
        return seenByState.get(state);
    }

    SortedSet<Integer> at(Place place) {
        return Collections.unmodifiableSortedSet(byProcess.getOrDefault(place.incarnation(), new TreeSet<>()));
    }

    /** Its row has changed. */
    void changed(int attempt) {
        AttemptRow.State now = attempts.get(attempt).state();
        if (byState.get(now).add(attempt)) {
            byState.forEach((state, its) -> {
                if (state != now) {
                    its.remove(attempt);
                }
            });
        }
        unsaved.add(attempt);
        stirred.add(attempt);
    }

    /** Those whose rows have changed since this was last asked, and all at first. */
    List<Integer> takeStirred() {
        List<Integer> some = List.copyOf(stirred);
        stirred.clear();
        return some;
    }

    /** It is closed. */
    void remove(int attempt) {
        attempts.remove(attempt);
        String process = places.remove(attempt).incarnation();
        byState.values().forEach(its -> its.remove(attempt));
        SortedSet<Integer> beside = byProcess.get(process);
        beside.remove(attempt);
        if (beside.isEmpty()) {
            byProcess.remove(process);
        }
        unsaved.remove(attempt);
        stirred.remove(attempt);
        rows.delete(RowKey.of(RowKey.ATTEMPT, job, epoch, attempt));
        rows.delete(RowKey.of(RowKey.PLACE, job, epoch, attempt));
    }

    /** Writes what changed. */
    void save() {
        for (int attempt : unsaved) {
            rows.put(
                    RowKey.of(RowKey.ATTEMPT, job, epoch, attempt),
                    attempts.get(attempt).encode());
        }
        unsaved.clear();
    }
}
