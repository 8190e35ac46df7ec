package io.praline.policy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
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

    private static SlotClaim claim(String job, double weight, int wish, String... holds) {
        return new SlotClaim(job, weight, wish, new TreeSet<>(List.of(holds)), NOW);
    }

    private static Map<String, Integer> granted(List<Worker> workers, SlotClaim... claims) {
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

    private static SlotClaim of(String tenant, String job, int wish, String... holds) {
        return new SlotClaim(job, tenant, 1, wish, new TreeSet<>(List.of(holds)), NOW);
    }

    // 8 slots, 4 a tenant: one has three jobs, the other one
    @Example
    void tenantsShareBeforeTheirJobsDo() {
        assertThat(granted(
                        workers(1, 1, 1, 1, 1, 1, 1, 1),
                        of("many", "a", 9),
                        of("many", "b", 9),
                        of("many", "c", 9),
                        of("one", "d", 9)))
                .isEqualTo(Map.of("a", 2, "b", 1, "c", 1, "d", 4));
    }

    // 4 slots: the tenant of three jobs would have two of them, but each job gets its first before anybody's second
    @Example
    void eachJobGetsItsFirstSlotBeforeAnybodyGetsASecond() {
        assertThat(granted(
                        workers(1, 1, 1, 1),
                        of("many", "a", 9),
                        of("many", "b", 9),
                        of("many", "c", 9),
                        of("one", "d", 9)))
                .isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "d", 1));
    }

    // 2 slots for four jobs: one of each tenant
    @Example
    void whereSlotsAreFewerThanJobsNoTenantGetsTwoBeforeAnotherHasOne() {
        assertThat(granted(
                        workers(1, 1), of("many", "a", 9), of("many", "b", 9), of("many", "c", 9), of("one", "d", 9)))
                .isEqualTo(Map.of("a", 1, "b", 0, "c", 0, "d", 1));
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
        SlotClaim holder = new SlotClaim("a", 1, 1, new TreeSet<>(Set.of("w0")), NOW.minusSeconds(31));
        SlotClaim waiting = new SlotClaim("b", 1, 1, new TreeSet<>(), NOW.minusSeconds(10));
        assertThat(granted(workers(1), holder, waiting)).isEqualTo(Map.of("a", 0, "b", 1));
        SlotClaim fresh = new SlotClaim("a", 1, 1, new TreeSet<>(Set.of("w0")), NOW.minusSeconds(29));
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
            List<SlotClaim> claims = new ArrayList<>();
            for (String job : List.of("a", "b", "c")) {
                SortedSet<String> holds = new TreeSet<>(job.equals(holder) ? Set.of("w0") : Set.of());
                claims.add(new SlotClaim(job, 1, 1, holds, since.get(job)));
            }
            Division division = SHARES.divide(new PoolState(at, workers(1), claims));
            for (SlotClaim claim : claims) {
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
        Arbitrary<List<SlotClaim>> claims = Combinators.combine(
                        Arbitraries.doubles().between(0.1, 10),
                        Arbitraries.integers().between(0, 10),
                        Arbitraries.integers().between(0, 7).set().ofMaxSize(4),
                        Arbitraries.integers().between(0, 100))
                .as((weight, wish, holds, waited) -> {
                    SortedSet<String> its = new TreeSet<>();
                    holds.forEach(worker -> its.add("w" + worker));
                    return new SlotClaim("?", weight, wish, its, NOW.minusSeconds(waited));
                })
                .list()
                .ofMaxSize(8)
                .map(FairShareTest::named);
        return Combinators.combine(workers, claims).as((some, asked) -> new PoolState(NOW, some, asked));
    }

    @Provide
    Arbitrary<PoolState> tenants() {
        Arbitrary<List<Worker>> workers = Arbitraries.integers()
                .between(0, 30)
                .map(count -> workers(IntStream.generate(() -> 1).limit(count).toArray()));
        Arbitrary<List<SlotClaim>> claims = Combinators.combine(
                        Arbitraries.of("ann", "bob", "cyd"),
                        Arbitraries.doubles().between(0.1, 10),
                        Arbitraries.integers().between(0, 10),
                        Arbitraries.integers().between(0, 29).set().ofMaxSize(4))
                .as((tenant, weight, wish, holds) -> {
                    SortedSet<String> its = new TreeSet<>();
                    holds.forEach(worker -> its.add("w" + worker));
                    return new SlotClaim("?", tenant, weight, wish, its, NOW.minusSeconds(100));
                })
                .list()
                .ofMaxSize(10)
                .map(FairShareTest::named);
        return Combinators.combine(workers, claims).as((some, asked) -> new PoolState(NOW, some, asked));
    }

    // on workers of one slot whatever there is has a place: no slot lies idle that somebody wishes for, a tenant that
    // wishes for more has at most one less than any of whose jobs one has a second, and so it is among its jobs
    @Property
    void sharesAreMaxMinFairOverTenants(@ForAll("tenants") PoolState pool) {
        Map<String, Integer> shares = new HashMap<>();
        Map<String, Integer> totals = new HashMap<>();
        Division division = SHARES.divide(pool);
        for (SlotClaim claim : pool.claims()) {
            int share = division.workers().get(claim.job()).size();
            shares.put(claim.job(), share);
            totals.merge(claim.tenant(), share, Integer::sum);
        }
        int wished = pool.claims().stream().mapToInt(SlotClaim::wish).sum();
        assertThat(totals.values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(Math.min(pool.slots(), wished));
        for (SlotClaim poor : pool.claims()) {
            int its = shares.get(poor.job());
            if (its == poor.wish()) {
                continue;
            }
            for (SlotClaim rich : pool.claims()) {
                int other = shares.get(rich.job());
                boolean second = other > 1;
                assertThat(its == 0 && second)
                        .as(poor + " has none, " + rich + " has " + other)
                        .isFalse();
                if (second && !rich.tenant().equals(poor.tenant())) {
                    assertThat(totals.get(rich.tenant()))
                            .as(shares + " of " + pool)
                            .isLessThanOrEqualTo(totals.get(poor.tenant()) + 1);
                } else if (second && !rich.job().equals(poor.job())) {
                    assertThat(other / rich.weight())
                            .as(shares + " of " + pool)
                            .isLessThanOrEqualTo((its + 1) / poor.weight() + 1e-9);
                }
            }
        }
    }

    @Property(tries = 3000)
    void dividingAgainOverTenantsChangesNothing(@ForAll("tenants") PoolState pool) {
        assertThatDividingAgainChangesNothing(pool);
    }

    private static List<SlotClaim> named(List<SlotClaim> claims) {
        List<SlotClaim> named = new ArrayList<>();
        for (SlotClaim claim : claims) {
            named.add(new SlotClaim(
                    "j" + named.size(), claim.tenant(), claim.weight(), claim.wish(), claim.holds(), claim.since()));
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
        for (SlotClaim claim : pool.claims()) {
            assertThat(division.workers().get(claim.job()).size()).isLessThanOrEqualTo(claim.wish());
        }
    }

    // whoever wishes for more could not have it, or only at the cost of one that has no more for its weight than it
    // would have
    @Property
    void sharesAreMaxMinFair(@ForAll("pools") PoolState pool) {
        Map<String, Integer> shares = new HashMap<>();
        SHARES.divide(pool).workers().forEach((job, its) -> shares.put(job, its.size()));
        for (SlotClaim poor : pool.claims()) {
            int its = shares.get(poor.job());
            if (its == poor.wish()) {
                continue;
            }
            assertThat(canBePlaced(pool, moved(shares, poor.job(), null)))
                    .as("one more for " + poor + " beside " + shares)
                    .isFalse();
            for (SlotClaim rich : pool.claims()) {
                int other = shares.get(rich.job());
                // a job's only slot is never taken for another's second
                boolean fair = !(its == 0 && other > 1)
                        && (other <= 1 || other / rich.weight() <= (its + 1) / poor.weight() + 1e-9);
                assertThat(fair || !canBePlaced(pool, moved(shares, poor.job(), rich.job())))
                        .as(poor + " has " + its + ", " + rich + " has " + other)
                        .isTrue();
            }
        }
    }

    private static Map<String, Integer> moved(Map<String, Integer> shares, String to, String from) {
        Map<String, Integer> moved = new HashMap<>(shares);
        moved.merge(to, 1, Integer::sum);
        moved.computeIfPresent(from == null ? "" : from, (job, share) -> share - 1);
        return moved;
    }

    /** One job after the other on the workers that have the most left, as Ryser does it with a matrix of zeros and ones. */
    private static boolean canBePlaced(PoolState pool, Map<String, Integer> shares) {
        List<Integer> left =
                new ArrayList<>(pool.workers().stream().map(Worker::slots).toList());
        for (int share : shares.values()) {
            left.sort(Comparator.reverseOrder());
            for (int i = 0; i < share; i++) {
                if (i >= left.size() || left.get(i) == 0) {
                    return false;
                }
                left.set(i, left.get(i) - 1);
            }
        }
        return true;
    }

    @Property(tries = 3000)
    void dividingAgainChangesNothing(@ForAll("pools") PoolState pool) {
        assertThatDividingAgainChangesNothing(pool);
    }

    // w0 and w1 have one slot, w2 has four: j3 wishes for three, and what it cannot have goes to j2
    @Example
    void aSlotThatOneCannotUseGoesToTheNext() {
        SlotClaim first = new SlotClaim("j3", 0.15, 3, new TreeSet<>(), NOW.minusSeconds(1));
        PoolState pool = new PoolState(
                NOW, workers(1, 1, 4), List.of(claim("j0", 1, 1), claim("j1", 1, 1), claim("j2", 1, 2), first));
        assertThat(granted(pool.workers(), pool.claims().toArray(new SlotClaim[0])))
                .isEqualTo(Map.of("j0", 1, "j1", 1, "j2", 2, "j3", 2));
        assertThatDividingAgainChangesNothing(pool);
    }

    // c must be on two of three workers, and all that is free is two slots of w2: a or b moves there
    @Example
    void othersMoveToMakeRoom() {
        Map<String, Integer> granted =
                granted(workers(1, 1, 2), claim("a", 1, 1, "w0"), claim("b", 1, 1, "w1"), claim("c", 1, 2));
        assertThat(granted).isEqualTo(Map.of("a", 1, "b", 1, "c", 2));
    }

    private static void assertThatDividingAgainChangesNothing(PoolState pool) {
        Division first = SHARES.divide(pool);
        List<SlotClaim> claims = new ArrayList<>();
        boolean turns = false;
        for (SlotClaim claim : pool.claims()) {
            SortedSet<String> its = first.workers().get(claim.job());
            boolean turned = its.isEmpty() != claim.holds().isEmpty();
            Instant since = turned ? NOW : claim.since();
            claims.add(new SlotClaim(claim.job(), claim.tenant(), claim.weight(), claim.wish(), its, since));
            turns |= its.isEmpty() && claim.wish() > 0;
        }
        // but for jobs that take turns, which may be due at once
        if (!turns) {
            assertThat(SHARES.divide(new PoolState(NOW, pool.workers(), claims)).workers())
                    .isEqualTo(first.workers());
        }
    }

    // one slot: a has had it for 30 s, which is a slice
    @Example
    void aSliceIsOverToTheMillisecond() {
        SlotClaim waiting = new SlotClaim("b", 1, 1, new TreeSet<>(), NOW.minusSeconds(10));
        SlotClaim over = new SlotClaim("a", 1, 1, new TreeSet<>(Set.of("w0")), NOW.minusSeconds(30));
        assertThat(granted(workers(1), over, waiting)).isEqualTo(Map.of("a", 0, "b", 1));
        SlotClaim within = new SlotClaim("a", 1, 1, new TreeSet<>(Set.of("w0")), NOW.minusMillis(29_999));
        assertThat(granted(workers(1), within, waiting)).isEqualTo(Map.of("a", 1, "b", 0));
    }

    // one slot: b waits longer, and a's weight does not matter before each has a slot
    @Example
    void theFirstSlotGoesToWhoWaitsLongestWhateverItWeighs() {
        SlotClaim heavy = new SlotClaim("a", 9, 1, new TreeSet<>(), NOW.minusSeconds(5));
        SlotClaim light = new SlotClaim("b", 1, 1, new TreeSet<>(), NOW.minusSeconds(10));
        assertThat(granted(workers(1), heavy, light)).isEqualTo(Map.of("a", 0, "b", 1));
    }

    // 3 slots, level at one each: the third is b's, who has it, and not a's, who comes first
    @Example
    void ofTwoThatAreLevelWhoHasTheSlotKeepsIt() {
        assertThat(granted(workers(1, 1, 1), claim("a", 1, 9, "w0"), claim("b", 1, 9, "w1", "w2")))
                .isEqualTo(Map.of("a", 1, "b", 2));
        assertThat(granted(workers(1, 1, 1), of("first", "a", 9, "w0"), of("second", "b", 9, "w1", "w2")))
                .isEqualTo(Map.of("a", 1, "b", 2));
    }

    // 3 slots: the holder of two gives one up for a job of another tenant that has none
    @Example
    void aJobWithoutASlotComesBeforeATenantThatKeepsItsOwn() {
        SlotClaim holder = of("one", "a", 9, "w0", "w1");
        assertThat(granted(workers(1, 1, 1), holder, of("many", "b", 9), of("many", "c", 9)))
                .isEqualTo(Map.of("a", 1, "b", 1, "c", 1));
    }
}
