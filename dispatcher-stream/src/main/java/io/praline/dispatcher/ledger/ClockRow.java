package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What time it is for the dispatcher, which every other row counts in, and what that is for people.
 *
 * @param time by all steps so far
 * @param stamp of the record of the log of beats from which the next step is counted
 * @param shifts how far stamps were ahead of time, from when on; the oldest first. Time stands while nobody can write, stamps
 *     do not: a cluster that was down for a night is a night behind from then on
 */
public record ClockRow(Instant time, Instant stamp, List<Shift> shifts) {
    /** Less than this is no shift. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    /** Where there are more, the smallest is forgotten. */
    private static final int MOST = 64;

    /**
     * From here on people's time is ahead of the dispatcher's.
     *
     * @param from in the dispatcher's time
     * @param ahead how far; negative where a broker's clock was set back
     */
    public record Shift(Instant from, Duration ahead) {}

    public ClockRow {
        shifts = List.copyOf(shifts);
    }

    /** One that begins with this stamp. */
    public static ClockRow at(Instant stamp) {
        return new ClockRow(stamp, stamp, List.of());
    }

    /** So much later, by a record of this stamp. */
    public ClockRow after(Duration step, Instant now) {
        Instant then = time.plus(step);
        Duration ahead = Duration.between(then, now);
        if (ahead.minus(ahead(then)).abs().compareTo(LEAST) < 0) {
            return new ClockRow(then, now, shifts);
        }
        List<Shift> more = new ArrayList<>(shifts);
        more.add(new Shift(then, ahead));
        if (more.size() > MOST) {
            more.remove(smallest(more));
        }
        return new ClockRow(then, now, more);
    }

    private static int smallest(List<Shift> shifts) {
        int smallest = 0;
        Duration least = shifts.get(0).ahead().abs();
        for (int i = 1; i < shifts.size(); i++) {
            Duration by = shifts.get(i).ahead().minus(shifts.get(i - 1).ahead()).abs();
            if (by.compareTo(least) < 0) {
                smallest = i;
                least = by;
            }
        }
        return smallest;
    }

    /** What a moment of the dispatcher's time was by the stamps of the log of beats. */
    public Instant wall(Instant at) {
        return at.plus(ahead(at));
    }

    private Duration ahead(Instant at) {
        for (int i = shifts.size() - 1; i >= 0; i--) {
            if (!shifts.get(i).from().isAfter(at)) {
                return shifts.get(i).ahead();
            }
        }
        return Duration.ZERO;
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .number(time.toEpochMilli())
                .number(stamp.toEpochMilli())
                .number(shifts.size());
        for (Shift shift : shifts) {
            out.number(shift.from().toEpochMilli()).signed(shift.ahead().toMillis());
        }
        return out.bytes();
    }

    public static ClockRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Instant time = Instant.ofEpochMilli(in.number());
        Instant stamp = Instant.ofEpochMilli(in.number());
        if (!in.hasMore()) {
            return new ClockRow(time, stamp, List.of()).after(Duration.ZERO, stamp);
        }
        List<Shift> shifts = new ArrayList<>();
        for (int left = in.length(); left > 0; left--) {
            shifts.add(new Shift(Instant.ofEpochMilli(in.number()), Duration.ofMillis(in.signed())));
        }
        return new ClockRow(time, stamp, shifts);
    }
}
