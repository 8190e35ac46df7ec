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
 * network's mishap; one that breaks twice within five minutes will break again, and its worker gets no task of the job for
 * ten minutes. In memory only: after a takeover it is found anew. Owned by the stream thread.
 */
public final class Unreachable {
    private static final Duration TOGETHER = Duration.ofMinutes(5);
    private static final Duration AVOIDED = Duration.ofMinutes(10);
    private static final int MISHAPS = 1;

    private final SortedMap<String, List<Instant>> broken = new TreeMap<>();
    private final SortedMap<String, Avoided> avoided = new TreeMap<>();

    /** @param why for people: who cannot reach it, and what happened */
    private record Avoided(Instant until, String why) {}

    /** A consumer could not get its channel to the worker back; whether the worker is avoided from now on. */
    public boolean broke(String worker, String why, Instant at) {
        List<Instant> times = broken.computeIfAbsent(worker, none -> new ArrayList<>());
        times.removeIf(before -> !before.isAfter(at.minus(TOGETHER)));
        times.add(at);
        if (times.size() <= MISHAPS) {
            return false;
        }
        broken.remove(worker);
        avoided.put(worker, new Avoided(at.plus(AVOIDED), why));
        return true;
    }

    /** Time has passed; whether a worker may be tried again. */
    public boolean expire(Instant at) {
        return avoided.values().removeIf(one -> !one.until.isAfter(at));
    }

    /** Its process is gone: nobody could reach that one, and the next one of its name may be reached. */
    public void gone(String worker) {
        broken.remove(worker);
        avoided.remove(worker);
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
