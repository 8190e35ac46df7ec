package io.praline.dispatcher.turn.progress;

import io.praline.schema.ActuatorReport;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What came of a pool's targets, as whoever carries them out last told; it tells again every few seconds while there is more
 * to come. In memory only. Owned by the stream thread.
 */
public final class Capacities {
    private final Map<String, Told> bySubject = new TreeMap<>();

    private final Map<String, Instant> targetsTold = new TreeMap<>();

    private Optional<Instant> mostHeard = Optional.empty();

    private record Told(ActuatorReport report, Instant at) {}

    /** What came of the target of a subject; empty where nothing was heard of late. */
    public Optional<ActuatorReport> of(String subject) {
        return Optional.ofNullable(bySubject.get(subject)).map(Told::report);
    }

    /** Keeps what an actuator told; whether that changes anything. */
    public boolean told(ActuatorReport report, Instant at) {
        Told before = bySubject.put(report.getSubject(), new Told(report, at));
        return before == null || !before.report.equals(report);
    }

    /** Forgets what was told before this time, by whom and to whom it was. */
    public void forget(Instant before) {
        bySubject.values().removeIf(told -> told.at.isBefore(before));
        targetsTold.values().removeIf(told -> told.isBefore(before));
    }

    /** When it was last told how many workers may be started at most, since this dispatcher took over; empty where it was not. */
    public Optional<Instant> mostHeard() {
        return mostHeard;
    }

    public void mostHeard(Instant at) {
        mostHeard = Optional.of(at);
    }

    /** When the target of a subject was last told; empty where it was not of late, or before this dispatcher took over. */
    public Optional<Instant> targetTold(String subject) {
        return Optional.ofNullable(targetsTold.get(subject));
    }

    public void targetTold(String subject, Instant at) {
        targetsTold.put(subject, at);
    }

    public boolean isEmpty() {
        return bySubject.isEmpty();
    }
}
