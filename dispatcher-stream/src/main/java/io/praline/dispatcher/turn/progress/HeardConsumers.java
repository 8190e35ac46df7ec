package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.ledger.ConsumerRow;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When a job's consumers were last heard, and which of their generations are known to have nothing. In memory only: the next
 * beats tell it again, and the accounts the rest. Owned by the stream thread.
 */
public final class HeardConsumers {
    private final SortedMap<Integer, Instant> heard = new TreeMap<>();
    private final SortedMap<Integer, Instant> silentFrom = new TreeMap<>();
    private final SortedMap<Integer, Long> beats = new TreeMap<>();
    private final Set<Integer> cleared = new HashSet<>();

    /** It was heard of. */
    public void heard(int consumer, Instant at) {
        heard.put(consumer, at);
        silentFrom.put(consumer, at);
    }

    /** Log time from which its silence is counted: where nothing came since this dispatcher took over, from now on. */
    public Instant silentFrom(int consumer, Instant now) {
        return silentFrom.computeIfAbsent(consumer, none -> now);
    }

    /** When it was heard last; empty where nothing came since this dispatcher took over. */
    public Optional<Instant> lastOf(int consumer) {
        return Optional.ofNullable(heard.get(consumer));
    }

    /** Nobody could be heard until now. */
    public void anew(Instant at) {
        silentFrom.replaceAll((consumer, before) -> at);
    }

    /** A beat of this number of its process was counted. */
    public void beat(int consumer, long number) {
        beats.merge(consumer, number, Math::max);
    }

    /** Another process holds its place, or the same in another generation. */
    public void comes(int consumer) {
        beats.remove(consumer);
    }

    /** The newest beat of each consumer's process. */
    public SortedMap<Integer, Long> beats() {
        return Collections.unmodifiableSortedMap(beats);
    }

    /** By the accounts a doubtful generation has nothing: its lanes are never opened again, so that this stays so. */
    public void clear(int generation) {
        cleared.add(generation);
    }

    /** Whether something may be with processes of this place of which nobody knows. */
    public boolean doubts(ConsumerRow place) {
        return !cleared.containsAll(place.doubtful());
    }

    /** Whether a generation is known to have nothing. */
    public boolean isCleared(int generation) {
        return cleared.contains(generation);
    }
}
