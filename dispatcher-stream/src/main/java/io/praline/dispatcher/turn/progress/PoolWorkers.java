package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.dispatcher.ledger.row.Place;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A pool's live workers, those that serve one job alone among them, and how many take new work. Owned by the stream thread. */
public final class PoolWorkers {
    private final SortedMap<String, KnownWorker> workers = new TreeMap<>();
    private final SortedMap<String, KnownWorker> seen = Collections.unmodifiableSortedMap(workers);
    private final SortedMap<String, SortedSet<String>> locals = new TreeMap<>();
    private final SortedSet<String> changed = new TreeSet<>();
    private int serving;
    private int servingSlots;

    /** All of them by id; changed by the methods below only. */
    public SortedMap<String, KnownWorker> all() {
        return seen;
    }

    /** A worker as its row tells. */
    public void restore(String id, WorkerRow known) {
        workers.put(id, new KnownWorker(known));
        index(id, known);
    }

    /** A worker joined or has changed. */
    public KnownWorker put(String id, WorkerRow row) {
        changed.add(id);
        KnownWorker worker = workers.get(id);
        if (worker == null) {
            worker = new KnownWorker(row);
            workers.put(id, worker);
        } else {
            unindex(id, worker.row());
            worker.row(row);
        }
        index(id, row);
        return worker;
    }

    /** A worker left or was lost. */
    public void remove(String id) {
        KnownWorker removed = workers.remove(id);
        if (removed != null) {
            unindex(id, removed.row());
        }
        changed.add(id);
    }

    private void index(String id, WorkerRow row) {
        serve(row, 1);
        row.onlyFor().ifPresent(job -> locals.computeIfAbsent(job, none -> new TreeSet<>())
                .add(id));
    }

    private void unindex(String id, WorkerRow row) {
        serve(row, -1);
        row.onlyFor()
                .ifPresent(job -> locals.computeIfPresent(job, (none, its) -> {
                    its.remove(id);
                    return its.isEmpty() ? null : its;
                }));
    }

    /** Counts one more worker or one less, if it takes new work of any job. */
    private void serve(WorkerRow row, int more) {
        if (!row.draining() && row.onlyFor().isEmpty()) {
            serving += more;
            servingSlots += more * row.slots();
        }
    }

    /** Ids of those that serve the job alone, whether or not they take new work. */
    public SortedSet<String> boundTo(String job) {
        return Collections.unmodifiableSortedSet(locals.getOrDefault(job, new TreeSet<>()));
    }

    /** Whether a worker takes tasks of any job. */
    public boolean isRemote(String worker) {
        return workers.get(worker).row().onlyFor().isEmpty();
    }

    /** Whether the very process that the place tells is alive. */
    public boolean alive(Place place) {
        KnownWorker worker = workers.get(place.worker());
        return worker != null && worker.place().incarnation().equals(place.incarnation());
    }

    /** Those that take new work of any job. */
    public int serving() {
        return serving;
    }

    /** Their slots together. */
    public int slotsThatServe() {
        return servingSlots;
    }

    /** Whether there is none, and no row to be written. */
    public boolean isEmpty() {
        return workers.isEmpty() && changed.isEmpty();
    }

    /** Writes what changed. */
    public void save(String pool, Ledger ledger) {
        for (String id : changed) {
            KnownWorker worker = workers.get(id);
            if (worker == null) {
                ledger.dropWorker(pool, id);
            } else {
                ledger.saveWorker(pool, id, worker.row());
            }
        }
        changed.clear();
    }
}
