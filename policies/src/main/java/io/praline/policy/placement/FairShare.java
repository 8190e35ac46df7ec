package io.praline.policy.placement;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The pool's turn: weighted max-min over slots. Slots go one by one to the job with the least slots for its weight that
 * wishes for more, so that no job can have more but at the cost of one that has less:
 *
 * <pre>
 *   next slot -> the job with the least (slots + 1) / weight among those with slots &lt; wish that can have one more
 * </pre>
 *
 * A job has at most one task on a worker, so a job cannot have one more where the slots that are left lie on workers that
 * it must have already ({@link SlotRoom}); they go to the next. Where jobs are more than slots, they take turns: one that
 * has waited gets the slot of one that has held it for {@code slice}. Tasks stay where they are as long as their job keeps
 * its share.
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
        Seats seats = new Seats(pool.workers());
        SlotRoom room = new SlotRoom(pool.workers());
        Map<String, Integer> shares =
                room.holds(claims.stream().mapToInt(Claim::wish).toArray()) ? wishes(claims) : shares(claims, room);
        claims.forEach(claim -> seats.keep(claim, shares.get(claim.job())));
        claims.forEach(claim -> seats.fill(claim.job(), shares.get(claim.job())));
        return new Division(seats.taken());
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

    /** What everybody gets where there is enough for all: the rule would give the same, slot by slot. */
    private static Map<String, Integer> wishes(List<Claim> claims) {
        Map<String, Integer> wishes = new HashMap<>();
        claims.forEach(claim -> wishes.put(claim.job(), claim.wish()));
        return wishes;
    }

    private static Map<String, Integer> shares(List<Claim> claims, SlotRoom room) {
        record Level(int order, Claim claim, int share) {
            double next() {
                return share == 0 ? 0 : (share + 1) / claim.weight();
            }

            /** Of two that are level, who has the slot keeps it, or it would change hands for ever. */
            boolean isNew() {
                return share > 0 && claim.holds().size() <= share;
            }
        }
        // The first slot of each job comes before anybody's second, so that a light job is never starved by heavy ones.
        PriorityQueue<Level> levels =
                new PriorityQueue<>(Comparator.<Level>comparingInt(level -> level.share > 0 ? 1 : 0)
                        .thenComparingDouble(Level::next)
                        .thenComparing(Level::isNew)
                        .thenComparingInt(Level::order));
        Map<String, Integer> shares = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            shares.put(claims.get(i).job(), 0);
            if (claims.get(i).wish() > 0) {
                levels.add(new Level(i, claims.get(i), 0));
            }
        }
        while (!levels.isEmpty()) {
            Level level = levels.remove();
            // a job that cannot have one more now cannot have it later either: the others only get more
            if (room.raise(level.share)) {
                int share = level.share + 1;
                shares.put(level.claim.job(), share);
                if (share < level.claim.wish()) {
                    levels.add(new Level(level.order, level.claim, share));
                }
            }
        }
        return shares;
    }
}
