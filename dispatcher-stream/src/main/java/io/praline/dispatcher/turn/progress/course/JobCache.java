package io.praline.dispatcher.turn.progress.course;

import io.praline.dispatcher.ledger.CacheRow;
import io.praline.dispatcher.ledger.epoch.CacheUse;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.caching.course.CacheState;
import java.util.Optional;

/** Which elements of a job are kept, and read again. Owned by the stream thread. */
public final class JobCache {
    private Optional<CacheRow> row;
    private boolean changed;
    private boolean mixed = true;
    private int shareEpoch = -1;
    private String sharePrefix = "";
    private double share;
    private final EntriesFound found = new EntriesFound();

    /** @param row as it was left; empty before its plan, and for jobs of before there were entries */
    public JobCache(Optional<CacheRow> row) {
        this.row = row;
    }

    /** What its course knows; empty where it has none: it computes. */
    public Optional<CacheState> state() {
        return row.map(CacheRow::state);
    }

    /** Who was asked to measure and has not answered. */
    public Optional<Place> asked() {
        return row.flatMap(CacheRow::asked);
    }

    /** It is known so from now on, and this worker is asked; whether that is news. */
    public boolean keep(CacheState state, Optional<Place> asked) {
        Optional<CacheUse> before = use();
        boolean news = save(new CacheRow(state, asked, told(), hits(), doubted()));
        mixed |= !use().equals(before);
        return news;
    }

    /** What is kept of it is so for this reason. */
    public void because(String why) {
        state().filter(known -> !known.reason().equals(why))
                .ifPresent(known -> keep(
                        new CacheState(
                                known.phase(),
                                known.since(),
                                known.settled(),
                                known.trial(),
                                known.asked(),
                                known.unanswered(),
                                known.broken(),
                                known.slow(),
                                known.points(),
                                known.blocked(),
                                known.measures(),
                                known.allNanos(),
                                known.stored(),
                                known.used(),
                                known.put(),
                                known.expectedGain(),
                                known.computedRate(),
                                known.cachedRate(),
                                why),
                        asked()));
    }

    /**
     * The share of splits that had an entry when an epoch began, or since the point is in use: what is made while an epoch
     * goes on is read in the next one.
     */
    public double shareAtBeginning(int epoch, String prefix, double now) {
        if (epoch != shareEpoch || !prefix.equals(sharePrefix)) {
            shareEpoch = epoch;
            sharePrefix = prefix;
            share = now;
        }
        return share;
    }

    /** What its attempts found of entries. */
    public EntriesFound found() {
        return found;
    }

    private boolean save(CacheRow next) {
        boolean news = !row.equals(Optional.of(next));
        changed |= news;
        row = Optional.of(next);
        return news;
    }

    /** Where its attempts read entries; empty: nowhere. */
    public Optional<CacheUse> use() {
        return state().flatMap(
                        state -> state.used().map(point -> new CacheUse(point.number(), point.prefix(), state.put())));
    }

    /** How many times as many elements as computed its policy was told that tasks make. */
    public double told() {
        return row.map(CacheRow::told).orElse(1.0);
    }

    /** Its policy was told so. */
    public void told(double gain) {
        row.ifPresent(known -> save(known.withTold(gain)));
    }

    /** Elements of closed attempts that loops took and that came from entries. */
    public long hits() {
        return row.map(CacheRow::hits).orElse(0L);
    }

    /** An attempt is closed of which loops took so many elements from entries. */
    public void closed(long elements) {
        if (elements > 0) {
            row.ifPresent(known -> save(known.withHits(known.hits() + elements)));
        }
    }

    /** Whether a worker is to say whether its points are its own. */
    public boolean doubted() {
        return row.filter(CacheRow::doubted).isPresent();
    }

    /** A worker is to say so, or did. */
    public void doubted(boolean now) {
        row.ifPresent(known -> save(known.withDoubted(now)));
    }

    /** Whether attempts may be there that read other entries than they should. */
    boolean mixed() {
        return mixed && row.isPresent();
    }

    /** Each attempt was looked at, and reads what it should. */
    void settled() {
        mixed = false;
    }

    /** What is to be written, if something changed since this was last asked. */
    public Optional<CacheRow> unsaved() {
        Optional<CacheRow> unsaved = changed ? row : Optional.empty();
        changed = false;
        return unsaved;
    }
}
