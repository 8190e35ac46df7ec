package io.praline.dispatcher.turn.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a task can make, from what its beats tell:
 *
 * <pre>
 *   rate = elements made / busy seconds, both since the measurement began, which is not before the first batch
 * </pre>
 *
 * The first is told early, since a policy waits for it; later ones are measured for longer, and told only where they differ.
 * An attempt that is over before it could tell one leaves what was measured to the next on its worker, since an epoch may be
 * shorter than any measurement.
 * Owned by the stream thread.
 */
public final class RateMeter {
    private static final Totals NOTHING = new Totals(0, 0, 0, 0, 0);
    private static final Totals FIRST = new Totals(4, 0, 0, 0, 2);
    private static final Totals LATER = new Totals(16, 0, 0, 0, 10);
    /** Of a batch that takes longer than this, one is enough. */
    private static final double LONG_SECONDS = 20;

    private static final double CHANGE = 0.10;

    /** What lies in a batch that is being made is counted with the next one. */
    private static final double ALL = 0.95;

    private static final Duration TOLD_EVERY = Duration.ofSeconds(5);

    private Totals from = NOTHING;
    private Totals last = NOTHING;
    private Rest before = new Rest(NOTHING, 0);
    private boolean started;
    private Made made = Made.BOTH;
    private int beside;
    private OptionalDouble told = OptionalDouble.empty();
    private Instant toldAt = Instant.EPOCH;

    /**
     * What an attempt did so far.
     *
     * @param batches made
     * @param elements in them
     * @param cached elements of these that came from entries
     * @param stored splits of which it made an entry
     * @param busySeconds in which it was held back by nothing
     */
    public record Totals(long batches, long elements, long cached, long stored, double busySeconds) {
        private Made made() {
            if (cached == 0 && stored == 0) {
                return Made.COMPUTED;
            }
            return cached >= ALL * elements ? Made.CACHED : Made.BOTH;
        }

        private Totals minus(Totals other) {
            return new Totals(
                    batches - other.batches,
                    elements - other.elements,
                    cached - other.cached,
                    stored - other.stored,
                    busySeconds - other.busySeconds);
        }

        private Totals plus(Totals other) {
            return new Totals(
                    batches + other.batches,
                    elements + other.elements,
                    cached + other.cached,
                    stored + other.stored,
                    busySeconds + other.busySeconds);
        }
    }

    /**
     * What was measured and not told.
     *
     * @param beside tasks that shared the host meanwhile
     */
    record Rest(Totals measured, int beside) {
        /** With what another attempt left; of another number of tasks the newer one stays. */
        Rest and(Rest newer) {
            return beside == newer.beside ? new Rest(measured.plus(newer.measured), beside) : newer;
        }
    }

    /** What is left where the attempt is over; empty where it told a rate. Of one that was seen once, its start is part of it. */
    Optional<Rest> rest() {
        if (told.isPresent()) {
            return Optional.empty();
        }
        Totals own = last.elements > from.elements ? last.minus(from) : last;
        Rest rest = before.and(new Rest(own, beside));
        return rest.measured.elements > 0 ? Optional.of(rest) : Optional.empty();
    }

    /** It goes on from what an attempt before it left. */
    void goesOn(Rest rest) {
        before = rest;
    }

    /** Whether it has told a rate. */
    boolean told() {
        return told.isPresent();
    }

    /** Where the elements came from of which a rate tells. */
    public enum Made {
        /** All of them were computed, and nothing was written. */
        COMPUTED,
        /** All of them came from entries. */
        CACHED,
        /** Some came from entries, or were also written. */
        BOTH
    }

    /** Where the elements came from of which the last rate tells. */
    public Made made() {
        return made;
    }

    /**
     * The rate in elements/s, where it is news.
     *
     * @param besideNow tasks that it shares its host with
     */
    public OptionalDouble seen(Totals now, int besideNow, Instant at) {
        last = now;
        boolean starting = !started && now.batches > 0;
        started = now.batches > 0;
        if (besideNow != beside) {
            // what it made beside another number of tasks says nothing of how it does now
            beside = besideNow;
            from = now;
            told = OptionalDouble.empty();
        } else if (starting && now.busySeconds - from.busySeconds < LONG_SECONDS) {
            // until its first batch it was starting, which it does once
            from = now;
        }
        if (before.beside != beside) {
            before = new Rest(NOTHING, beside);
        }
        Totals measured = now.minus(from).plus(before.measured);
        long elements = measured.elements;
        double seconds = measured.busySeconds;
        Totals enough = told.isEmpty() ? FIRST : LATER;
        boolean known = measured.batches >= enough.batches && seconds >= enough.busySeconds;
        if (elements <= 0 || !(known || seconds >= LONG_SECONDS)) {
            return OptionalDouble.empty();
        }
        double rate = elements / seconds;
        boolean news = told.isEmpty() || Math.abs(rate / told.getAsDouble() - 1) > CHANGE;
        if (news && Duration.between(toldAt, at).compareTo(TOLD_EVERY) < 0) {
            return OptionalDouble.empty();
        }
        made = measured.made();
        from = now;
        before = new Rest(NOTHING, beside);
        if (!news) {
            return OptionalDouble.empty();
        }
        told = OptionalDouble.of(rate);
        toldAt = at;
        return told;
    }
}
