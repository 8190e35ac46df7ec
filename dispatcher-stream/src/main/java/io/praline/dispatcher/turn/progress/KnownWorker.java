package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.AttemptKey;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A live worker, and when it was last heard of. Owned by the stream thread. */
public final class KnownWorker {
    private WorkerRow row;
    private Optional<Instant> heard = Optional.empty();
    private Optional<Instant> beaten = Optional.empty();
    private final Confirmations confirmations = new Confirmations();
    private final Map<AttemptKey, Instant> strays = new TreeMap<>();
    private SortedSet<AttemptKey> listed = new TreeSet<>();
    private Set<String> planning = Set.of();
    private int cores = 1;

    public KnownWorker(WorkerRow row) {
        this.row = row;
    }

    public WorkerRow row() {
        return row;
    }

    public void row(WorkerRow changed) {
        row = changed;
    }

    public Place place() {
        return row.place();
    }

    /** Log time from which its silence is counted; empty where nothing came since this dispatcher took over. */
    public Optional<Instant> heard() {
        return heard;
    }

    public void heard(Instant at) {
        heard = Optional.of(at);
    }

    /** Cores that it may use; 1 where nothing came since this dispatcher took over. */
    public int cores() {
        return cores;
    }

    /** It beats, and says how many cores it may use. */
    public void beat(Instant at, int itsCores) {
        cores = Math.max(1, itsCores);
        heard = Optional.of(at);
        beaten = Optional.of(at);
    }

    /** Log time of its last beat, in which it listed all that it has; empty where none came since this dispatcher took over. */
    public Optional<Instant> beaten() {
        return beaten;
    }

    /** When each attempt that it should not have any more was last fenced again. */
    public Map<AttemptKey, Instant> strays() {
        return strays;
    }

    /** What it told that it need not tell again. */
    public Confirmations confirmations() {
        return confirmations;
    }

    /** Its newest beat lists these; gives those that its beat before listed and this one does not. */
    public SortedSet<AttemptKey> lists(SortedSet<AttemptKey> now) {
        SortedSet<AttemptKey> missing = new TreeSet<>(listed);
        missing.removeAll(now);
        listed = now;
        return missing;
    }

    /** Jobs whose plan it said it is making. */
    public Set<String> planning() {
        return planning;
    }

    public void planning(Set<String> jobs) {
        planning = Set.copyOf(jobs);
    }
}
