package io.praline.policy.placement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pool's turn: weighted max-min over slots. Slots go one by one to the job with the least slots for its weight that
 * wishes for more, so that no job can have more but at the cost of one that has less:
 *
 * <pre>
 *   next slot -> the job with the least (slots + 1) / weight among those with slots &lt; wish
 * </pre>
 *
 * A job has at most one task on a worker. Where jobs are more than slots, they take turns: one that has waited gets the
 * slot of one that has held it for {@code slice}. Tasks stay where they are as long as their job keeps its share.
 *
 * @param slice how long a job may keep a slot for which others wait that have none
 */
public record FairShare(Duration slice) {
    public FairShare {
        if (slice.isNegative()) {
            throw new IllegalArgumentException("slice must not be negative, is " + slice);
        }
    }

    public Division divide(PoolState pool) {
        List<Claim> claims = inOrder(pool);
        Map<String, Integer> shares =
                shares(claims, pool.slots(), pool.workers().size());
        return place(pool, claims, shares);
    }

    /** Jobs at the same level are served in this order: holders within their slice, who waits (longest first), the others. */
    private List<Claim> inOrder(PoolState pool) {
        Comparator<Claim> order = Comparator.<Claim>comparingInt(claim -> rank(claim, pool.at()))
                .thenComparing(Claim::since)
                .thenComparing(Claim::job);
        return pool.claims().stream().sorted(order).toList();
    }

    private int rank(Claim claim, Instant now) {
        if (claim.holds().isEmpty()) {
            return 1;
        }
        return Duration.between(claim.since(), now).compareTo(slice) < 0 ? 0 : 2;
    }

    private static Map<String, Integer> shares(List<Claim> claims, int slots, int workers) {
        record Level(int order, Claim claim, int share) {
            double next() {
                return (share + 1) / claim.weight();
            }
        }
        // The first slot of each job comes before anybody's second, so that a light job is never starved by heavy ones.
        PriorityQueue<Level> levels =
                new PriorityQueue<>(Comparator.<Level>comparingInt(level -> level.share > 0 ? 1 : 0)
                        .thenComparingDouble(level -> level.share == 0 ? 0 : level.next())
                        .thenComparingInt(Level::order));
        Map<String, Integer> shares = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            shares.put(claims.get(i).job(), 0);
            if (claims.get(i).wish() > 0) {
                levels.add(new Level(i, claims.get(i), 0));
            }
        }
        for (int left = slots; left > 0 && !levels.isEmpty(); left--) {
            Level level = levels.remove();
            int share = level.share + 1;
            shares.put(level.claim.job(), share);
            if (share < Math.min(level.claim.wish(), workers)) {
                levels.add(new Level(level.order, level.claim, share));
            }
        }
        return shares;
    }

    private static Division place(PoolState pool, List<Claim> claims, Map<String, Integer> shares) {
        Map<String, Integer> free = new HashMap<>();
        pool.workers().forEach(worker -> free.put(worker.id(), worker.slots()));
        SortedMap<String, SortedSet<String>> placed = new TreeMap<>();
        Set<String> known = new HashSet<>(free.keySet());
        for (Claim claim : claims) {
            SortedSet<String> kept = new TreeSet<>();
            for (String worker : claim.holds()) {
                if (kept.size() < shares.get(claim.job()) && known.contains(worker) && free.get(worker) > 0) {
                    kept.add(worker);
                    free.merge(worker, -1, Integer::sum);
                }
            }
            placed.put(claim.job(), kept);
        }
        // One task for each job in turn, so that what cannot be placed is not always the same job's.
        List<Claim> wanting = new ArrayList<>(claims);
        while (!wanting.isEmpty()) {
            wanting.removeIf(claim -> {
                SortedSet<String> has = placed.get(claim.job());
                return has.size() >= shares.get(claim.job()) || !placeOne(pool, free, has);
            });
        }
        return new Division(placed, shares);
    }

    /** On the worker with the most free slots that has no task of the job yet. */
    private static boolean placeOne(PoolState pool, Map<String, Integer> free, SortedSet<String> has) {
        Worker best = null;
        for (Worker worker : pool.workers()) {
            int slots = free.get(worker.id());
            if (slots > 0 && !has.contains(worker.id()) && (best == null || slots > free.get(best.id()))) {
                best = worker;
            }
        }
        if (best == null) {
            return false;
        }
        has.add(best.id());
        free.merge(best.id(), -1, Integer::sum);
        return true;
    }
}
