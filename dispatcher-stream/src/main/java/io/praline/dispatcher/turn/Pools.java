package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.dispatcher.turn.progress.Buried;
import io.praline.policy.pool.PoolSize;
import io.praline.schema.JobState;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pools of a partition. Owned by the stream thread. */
final class Pools {
    private final PoolSize usualSize;
    private final SortedMap<String, Pool> pools = new TreeMap<>();

    /** Which pool a job of this partition is in: ids are unique over all pools. */
    private final Map<String, String> poolOfJob = new HashMap<>();

    /** Of all pools: one may go with its last worker, and come with the next. */
    private final Buried buried = new Buried();

    /** @param usualSize of a pool where whoever starts its workers does not tell another bound */
    Pools(PoolSize usualSize) {
        this.usualSize = usualSize;
    }

    /** The pool of this name, which is there as soon as somebody speaks of it. */
    Pool of(String name) {
        return pools.computeIfAbsent(name, it -> new Pool(it, usualSize, PoolRow.NEW, buried));
    }

    Collection<Pool> all() {
        return Collections.unmodifiableCollection(pools.values());
    }

    /** A pool as its row tells. */
    void restore(String name, PoolRow row) {
        pools.put(name, new Pool(name, usualSize, row, buried));
    }

    /** The pool that has a job of this id; empty where none has. */
    Optional<Pool> holding(String job) {
        return Optional.ofNullable(poolOfJob.get(job)).map(this::of);
    }

    void add(Job job) {
        of(job.pool()).add(job);
        poolOfJob.put(job.id(), job.pool());
    }

    /** Nobody is in the pool. */
    void remove(Pool pool) {
        pools.remove(pool.name());
    }

    /** The job is forgotten. */
    void remove(Job job) {
        of(job.pool()).remove(job);
        poolOfJob.remove(job.id());
    }

    /** A pool for which time must be told; empty where there is none. One that nobody is in goes by time, too. */
    Optional<String> anyPool() {
        return pools.keySet().stream()
                .filter(name -> !name.equals(RowRecords.NO_POOL))
                .findFirst();
    }

    /** Live workers of all pools. */
    int workers() {
        return pools.values().stream().mapToInt(pool -> pool.workers().size()).sum();
    }

    /** Jobs that should move and have not for a while. */
    int stuckJobs() {
        return (int) pools.values().stream()
                .flatMap(pool -> pool.open().stream())
                .filter(job -> job.movement().obstacle().isPresent())
                .count();
    }

    /** Jobs by where they are. */
    Map<JobState, Integer> jobsByState() {
        Map<JobState, Integer> states = new TreeMap<>();
        for (JobState state : JobState.values()) {
            states.put(state, 0);
        }
        pools.values().forEach(pool -> pool.jobs()
                .values()
                .forEach(job -> states.merge(job.row().standing().state(), 1, Integer::sum)));
        return states;
    }
}
