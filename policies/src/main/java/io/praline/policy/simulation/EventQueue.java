package io.praline.policy.simulation;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** What is still to happen. What is due at the same moment happens in the order in which it was planned. */
final class EventQueue {
    /** Far from {@link Instant#EPOCH}, which means "never" to policies. */
    private static final Instant BEGINNING = Instant.ofEpochSecond(1_000_000_000);

    private record Event(double at, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
    private long planned;
    private double now;

    /** Seconds since the beginning. */
    double now() {
        return now;
    }

    Instant instant() {
        return BEGINNING.plusNanos(Math.round(now * 1e9));
    }

    void in(double seconds, Runnable action) {
        events.add(new Event(now + seconds, planned++, action));
    }

    /** When the next event happens; infinite where none does. */
    double nextAt() {
        return events.isEmpty() ? Double.POSITIVE_INFINITY : events.element().at;
    }

    void next() {
        Event event = events.remove();
        now = event.at;
        event.action.run();
    }
}
