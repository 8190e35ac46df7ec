package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.ledger.ClockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What time it is for the dispatcher:
 *
 * <pre>
 *   time = time of the first event + sum of the steps between the stamps of the log of beats, each in 0..2 s
 * </pre>
 *
 * All stamps of one log come from one broker at a time, so a step between them is time that passed, but where that broker
 * is replaced by another or its clock is set: then it counts for no more than 2 s. Stamps of other logs, which other brokers
 * make, are compared with nothing: what they tell happens when it is read. Owned by the stream thread.
 */
public final class LogClock {
    private static final Duration LONGEST_STEP = Duration.ofSeconds(2);

    /** A clock comes every second. So long without one, nobody could write to the log, and nobody can have been heard. */
    private static final Duration AWAY = Duration.ofSeconds(3);

    private Optional<ClockRow> now;
    private Optional<Instant> ticked = Optional.empty();

    /** @param row as a dispatcher before left it; empty where there was none */
    public LogClock(Optional<ClockRow> row) {
        this.now = row;
    }

    /** The event at the time that it is now. */
    public Event timed(Event event) {
        ClockRow before = now.orElseGet(() -> ClockRow.at(event.at()));
        boolean beats = event.match(new OfBeats());
        ClockRow after = beats ? before.after(step(before.stamp(), event.at()), event.at()) : before;
        now = Optional.of(after);
        if (event instanceof Event.Tick tick) {
            // before the first one, whatever else came tells that the log was there
            Instant last = ticked.orElse(before.stamp());
            boolean away = Duration.between(last, tick.at()).compareTo(AWAY) > 0;
            ticked = Optional.of(tick.at());
            return new Event.Tick(after.time(), tick.pool(), away);
        }
        return event.at(after.time());
    }

    /** What is to be remembered; empty before the first event. */
    public Optional<ClockRow> row() {
        return now;
    }

    private static Duration step(Instant from, Instant to) {
        Duration step = Duration.between(from, to);
        if (step.isNegative()) {
            return Duration.ZERO;
        }
        return step.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : step;
    }

    /** Whether an event was read from the log of beats. */
    private static final class OfBeats implements Event.Cases<Boolean> {
        @Override
        public Boolean request(Event.Request request) {
            return false;
        }

        @Override
        public Boolean plan(Event.Plan plan) {
            return false;
        }

        @Override
        public Boolean beat(Event.Beat beat) {
            return true;
        }

        @Override
        public Boolean actuator(Event.Actuator report) {
            return true;
        }

        @Override
        public Boolean order(Event.Order measured) {
            return true;
        }

        @Override
        public Boolean tick(Event.Tick tick) {
            return true;
        }

        @Override
        public Boolean client(Event.Client client) {
            return false;
        }

        @Override
        public Boolean report(Event.Report report) {
            return false;
        }
    }
}
