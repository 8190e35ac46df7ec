package io.praline.dispatcher.turn.progress;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What processes of workers had open of a job when its consumers could not reach them any more: whether such a process
 * crashed is known only later. In memory only. Owned by the stream thread.
 */
public final class Blame {
    private static final int MOST_PROCESSES = 100;

    private Instant aloneFrom = Instant.EPOCH;

    private final Map<String, Seen> byProcess = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST_PROCESSES;
        }
    };

    /** From when on something may be read alone again: before it is not known whether whoever did so last has crashed. */
    public Instant aloneFrom() {
        return aloneFrom;
    }

    public void aloneFrom(Instant at) {
        aloneFrom = at;
    }

    /**
     * An open split.
     *
     * @param alone whether an attempt read nothing else
     */
    public record Open(int epoch, long ordinal, boolean alone) implements Comparable<Open> {
        private static final Comparator<Open> IN_ORDER = Comparator.comparingInt(Open::epoch)
                .thenComparingLong(Open::ordinal)
                .thenComparing(Open::alone);

        @Override
        public int compareTo(Open other) {
            return IN_ORDER.compare(this, other);
        }
    }

    private record Seen(Set<Open> open, Instant at) {}

    /** A consumer cannot reach a process, which had this open. */
    public void unreached(String incarnation, Set<Open> open, Instant at) {
        Set<Open> all = new HashSet<>(open);
        Optional.ofNullable(byProcess.get(incarnation)).ifPresent(before -> all.addAll(before.open));
        byProcess.put(incarnation, new Seen(Set.copyOf(all), at));
    }

    /** What the process had open when it was not reached, if it has not beaten since; it is not blamed again. */
    public Optional<Set<Open>> take(String incarnation, Optional<Instant> beaten) {
        return Optional.ofNullable(byProcess.remove(incarnation))
                .filter(seen -> beaten.filter(beat -> beat.isAfter(seen.at)).isEmpty())
                .map(Seen::open);
    }
}
