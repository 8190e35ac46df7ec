package io.praline.dispatcher.turn.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * What a task can make, from what its beats tell:
 *
 * <pre>
 *   rate = elements made / busy seconds, both since the measurement began, which is not before the first batch
 * </pre>
 *
 * The first is told early, since a policy waits for it; later ones are measured for longer, and told only where they differ.
 * Owned by the stream thread.
 */
public final class RateMeter {
    private static final Totals FIRST = new Totals(4, 0, 2);
    private static final Totals LATER = new Totals(16, 0, 10);
    /** Of a batch that takes longer than this, one is enough. */
    private static final double LONG_SECONDS = 20;

    private static final double CHANGE = 0.10;
    private static final Duration TOLD_EVERY = Duration.ofSeconds(5);

    private Totals from = new Totals(0, 0, 0);
    private int beside;
    private OptionalDouble told = OptionalDouble.empty();
    private Instant toldAt = Instant.EPOCH;

    /**
     * What an attempt did so far.
     *
     * @param batches made
     * @param elements in them
     * @param busySeconds in which it was held back by nothing
     */
    public record Totals(long batches, long elements, double busySeconds) {}

    /**
     * The rate in elements/s, where it is news.
     *
     * @param besideNow tasks that it shares its host with
     */
    public OptionalDouble seen(Totals now, int besideNow, Instant at) {
        if (besideNow != beside) {
            // what it made beside another number of tasks says nothing of how it does now
            beside = besideNow;
            from = now;
            told = OptionalDouble.empty();
            return OptionalDouble.empty();
        }
        if (told.isEmpty()
                && from.batches == 0
                && now.batches > 0
                && now.busySeconds - from.busySeconds < LONG_SECONDS) {
            // until its first batch it was starting, which it does once
            from = now;
            return OptionalDouble.empty();
        }
        long elements = now.elements - from.elements;
        double seconds = now.busySeconds - from.busySeconds;
        Totals enough = told.isEmpty() ? FIRST : LATER;
        boolean known = now.batches - from.batches >= enough.batches && seconds >= enough.busySeconds;
        if (elements <= 0 || !(known || seconds >= LONG_SECONDS)) {
            return OptionalDouble.empty();
        }
        double rate = elements / seconds;
        boolean news = told.isEmpty() || Math.abs(rate / told.getAsDouble() - 1) > CHANGE;
        if (news && Duration.between(toldAt, at).compareTo(TOLD_EVERY) < 0) {
            return OptionalDouble.empty();
        }
        from = now;
        if (!news) {
            return OptionalDouble.empty();
        }
        told = OptionalDouble.of(rate);
        toldAt = at;
        return told;
    }
}
