package io.praline.policy.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pool's turn: weighted max-min over slots, over tenants first and then over each tenant's jobs. Every job gets one slot
 * before any gets a second. From then on slots go one by one to the tenant that has the fewest, and there to the job with
 * the least slots for its weight that wishes for more; so no tenant can have more but at the cost of one that has less, nor
 * can a job but at the cost of one of its tenant that has less:
 *
 * <pre>
 *   next slot -> tenant with the least slots of those with a job that has slots &lt; wish and can have one more
 *             -> its job with the least (slots + 1) / weight among those
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
        List<SlotClaim> claims = inOrder(pool);
        SlotPlacement seats = new SlotPlacement(pool.workers());
        SlotRoom room = new SlotRoom(pool.workers());
        Map<String, Integer> shares =
                room.holds(claims.stream().mapToInt(SlotClaim::wish).toArray()) ? wishes(claims) : shares(claims, room);
        claims.forEach(claim -> seats.keep(claim, shares.get(claim.job())));
        claims.forEach(claim -> seats.fill(claim.job(), shares.get(claim.job())));
        return new Division(seats.taken());
    }

    /** Jobs at the same level are served in this order: holders within their slice, who waits (longest first), the others. */
    private List<SlotClaim> inOrder(PoolState pool) {
        Comparator<SlotClaim> order = Comparator.<SlotClaim>comparingInt(claim -> rank(claim, pool.at()))
                .thenComparing(SlotClaim::since)
                .thenComparing(SlotClaim::job);
        return pool.claims().stream().sorted(order).toList();
    }

    private int rank(SlotClaim claim, Instant now) {
        if (claim.holds().isEmpty()) {
            return 1;
        }
        return Duration.between(claim.since(), now).compareTo(slice) < 0 ? 0 : 2;
    }

    /** What everybody gets where there is enough for all: the rule would give the same, slot by slot. */
    private static Map<String, Integer> wishes(List<SlotClaim> claims) {
        Map<String, Integer> wishes = new HashMap<>();
        claims.forEach(claim -> wishes.put(claim.job(), claim.wish()));
        return wishes;
    }

    private static Map<String, Integer> shares(List<SlotClaim> claims, SlotRoom room) {
        SortedMap<String, Tenant> byName = new TreeMap<>();
        Map<String, Integer> shares = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            SlotClaim claim = claims.get(i);
            shares.put(claim.job(), 0);
            byName.computeIfAbsent(claim.tenant(), first -> new Tenant()).add(new Level(i, claim, 0));
        }
        PriorityQueue<Tenant> tenants = new PriorityQueue<>(Tenant.POOREST_FIRST);
        byName.values().stream().filter(Tenant::asks).forEach(tenants::add);
        while (!tenants.isEmpty()) {
            Tenant tenant = tenants.remove();
            Level level = tenant.levels.remove();
            // a job that cannot have one more now cannot have it later either: the others only get more
            if (room.raise(level.share)) {
                tenant.share++;
                shares.put(level.claim.job(), level.share + 1);
                tenant.add(new Level(level.order, level.claim, level.share + 1));
            }
            if (tenant.asks()) {
                tenants.add(tenant);
            }
        }
        return shares;
    }

    /** A job that may get one more than its share so far. */
    private record Level(int order, SlotClaim claim, int share) {
        /** The first slot of each job comes before anybody's second, so that a light job is never starved by heavy ones. */
        static final Comparator<Level> POOREST_FIRST = Comparator.<Level>comparingInt(Level::begun)
                .thenComparingDouble(Level::next)
                .thenComparing(Level::isNew)
                .thenComparingInt(Level::order);

        int begun() {
            return share > 0 ? 1 : 0;
        }

        double next() {
            return share == 0 ? 0 : (share + 1) / claim.weight();
        }

        /** Of two that are level, who has the slot keeps it, or it would change hands for ever. */
        boolean isNew() {
            return share > 0 && claim.holds().size() <= share;
        }
    }

    /** The jobs of a tenant that may get more, and what it has so far. */
    private static final class Tenant {
        /** One in which a job has no slot comes before all in which each has one. */
        static final Comparator<Tenant> POOREST_FIRST = Comparator.<Tenant>comparingInt(
                        tenant -> tenant.levels.element().begun())
                .thenComparingInt(tenant -> tenant.share)
                .thenComparing(Tenant::isNew)
                .thenComparingInt(tenant -> tenant.levels.element().order());

        private final PriorityQueue<Level> levels = new PriorityQueue<>(Level.POOREST_FIRST);
        private int share;
        private int holds;

        void add(Level level) {
            if (level.share == 0) {
                holds += level.claim.holds().size();
            }
            if (level.share < level.claim.wish()) {
                levels.add(level);
            }
        }

        boolean asks() {
            return !levels.isEmpty();
        }

        /** As with jobs: of two that are level, who has the slot keeps it. */
        boolean isNew() {
            return levels.element().begun() > 0 && holds <= share;
        }
    }
}
