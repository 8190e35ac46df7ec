package io.praline.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FairShareTest {
    private static final Instant NOW = Instant.ofEpochSecond(1000);
    private static final FairShare SHARES = new FairShare(Duration.ofSeconds(30));

    private static List<Worker> workers(int... slots) {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            workers.add(new Worker("w" + i, slots[i]));
        }
        return workers;
    }

    private static Claim claim(String job, double weight, int wish, String... holds) {
        return new Claim(job, weight, wish, new TreeSet<>(List.of(holds)), NOW);
    }

    private static Map<String, Integer> granted(List<Worker> workers, Claim... claims) {
        Map<String, Integer> granted = new HashMap<>();
        SHARES.divide(new PoolState(NOW, workers, List.of(claims)))
                .workers()
                .forEach((job, its) -> granted.put(job, its.size()));
        return granted;
    }

    // 6 slots: b is content with 1, a and c share the other 5
    @Example
    void whatOneDoesNotWishForGoesToTheOthers() {
        assertThat(granted(workers(1, 1, 1, 1, 1, 1), claim("a", 1, 9), claim("b", 1, 1), claim("c", 1, 9)))
                .isEqualTo(Map.of("a", 3, "b", 1, "c", 2));
    }

    // 8 slots by weights 3 to 1
    @Example
    void weightsDecideWhereWorkersAreTooFew() {
        assertThat(granted(workers(1, 1, 1, 1, 1, 1, 1, 1), claim("heavy", 3, 9), claim("light", 1, 9)))
                .isEqualTo(Map.of("heavy", 6, "light", 2));
    }

    @Example
    void aLightJobIsNotStarvedByAHeavyOne() {
        assertThat(granted(workers(1, 1), claim("heavy", 1000, 9), claim("light", 0.001, 9)))
                .isEqualTo(Map.of("heavy", 1, "light", 1));
    }

    @Example
    void aTaskStaysWhereItIs() {
        Division division = SHARES.divide(
                new PoolState(NOW, workers(1, 1, 1, 1), List.of(claim("a", 1, 2, "w3"), claim("b", 1, 2, "w1", "w2"))));
        assertThat(division.workers().get("a")).contains("w3").hasSize(2);
        assertThat(division.workers().get("b")).containsExactly("w1", "w2");
    }

    // one slot; a has had it for 31 s, b waits since 10 s
    @Example
    void whoHasWaitedGetsTheSlotOfWhoHeldItForASlice() {
        Claim holder = new Claim("a", 1, 1, new TreeSet<>(Set.of("w0")), NOW.minusSeconds(31));
        Claim waiting = new Claim("b", 1, 1, new TreeSet<>(), NOW.minusSeconds(10));
        assertThat(granted(workers(1), holder, waiting)).isEqualTo(Map.of("a", 0, "b", 1));
        Claim fresh = new Claim("a", 1, 1, new TreeSet<>(Set.of("w0")), NOW.minusSeconds(29));
        assertThat(granted(workers(1), fresh, waiting)).isEqualTo(Map.of("a", 1, "b", 0));
    }

    // three jobs take turns on one slot: within a minute and a half each has had it
    @Example
    void nobodyIsStarvedForLong() {
        Map<String, Instant> since = new HashMap<>(Map.of("a", NOW, "b", NOW, "c", NOW));
        Set<String> served = new TreeSet<>();
        String holder = "";
        for (int second = 0; second < 90; second++) {
            Instant at = NOW.plusSeconds(second);
            List<Claim> claims = new ArrayList<>();
            for (String job : List.of("a", "b", "c")) {
                SortedSet<String> holds = new TreeSet<>(job.equals(holder) ? Set.of("w0") : Set.of());
                claims.add(new Claim(job, 1, 1, holds, since.get(job)));
            }
            Division division = SHARES.divide(new PoolState(at, workers(1), claims));
            for (Claim claim : claims) {
                boolean has = !division.workers().get(claim.job()).isEmpty();
                if (has == claim.holds().isEmpty()) {
                    since.put(claim.job(), at);
                }
                if (has) {
                    holder = claim.job();
                    served.add(holder);
                }
            }
        }
        assertThat(served).containsExactly("a", "b", "c");
    }

    @Provide
    Arbitrary<PoolState> pools() {
        Arbitrary<List<Worker>> workers = Arbitraries.integers()
                .between(1, 4)
                .list()
                .ofMaxSize(8)
                .map(slots -> workers(slots.stream().mapToInt(Integer::intValue).toArray()));
        Arbitrary<List<Claim>> claims = Combinators.combine(
                        Arbitraries.doubles().between(0.1, 10),
                        Arbitraries.integers().between(0, 10),
                        Arbitraries.integers().between(0, 7).set().ofMaxSize(4),
                        Arbitraries.integers().between(0, 100))
                .as((weight, wish, holds, waited) -> {
                    SortedSet<String> its = new TreeSet<>();
                    holds.forEach(worker -> its.add("w" + worker));
                    return new Claim("?", weight, wish, its, NOW.minusSeconds(waited));
                })
                .list()
                .ofMaxSize(8)
                .map(FairShareTest::named);
        return Combinators.combine(workers, claims).as((some, asked) -> new PoolState(NOW, some, asked));
    }

    private static List<Claim> named(List<Claim> claims) {
        List<Claim> named = new ArrayList<>();
        for (Claim claim : claims) {
            named.add(new Claim("j" + named.size(), claim.weight(), claim.wish(), claim.holds(), claim.since()));
        }
        return named;
    }

    @Property
    void noWorkerRunsMoreThanItsSlotsAndNoJobGetsMoreThanItWishes(@ForAll("pools") PoolState pool) {
        Division division = SHARES.divide(pool);
        Map<String, Integer> used = new HashMap<>();
        division.workers().values().stream()
                .flatMap(Collection::stream)
                .forEach(worker -> used.merge(worker, 1, Integer::sum));
        for (Worker worker : pool.workers()) {
            assertThat(used.getOrDefault(worker.id(), 0)).isLessThanOrEqualTo(worker.slots());
        }
        assertThat(used.keySet())
                .isSubsetOf(pool.workers().stream().map(Worker::id).toList());
        for (Claim claim : pool.claims()) {
            assertThat(division.workers().get(claim.job()).size()).isLessThanOrEqualTo(claim.wish());
        }
    }

    // more for a job would have to come from one that has no more for its weight than the job would have then
    @Property
    void sharesAreMaxMinFair(@ForAll("pools") PoolState pool) {
        Map<String, Integer> shares = SHARES.divide(pool).shares();
        int used = shares.values().stream().mapToInt(Integer::intValue).sum();
        int wished = pool.claims().stream()
                .mapToInt(claim -> Math.min(claim.wish(), pool.workers().size()))
                .sum();
        assertThat(used).isEqualTo(Math.min(pool.slots(), wished));
        for (Claim poor : pool.claims()) {
            int its = shares.get(poor.job());
            if (its >= Math.min(poor.wish(), pool.workers().size())) {
                continue;
            }
            for (Claim rich : pool.claims()) {
                int other = shares.get(rich.job());
                // a job's only slot is never taken for another's second
                boolean fair = other <= 1 || other / rich.weight() <= (its + 1) / poor.weight() + 1e-9;
                assertThat(fair && !(its == 0 && other > 1))
                        .as(poor + " has " + its + ", " + rich + " has " + other)
                        .isTrue();
            }
        }
    }

    @Property
    void dividingAgainChangesNothing(@ForAll("pools") PoolState pool) {
        Division first = SHARES.divide(pool);
        List<Claim> claims = new ArrayList<>();
        for (Claim claim : pool.claims()) {
            SortedSet<String> its = first.workers().get(claim.job());
            boolean turned = its.isEmpty() != claim.holds().isEmpty();
            claims.add(new Claim(claim.job(), claim.weight(), claim.wish(), its, turned ? NOW : claim.since()));
        }
        // but for jobs that take turns, which may be due at once
        boolean turns = first.workers().values().stream().anyMatch(Set::isEmpty);
        if (!turns) {
            assertThat(SHARES.divide(new PoolState(NOW, pool.workers(), claims)).workers())
                    .isEqualTo(first.workers());
        }
    }
}
