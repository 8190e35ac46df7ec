package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.Place;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.dispatcher.ledger.WorkerRow;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A pool as it is now: its live workers and its jobs. Owned by the stream thread. */
final class Pool {
    /** Processes that were replaced or lost are remembered, so that a late beat of one does not bring it back. */
    private static final int MOST_GONE = 1_000;

    private final String name;
    private PoolRow row;
    private boolean rowChanged;
    private boolean turnDue = true;
    private final SortedMap<String, KnownWorker> workers = new TreeMap<>();
    private final SortedMap<String, OpenJob> jobs = new TreeMap<>();
    private final SortedSet<String> unplanned = new TreeSet<>();
    private final SortedSet<String> changedWorkers = new TreeSet<>();
    private final Map<String, String> gone = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST_GONE;
        }
    };

    Pool(String name, PoolRow row) {
        this.name = name;
        this.row = row;
    }

    String name() {
        return name;
    }

    PoolRow row() {
        return row;
    }

    void row(PoolRow changed) {
        row = changed;
        rowChanged = true;
    }

    /** Its live workers by id; changed by the methods below only. */
    SortedMap<String, KnownWorker> workers() {
        return Collections.unmodifiableSortedMap(workers);
    }

    /** A worker as its row tells. */
    void restore(String id, WorkerRow known) {
        workers.put(id, new KnownWorker(known));
    }

    /** A worker joined or has changed. */
    KnownWorker put(String id, WorkerRow changed) {
        changedWorkers.add(id);
        KnownWorker worker = workers.computeIfAbsent(id, none -> new KnownWorker(changed));
        worker.row(changed);
        return worker;
    }

    /** A worker is gone. */
    void remove(String id) {
        workers.remove(id);
        changedWorkers.add(id);
    }

    /** Its jobs, those that ended a while ago among them. */
    SortedMap<String, OpenJob> jobs() {
        return Collections.unmodifiableSortedMap(jobs);
    }

    void add(OpenJob job) {
        jobs.put(job.id(), job);
        if (!job.planned() && !job.ended()) {
            unplanned.add(job.id());
        }
    }

    /** The job is forgotten. */
    void remove(OpenJob job) {
        jobs.remove(job.id());
        unplanned.remove(job.id());
    }

    /** Open jobs that have no plan yet. */
    SortedSet<String> unplanned() {
        return Collections.unmodifiableSortedSet(unplanned);
    }

    /** The job has a plan now, or needs none any more. */
    void plannedOrEnded(OpenJob job) {
        unplanned.remove(job.id());
    }

    /** Writes what changed, jobs left out. */
    void save(Ledger ledger) {
        for (String id : changedWorkers) {
            KnownWorker worker = workers.get(id);
            if (worker == null) {
                ledger.dropWorker(name, id);
            } else {
                ledger.saveWorker(name, id, worker.row());
            }
        }
        changedWorkers.clear();
        if (rowChanged) {
            ledger.savePool(name, row);
            rowChanged = false;
        }
    }

    /** Whether slots must be divided anew. */
    boolean turnDue() {
        return turnDue;
    }

    void turnDue(boolean due) {
        turnDue = due;
    }

    /** The process is never to be taken for a live one again. */
    void bury(Place place) {
        gone.put(place.incarnation(), place.worker());
    }

    boolean buried(String incarnation) {
        return gone.containsKey(incarnation);
    }

    /** Whether the very process that the place tells is alive. */
    boolean alive(Place place) {
        KnownWorker worker = workers.get(place.worker());
        return worker != null && worker.place().incarnation().equals(place.incarnation());
    }

    /** Workers that take new work. */
    int workersThatServe() {
        return (int)
                workers.values().stream().filter(it -> !it.row().draining()).count();
    }

    /** Their slots together. */
    int slotsThatServe() {
        return workers.values().stream()
                .filter(it -> !it.row().draining())
                .mapToInt(it -> it.row().slots())
                .sum();
    }
}
