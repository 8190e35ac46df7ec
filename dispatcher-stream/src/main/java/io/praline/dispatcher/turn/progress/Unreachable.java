package io.praline.dispatcher.turn.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Workers that consumers of one job cannot reach: they beat, and are of no use to it. A channel that breaks once is a
 * network's mishap, or a host's that has too much to do; one that breaks twice within five minutes is likely to break again,
 * and its worker gets no task of the job for ten seconds, twice as long the next time, at most ten minutes: where all workers
 * break so, the job goes on as soon as one is reached. In memory only: after a takeover it is found anew. Owned by the
 * stream thread.
 */
public final class Unreachable {
    private static final Duration TOGETHER = Duration.ofMinutes(5);
    private static final Duration AT_FIRST = Duration.ofSeconds(10);
    private static final Duration AT_MOST = Duration.ofMinutes(10);
    private static final int MISHAPS = 1;

    private final SortedMap<String, List<Instant>> broken = new TreeMap<>();
    private final SortedMap<String, Avoided> avoided = new TreeMap<>();

    /** How long a worker was avoided the last time, and until when. */
    private final SortedMap<String, Spell> spells = new TreeMap<>();

    /** @param why for people: who cannot reach it, and what happened */
    private record Avoided(Instant until, String why) {}

    private record Spell(Duration lasted, Instant until) {
        private Duration twice() {
            Duration twice = lasted.multipliedBy(2);
            return twice.compareTo(AT_MOST) < 0 ? twice : AT_MOST;
        }
    }

    /** A consumer could not get its channel to the worker back; for how long the worker is avoided, empty if it is not. */
    public Optional<Duration> broke(String worker, String why, Instant at) {
        List<Instant> times = broken.computeIfAbsent(worker, none -> new ArrayList<>());
        times.removeIf(before -> !before.isAfter(at.minus(TOGETHER)));
        times.add(at);
        if (times.size() <= MISHAPS) {
            return Optional.empty();
        }
        broken.remove(worker);
        Duration lasts = Optional.ofNullable(spells.get(worker))
                .filter(last -> at.isBefore(last.until.plus(AT_MOST)))
                .map(Spell::twice)
                .orElse(AT_FIRST);
        spells.put(worker, new Spell(lasts, at.plus(lasts)));
        avoided.put(worker, new Avoided(at.plus(lasts), why));
        return Optional.of(lasts);
    }

    /** Time has passed; whether a worker may be tried again. */
    public boolean expire(Instant at) {
        return avoided.values().removeIf(one -> !one.until.isAfter(at));
    }

    /** Its process is gone: nobody could reach that one, and the next one of its name may be reached. */
    public void gone(String worker) {
        broken.remove(worker);
        avoided.remove(worker);
        spells.remove(worker);
    }

    public boolean avoids(String worker) {
        return avoided.containsKey(worker);
    }

    public SortedSet<String> workers() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(avoided.keySet()));
    }

    /** Why one of them is avoided; empty where none is. */
    public Optional<String> why() {
        return avoided.values().stream().findFirst().map(Avoided::why);
    }
}
