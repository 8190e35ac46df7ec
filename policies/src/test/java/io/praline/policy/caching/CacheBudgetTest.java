package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Terms.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Who may have how much of a store. */
class CacheBudgetTest {
    /** Used once an hour, ten times more. */
    private static CacheGroup group(String tenant, String prefix, long held, long wanted, double secondsPerByte) {
        return new CacheGroup(tenant, prefix, held, wanted, secondsPerByte, 1, 10, 0, Duration.ZERO, 0, false);
    }

    private static CacheGroup pinned(CacheGroup group, boolean pinned) {
        return new CacheGroup(
                group.tenant(),
                group.prefix(),
                group.heldBytes(),
                group.wantedBytes(),
                group.secondsPerByte(),
                group.usesPerHour(),
                group.usesLeft(),
                group.pastUsesPerHour(),
                group.idle(),
                group.storageSecondsPerByteHour(),
                pinned);
    }

    private static CacheGroup ended(String prefix, long held, double secondsPerByte, Duration idle) {
        return new CacheGroup("ann", prefix, held, held, secondsPerByte, 0, 0, 4, idle, 0, false);
    }

    private static List<Long> bytes(long budget, CacheGroup... groups) {
        return CacheBudget.divide(budget, List.of(groups)).stream()
                .map(CacheGrant::bytes)
                .toList();
    }

    @Example
    void bytesGoWhereTheySaveMost() {
        assertThat(bytes(100, group("ann", "a", 0, 80, 1), group("ann", "b", 0, 80, 4)))
                .containsExactly(20L, 80L);
    }

    // 1.25 times as much holds, 1.3 times as much pushes out
    @Example
    void whatNobodyMeasuredWantsWhatIsFreeAndATenthAtLeast() {
        assertThat(CacheBudget.unknown(1000, 300, 2)).isEqualTo(350);
        assertThat(CacheBudget.unknown(1000, 950, 1)).isEqualTo(100);
        assertThat(CacheBudget.unknown(1000, 5000, 4)).isEqualTo(25);
        assertThat(CacheBudget.unknown(0, 10, 1)).isZero();
    }

    @Example
    void whatIsBeingMadeWantsRoomForItsLastEntriesAndForThoseThatAreMadeAhead() {
        assertThat(CacheBudget.ahead(1L << 40)).isEqualTo(64L << 20);
        assertThat(CacheBudget.ahead(1000)).isEqualTo(100);
        assertThat(CacheBudget.whole(1000, 200)).isEqualTo(320);
    }

    @Example
    void whatIsReadInMinutesIsReadNoMoreOftenInAnHourThanInAll() {
        assertThat(CacheBudget.usesPerHour(0.5, 2, 8, 10)).isEqualTo(4);
        assertThat(CacheBudget.usesPerHour(0.01, 2, 8, 10)).isEqualTo(10);
        assertThat(CacheBudget.usesPerHour(0.001, 2, 8, 10)).isEqualTo(8);
    }

    // a worker that dies soon after a takeover gives back more than was begun since
    @Example
    void whatWasGivenBackMoreThanReadIsNoUse() {
        assertThat(CacheBudget.usesPerHour(0.5, -2, 8, 10)).isZero();
    }

    @Example
    void whatIsNearlyAsGoodStays() {
        assertThat(bytes(100, group("ann", "a", 100, 100, 1), group("ann", "b", 0, 100, 1.2)))
                .containsExactly(100L, 0L);
        assertThat(bytes(100, group("ann", "a", 100, 100, 1), group("ann", "b", 0, 100, 1.3)))
                .containsExactly(0L, 100L);
    }

    @Example
    void whatIsPinnedGoesFirst() {
        assertThat(bytes(100, pinned(group("ann", "a", 0, 80, 0), true), group("ann", "b", 100, 100, 4)))
                .containsExactly(80L, 20L);
    }

