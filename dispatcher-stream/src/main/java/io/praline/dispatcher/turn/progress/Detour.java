package io.praline.dispatcher.turn.progress;

import io.praline.policy.pool.Division;
import io.praline.policy.pool.Worker;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A division of slots without the workers that a job must avoid: it moves to one with a free slot, else it changes places
 * with another job, else it goes without. Nobody has more for it, and nobody but that job less.
 */
public final class Detour {
    private final SortedMap<String, SortedSet<String>> taken = new TreeMap<>();
    private final Map<String, SortedSet<String>> avoided;
    private final List<Worker> workers;
    private final Map<String, Integer> free = new HashMap<>();

    private Detour(Division division, Collection<Worker> workers, Map<String, SortedSet<String>> avoided) {
        division.workers().forEach((job, its) -> taken.put(job, new TreeSet<>(its)));
        this.avoided = avoided;
        this.workers = List.copyOf(workers);
        workers.forEach(worker -> free.put(worker.id(), worker.slots()));
        taken.values().forEach(its -> its.forEach(worker -> free.merge(worker, -1, Integer::sum)));
    }

    /**
     * The division, corrected so that no job gets a worker that it avoids while another has a slot.
     *
     * @param avoided by job; jobs that avoid nobody need not be there
     */
    public static Division around(
            Division division, Collection<Worker> workers, Map<String, SortedSet<String>> avoided) {
        Detour detour = new Detour(division, workers, avoided);
        avoided.forEach((job, not) -> not.forEach(worker -> detour.leave(job, worker)));
        return new Division(detour.taken);
    }

    private void leave(String job, String worker) {
        if (!taken.getOrDefault(job, new TreeSet<>()).remove(worker)) {
            return;
        }
        Optional<String> other = workers.stream()
                .map(Worker::id)
                .filter(one -> free.get(one) > 0 && may(job, one))
                .findFirst();
        if (other.isPresent()) {
            taken.get(job).add(other.get());
            free.merge(other.get(), -1, Integer::sum);
            free.merge(worker, 1, Integer::sum);
            return;
        }
        for (Map.Entry<String, SortedSet<String>> each : taken.entrySet()) {
            Optional<String> change = each.getValue().stream()
                    .filter(one -> !each.getKey().equals(job) && may(job, one) && may(each.getKey(), worker))
                    .findFirst();
            if (change.isPresent()) {
                each.getValue().remove(change.get());
                each.getValue().add(worker);
                taken.get(job).add(change.get());
                return;
            }
        }
        free.merge(worker, 1, Integer::sum);
    }

    /** Whether the job may get a task on the worker: it has none there, and does not avoid it. */
    private boolean may(String job, String worker) {
        return !taken.get(job).contains(worker)
                && !avoided.getOrDefault(job, new TreeSet<>()).contains(worker);
    }
}
