package io.praline.dispatcher.turn.progress;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which attempts of a job must be looked at. As time passes those of which something is outstanding: a command that its
 * worker was not seen to take, a beat that does not list it, a process that is gone. As splits are given those that may have
 * room. All others are as they were when they were last looked at. In memory only: after a takeover all are looked at.
 * Owned by the stream thread.
 */
public final class Attention {
    private final SortedMap<Integer, SortedSet<Integer>> watched = new TreeMap<>();
    private final SortedMap<Integer, SortedSet<Integer>> hungry = new TreeMap<>();

    /** Something of it is outstanding, or may be. */
    public void watch(int epoch, int attempt) {
        in(watched, epoch).add(attempt);
    }

    /** Nothing of it is outstanding. */
    public void rests(int epoch, int attempt) {
        in(watched, epoch).remove(attempt);
    }

    /** Those of the epoch of which something may be outstanding, as they are now. */
    public List<Integer> watched(int epoch) {
        return List.copyOf(in(watched, epoch));
    }

    /** Whether something may be outstanding. */
    public boolean watches() {
        return watched.values().stream().anyMatch(its -> !its.isEmpty());
    }

    /** It may have room for splits: it is new, or its worker told how much lies ahead of it. */
    public void hunger(int epoch, int attempt) {
        in(hungry, epoch).add(attempt);
    }

    /** It has no room until its worker tells otherwise. */
    public void full(int epoch, int attempt) {
        in(hungry, epoch).remove(attempt);
    }

    /** Those of the epoch that may have room, as they are now. */
    public SortedSet<Integer> hungry(int epoch) {
        return Collections.unmodifiableSortedSet(in(hungry, epoch));
    }

    /** It is closed. */
    public void forget(int epoch, int attempt) {
        in(watched, epoch).remove(attempt);
        in(hungry, epoch).remove(attempt);
    }

    /** Nothing of the epoch is left. */
    public void forget(int epoch) {
        watched.remove(epoch);
        hungry.remove(epoch);
    }

    private static SortedSet<Integer> in(SortedMap<Integer, SortedSet<Integer>> some, int epoch) {
        return some.computeIfAbsent(epoch, none -> new TreeSet<>());
    }
}