    // what is used once a minute, and ten times only, goes before what is used once an hour for ever
    @Example
    void whatIsUsedSoonGoesBeforeWhatIsUsedOften() {
        CacheGroup slow = new CacheGroup("ann", "a", 0, 100, 1, 1, 1000, 0, Duration.ZERO, 0, false);
        CacheGroup fast = new CacheGroup("ann", "b", 0, 100, 1, 60, 10, 0, Duration.ZERO, 0, false);
        assertThat(bytes(100, slow, fast)).containsExactly(0L, 100L);
    }

    // a quarter of 4 uses an hour, half of that after two hours
    @Example
    void entriesOfEndedJobsAreWorthLessAndLess() {
        assertThat(CacheBudget.value(ended("a", 100, 1, Duration.ZERO))).isCloseTo(1, within(1e-9));
        assertThat(CacheBudget.value(ended("a", 100, 1, Duration.ofHours(2)))).isCloseTo(0.5, within(1e-9));
        CacheGroup comes = group("ann", "b", 0, 100, 0.4);
        assertThat(bytes(100, ended("a", 100, 1, Duration.ofHours(1)), comes)).containsExactly(100L, 0L);
        assertThat(bytes(100, ended("a", 100, 1, Duration.ofHours(6)), comes)).containsExactly(0L, 100L);
    }

    // worth a second a byte and hour at once, and half of it after two hours
    @Example
    void entriesOfEndedJobsGoWhenTheyCostMoreThanTheyAreWorth() {
        CacheGroup cheap = new CacheGroup("ann", "a", 100, 100, 1, 0, 0, 4, Duration.ofHours(1), 0.6, false);
        CacheGroup dear = new CacheGroup("ann", "b", 100, 100, 1, 0, 0, 4, Duration.ofHours(2), 0.6, false);
        CacheGroup used = new CacheGroup("ann", "c", 100, 100, 1, 0.1, 9, 0, Duration.ZERO, 0.6, false);
        assertThat(bytes(1000, cheap, dear, used)).containsExactly(100L, 0L, 100L);
        assertThat(bytes(1000, pinned(dear, true))).containsExactly(100L);
    }

    // at a price of 2 an hour, 0.5 for a GB and hour are 900 s of a worker
    @Example
    void keepingCostsAsMuchAsAWorkersTimeForItsPrice() {
        assertThat(new CacheTerms(Goal.COST, 5, 2, 0.5, 0).storageSecondsPerByteHour())
                .isCloseTo(900e-9, within(1e-15));
        assertThat(new CacheTerms(Goal.COST, 5, 2, 0, 0).storageSecondsPerByteHour())
                .isZero();
        assertThat(new CacheTerms(Goal.COST, 5, 0, 0, 0).storageSecondsPerByteHour())
                .isZero();
        assertThat(new CacheTerms(Goal.COST, 5, 0, 0.5, 0).storageSecondsPerByteHour())
                .isEqualTo(Double.MAX_VALUE);
    }

    @Example
    void whatNobodyWantsStaysWhereThereIsRoomAndIsWrittenNoMore() {
        assertThat(bytes(100, group("ann", "a", 60, 90, 0), group("ann", "b", 0, 70, 1)))
                .containsExactly(30L, 70L);
        assertThat(bytes(200, group("ann", "a", 60, 90, 0), group("ann", "b", 0, 70, 1)))
                .containsExactly(60L, 70L);
    }

    // bob wants 20 of his 50, and ann has what is left
    @Example
    void tenantsHaveEqualSharesAndWhatOthersDoNotWant() {
        assertThat(bytes(100, group("ann", "a", 0, 100, 1), group("bob", "b", 0, 20, 1)))
                .containsExactly(80L, 20L);
        assertThat(bytes(100, group("ann", "a", 100, 100, 100), group("bob", "b", 0, 100, 1)))
                .containsExactly(50L, 50L);
    }

