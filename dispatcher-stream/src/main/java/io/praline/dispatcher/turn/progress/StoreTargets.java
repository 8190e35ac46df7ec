package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.convert.CacheRecords.Share;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.row.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a pool's stores are divided, and who was told. In memory only: whoever takes over divides and tells anew. Owned by the
 * stream thread.
 */
public final class StoreTargets {
    /** A worker is told no sooner again, whatever changed. */
    private static final Duration APART = Duration.ofSeconds(2);

    /** A command may be lost, and what it says may be said again at any time. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    /** Other shares than these differ by more of the store. */
    private static final double NEWS = 0.02;

    private final Map<String, SortedMap<GroupName, Share>> shares = new HashMap<>();
    private final Map<String, Told> told = new HashMap<>();
    private boolean due;
    private Instant divided = Instant.EPOCH;
    private Instant used = Instant.EPOCH;

    private record Told(Place worker, SortedMap<GroupName, Share> shares, Instant at) {}

    /** They are to be divided anew. */
    public void due() {
        due = true;
    }

    /** Whether something is another than it was when they were last divided. */
    public boolean isDue() {
        return due;
    }

    /** Whether they are to be divided now: something is another than it was, or so much time has passed. */
    public boolean divisionDue(Instant at, Duration every) {
        if (!due && divided.plus(every).isAfter(at)) {
            return false;
        }
        due = false;
        divided = at;
        return true;
    }

    /** Whether what was read is to be written down. */
    public boolean usesDue(Instant at, Duration every) {
        if (used.plus(every).isAfter(at)) {
            return false;
        }
        used = at;
        return true;
    }

    /**
     * A store is divided so from now on.
     *
     * @param room of the store, in bytes
     * @return what is another than it was
     */
    public SortedMap<GroupName, Share> wanted(String store, SortedMap<GroupName, Share> now, long room) {
        SortedMap<GroupName, Share> before = shares.getOrDefault(store, Collections.emptySortedMap());
        SortedMap<GroupName, Share> news = new TreeMap<>();
        SortedMap<GroupName, Share> next = new TreeMap<>();
        now.forEach((group, share) -> {
            Share was = before.get(group);
            boolean same = was != null
                    && was.pinned() == share.pinned()
                    && (was.bytes() == 0) == (share.bytes() == 0)
                    && Math.abs(was.bytes() - share.bytes()) <= NEWS * room;
            next.put(group, same ? was : share);
            if (!same) {
                news.put(group, share);
            }
        });
        shares.put(store, next);
        return news;
    }

    /** What a worker that uses the store is to be told now; empty where it knows. */
    public Optional<SortedMap<GroupName, Share>> untold(String store, Place worker, Instant at) {
        SortedMap<GroupName, Share> now = shares.getOrDefault(store, Collections.emptySortedMap());
        Told last = told.get(worker.worker());
        boolean other = last == null || !last.worker().equals(worker);
        boolean nothing = now.isEmpty() && (other || last.shares().isEmpty());
        if (nothing) {
            return Optional.empty();
        }
        boolean news = other || !last.shares().equals(now);
        // who makes entries of a group that is new waits for it
        boolean due = other
                || !last.shares().keySet().containsAll(now.keySet())
                || !last.at().plus(news ? APART : AGAIN).isAfter(at);
        if (!due) {
            return Optional.empty();
        }
        told.put(worker.worker(), new Told(worker, now, at));
        return Optional.of(now);
    }

    /** Of other stores than these nothing is remembered. */
    public void only(Set<String> stores) {
        shares.keySet().retainAll(stores);
    }

    /** Nobody is told any more who is not there. */
    public void forget(String worker) {
        told.remove(worker);
    }
}
