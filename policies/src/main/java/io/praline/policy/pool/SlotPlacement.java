package io.praline.policy.pool;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who sits where while the pool's slots are divided: at most one task of a job on a worker. */
final class SlotPlacement {
    /** The i-th worker of the pool, with this many free slots. */
    private record Free(int slots, int worker) {}

    private static final Comparator<Free> MOST_FREE_FIRST =
            Comparator.comparingInt(Free::slots).reversed().thenComparingInt(Free::worker);

    private final List<Worker> workers;
    private final Map<String, Integer> index = new HashMap<>();
    private final int[] free;
    /** Made when it is first asked for: by then most workers of a busy pool are full, and are not in it. */
    private Optional<NavigableSet<Free>> byRoom = Optional.empty();

    private final SortedMap<String, SortedSet<String>> taken = new TreeMap<>();

    SlotPlacement(List<Worker> workers) {
        this.workers = workers;
        free = new int[workers.size()];
        for (int i = 0; i < free.length; i++) {
            index.put(workers.get(i).id(), i);
            free[i] = workers.get(i).slots();
        }
    }

    SortedMap<String, SortedSet<String>> taken() {
        return taken;
    }

    /** What a job holds it keeps, up to its share. */
    void keep(SlotClaim claim, int share) {
        SortedSet<String> its = taken.computeIfAbsent(claim.job(), job -> new TreeSet<>());
        for (String worker : claim.holds()) {
            Integer at = index.get(worker);
            if (its.size() < share && at != null && free[at] > 0) {
                sit(its, at);
            }
        }
    }

    /**
     * Gives a job all of its share: on the workers with the most free slots; where it sits on all that have any, others
     * move to make room.
     */
    void fill(String job, int share) {
        SortedSet<String> its = taken.get(job);
        for (int worker : mostFree(its, share - its.size())) {
            sit(its, worker);
        }
        while (its.size() < share) {
            makeRoom(job);
        }
    }

    private Collection<Integer> mostFree(SortedSet<String> its, int count) {
        if (count == 0) {
            return List.of();
        }
        Deque<Integer> found = new ArrayDeque<>();
        for (Free next : byRoom()) {
            if (found.size() >= count) {
                break;
            }
            if (!its.contains(workers.get(next.worker).id())) {
                found.add(next.worker);
            }
        }
        return found;
    }

    private void sit(SortedSet<String> its, int worker) {
        its.add(workers.get(worker).id());
        setFree(worker, free[worker] - 1);
    }

    private void setFree(int worker, int slots) {
        byRoom.ifPresent(set -> set.remove(new Free(free[worker], worker)));
        free[worker] = slots;
        if (slots > 0) {
            byRoom.ifPresent(set -> set.add(new Free(slots, worker)));
        }
    }

    private NavigableSet<Free> byRoom() {
        if (byRoom.isEmpty()) {
            NavigableSet<Free> set = new TreeSet<>(MOST_FREE_FIRST);
            for (int worker = 0; worker < free.length; worker++) {
                if (free[worker] > 0) {
                    set.add(new Free(free[worker], worker));
                }
            }
            byRoom = Optional.of(set);
        }
        return byRoom.get();
    }

    /** A job takes a full worker's slot from one that can move on to another, by as few moves as possible. */
    private record Move(String job, int to, Move then) {}

    private void makeRoom(String job) {
        Map<Integer, Set<String>> sitting = new HashMap<>();
        taken.forEach(
                (who, its) -> its.forEach(worker -> sitting.computeIfAbsent(index.get(worker), at -> new TreeSet<>())
                        .add(who)));
        Set<String> seen = new HashSet<>(Set.of(job));
        Deque<Move> open = new ArrayDeque<>();
        open.add(new Move(job, -1, null));
        while (!open.isEmpty()) {
            Move last = open.remove();
            SortedSet<String> its = taken.get(last.job);
            for (int worker : mostFree(its, 1)) {
                carryOut(last, worker);
                return;
            }
            for (int worker = 0; worker < free.length; worker++) {
                if (its.contains(workers.get(worker).id())) {
                    continue;
                }
                for (String who : sitting.getOrDefault(worker, Set.of())) {
                    if (seen.add(who)) {
                        open.add(new Move(who, worker, last));
                    }
                }
            }
        }
        throw new IllegalStateException("a share of " + job + " has no place, though there was room for it");
    }

    /** The last job of the chain goes to the free worker, each before it to where the one after it has left. */
    private void carryOut(Move last, int freeWorker) {
        setFree(freeWorker, free[freeWorker] - 1);
        int to = freeWorker;
        for (Move move = last; move != null; move = move.then) {
            SortedSet<String> its = taken.get(move.job);
            its.add(workers.get(to).id());
            if (move.to >= 0) {
                its.remove(workers.get(move.to).id());
            }
            to = move.to;
        }
    }
}