    @Provide
    Arbitrary<List<CacheGroup>> stores() {
        Arbitrary<CacheGroup> groups = Combinators.combine(
                        Arbitraries.of("ann", "bob", "cyd"),
                        Arbitraries.longs().between(0, 1000),
                        Arbitraries.longs().between(0, 1000),
                        Arbitraries.integers().between(0, 20),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 300),
                        Arbitraries.of(true, false, false))
                .as((tenant, held, more, worth, uses, idle, pinned) -> new CacheGroup(
                        tenant,
                        "unnamed",
                        held,
                        held + more,
                        worth,
                        uses,
                        uses * 2,
                        2,
                        Duration.ofMinutes(idle),
                        0,
                        pinned));
        return groups.list().ofMaxSize(7).map(CacheBudgetTest::named);
    }

    private static List<CacheGroup> named(List<CacheGroup> groups) {
        List<CacheGroup> named = new ArrayList<>();
        for (CacheGroup group : groups) {
            named.add(with(group, "p" + named.size(), group.heldBytes(), group.secondsPerByte()));
        }
        return named;
    }

    private static CacheGroup with(CacheGroup group, String prefix, long held, double secondsPerByte) {
        return new CacheGroup(
                group.tenant(),
                prefix,
                held,
                group.wantedBytes(),
                secondsPerByte,
                group.usesPerHour(),
                group.usesLeft(),
                group.pastUsesPerHour(),
                group.idle(),
                group.storageSecondsPerByteHour(),
                group.pinned());
    }

    private static long granted(List<CacheGrant> grants, String prefix) {
        return grants.stream()
                .filter(grant -> grant.prefix().equals(prefix))
                .mapToLong(CacheGrant::bytes)
                .sum();
    }

    @Property
    void theBudgetIsNeverExceededNorLeftWhereSomebodyWantsIt(
            @ForAll("stores") List<CacheGroup> groups, @ForAll @IntRange(max = 4000) int budget) {
        List<CacheGrant> grants = CacheBudget.divide(budget, groups);
        long sum = grants.stream().mapToLong(CacheGrant::bytes).sum();
        long wanted = groups.stream()
                .filter(group -> group.pinned() || CacheBudget.value(group) > 0)
                .mapToLong(CacheGroup::wantedBytes)
                .sum();
        assertThat(sum).isLessThanOrEqualTo(budget).isGreaterThanOrEqualTo(Math.min(budget, wanted));
        assertThat(groups)
                .allSatisfy(group -> assertThat(granted(grants, group.prefix())).isBetween(0L, group.wantedBytes()));
    }

    @Property
    void nobodyHasAByteWhileWhatItsTenantPinnedLacksOne(
            @ForAll("stores") List<CacheGroup> groups, @ForAll @IntRange(max = 4000) int budget) {
        List<CacheGrant> grants = CacheBudget.divide(budget, groups);
        for (CacheGroup first : groups) {
            if (!first.pinned() || granted(grants, first.prefix()) == first.wantedBytes()) {
                continue;
            }
            assertThat(groups)
                    .filteredOn(group -> group.tenant().equals(first.tenant()) && !group.pinned())
                    .allSatisfy(
                            group -> assertThat(granted(grants, group.prefix())).isZero());
        }
    }

    @Property
    void whoIsWorthMoreHasNoLess(
            @ForAll("stores") List<CacheGroup> groups,
            @ForAll @IntRange(max = 4000) int budget,
            @ForAll @IntRange(max = 6) int which,
            @ForAll @IntRange(min = 1, max = 20) int more) {
        if (which >= groups.size() || groups.get(which).secondsPerByte() == 0) {
            return;
        }
        CacheGroup group = groups.get(which);
        List<CacheGroup> raised = new ArrayList<>(groups);
        raised.set(which, with(group, group.prefix(), group.heldBytes(), group.secondsPerByte() + more));
        assertThat(granted(CacheBudget.divide(budget, raised), group.prefix()))
                .isGreaterThanOrEqualTo(granted(CacheBudget.divide(budget, groups), group.prefix()));
    }

    @Property
    void dividingAgainWhatWasGrantedChangesNothing(
            @ForAll("stores") List<CacheGroup> groups, @ForAll @IntRange(max = 4000) int budget) {
        List<CacheGrant> grants = CacheBudget.divide(budget, groups);
        List<CacheGroup> after = groups.stream()
                .map(group -> with(group, group.prefix(), granted(grants, group.prefix()), group.secondsPerByte()))
                .toList();
        assertThat(CacheBudget.divide(budget, after)).isEqualTo(grants);
    }
}
