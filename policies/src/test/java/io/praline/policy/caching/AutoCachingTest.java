package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Terms.Goal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Which way takes least. */
class AutoCachingTest {
    private static final CachePoint SOURCE = new CachePoint(0, "TFRecordDataset", "aa");
    private static final CachePoint DECODED = new CachePoint(1, "decode", "bb");
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    /** Of 10 ms, 1 are reading; decoded records are read in 2 and written in 1. Those of the source are no faster. */
    private static CacheSituation situation(double rate, CacheOutlook outlook) {
        return new CacheSituation(
                List.of(SOURCE, DECODED),
                List.of(new PointMeasure(0, 1e6, 1e5, 1e5, 1e6), new PointMeasure(1, 1e7, 1e6, 1e6, 2e6)),
                1e7,
                Collections.emptySortedMap(),
                rate,
                outlook);
    }

    private static CacheOutlook outlook(double epochs, double others, int workers, double trainer, double room) {
        return new CacheOutlook(epochs, new TreeMap<>(Map.of("bb", others)), 5e9, 1000, workers, 1, trainer, room);
    }

    private static CacheChoice choice(Goal goal, double storage, CacheSituation situation) {
        return new AutoCaching(CacheMode.AUTO, new CacheTerms(goal, 1, 1, storage, 0)).choose(situation);
    }

    private static Optional<CachePoint> chosen(Goal goal, double storage, CacheSituation situation) {
        return choice(goal, storage, situation).chosen().point();
    }

    // computing takes 9 ms while it reads; the first time 10, then 2
    @Example
    void whatIsReadAgainIsKept() {
        CacheChoice choice = choice(Goal.COST, 0, situation(0, outlook(3, 0, 2, INFINITE, INFINITE)));
        assertThat(choice.chosen().point()).contains(DECODED);
        assertThat(choice.computing().workerSeconds()).isCloseTo(27, within(1e-9));
        assertThat(choice.chosen().workerSeconds()).isCloseTo(10 + 2 * 2, within(1e-9));
        assertThat(choice.chosen().seconds()).isCloseTo(7, within(1e-9));
        assertThat(choice.chosen().gain()).isCloseTo(4.5, within(1e-9));
        assertThat(choice.reason())
                .isEqualTo(
                        "it is to keep what comes out of decode: that takes workers 14.0 s in place of 27.0 s for what is"
                                + " left, and 4.50 times as many records come from entries as are computed; 1000 MB, 100 % of the"
                                + " splits");
        assertThat(choice.numbers())
                .containsEntry("epochsLeft", 3.0)
                .containsEntry("point 1: writeNanosPerRecord", 1e6)
                .containsEntry("point", 1.0);
    }

    @Example
    void whereNobodyHasRoomThatIsWhatIsSaid() {
        CacheChoice choice = choice(Goal.COST, 0, situation(0, outlook(3, 0, 2, INFINITE, 0)));
        assertThat(choice.chosen().point()).isEmpty();
        assertThat(choice.reason())
                .isEqualTo("it computes: no worker has room to keep anything, see --cache-dir and --cache-bytes");
    }

    @Example
    void whatIsReadOnceIsNotKeptUnlessAnotherJobReadsItToo() {
        CacheChoice alone = choice(Goal.COST, 0, situation(0, outlook(1, 0, 2, INFINITE, INFINITE)));
        assertThat(alone.chosen().point()).isEmpty();
        assertThat(alone.reason())
                .isEqualTo(
                        "it computes: what is left takes workers 9.0 s, and 9.1 s to keep records as they are read, which"
                                + " is no gain of more than 3 % in money");
        assertThat(chosen(Goal.COST, 0, situation(0, outlook(1, 5, 2, INFINITE, INFINITE))))
                .contains(DECODED);
    }

    // of 1.4 epochs the splits of 0.4 are read twice, those of 0.6 once
    @Example
    void splitsThatWereReadInThisEpochHaveFewerUsesLeft() {
        CacheChoice choice = choice(Goal.COST, 0, situation(0, outlook(1.4, 0, 2, INFINITE, INFINITE)));
        assertThat(choice.chosen().workerSeconds()).isCloseTo(0.4 * (10 + 2) + 0.6 * 10, within(1e-9));
    }

    // 1 GB for 7 s at 1,000 an hour costs 1.94, where client and workers save less than 0.01
    @Example
    void storageCountsAsLongAsTheJobReadsFromIt() {
        assertThat(chosen(Goal.COST, 1000, situation(0, outlook(3, 0, 2, INFINITE, INFINITE))))
                .isEmpty();
        assertThat(chosen(Goal.TIME, 1000, situation(0, outlook(3, 0, 2, INFINITE, INFINITE))))
                .contains(DECODED);
    }

    // 5 GB are read at the source three times, or once: at 0.1 a GB that is more than workers cost, who are as fast
    // without
    @Example
    void whatIsReadAtTheSourceIsPaidFor() {
        CacheSituation fast = situation(1000, outlook(3, 0, 2, INFINITE, INFINITE));
        CacheChoice choice = new AutoCaching(CacheMode.AUTO, new CacheTerms(Goal.COST, 1, 1, 0, 0.1)).choose(fast);
        assertThat(choice.computing().fetchedBytes()).isEqualTo(15e9);
        assertThat(choice.computing().money())
                .isCloseTo(
                        1.5 + (choice.computing().seconds() + choice.computing().workerSeconds()) / 3600, within(1e-9));
        assertThat(choice.chosen().point()).isPresent();
        assertThat(choice.chosen().fetchedBytes()).isEqualTo(5e9);
        assertThat(choice.numbers()).containsEntry("fetchedBytesComputing", 15e9);
        assertThat(chosen(Goal.COST, 0, fast)).isEmpty();
    }

    // 2 workers make 222 a second where the trainer takes 50: no way is faster, and one worker would do
    @Example
    void whereTheTrainerIsTheBottleneckMoneyDecides() {
        CacheSituation enough = situation(0, outlook(10, 0, 2, 50, INFINITE));
        assertThat(chosen(Goal.TIME, 0, enough)).isEmpty();
        CacheSituation two = situation(0, outlook(10, 0, 2, 200, INFINITE));
        CacheChoice choice = choice(Goal.TIME, 0, two);
        assertThat(choice.chosen().seconds()).isCloseTo(choice.computing().seconds(), within(1e-9));
        assertThat(choice.chosen().point()).contains(DECODED);
        assertThat(chosen(Goal.TIME, 1000, two)).isEmpty();
    }

    @Example
    void ofALittleRoomLittleIsGained() {
        CacheChoice half = choice(Goal.COST, 0, situation(0, outlook(3, 0, 2, INFINITE, 5e8)));
        assertThat(half.chosen().coveredShare()).isCloseTo(0.5, within(1e-9));
        assertThat(half.chosen().workerSeconds()).isCloseTo(0.5 * 14 + 0.5 * 27, within(1e-9));
        assertThat(chosen(Goal.COST, 0, situation(0, outlook(3, 0, 2, INFINITE, 5e7))))
                .isEmpty();
    }

    // 100 a second would be 10 ms: reading does not overlap; 50 a second is twice as slow as measured
    @Example
    void theRateOfTasksTellsWhatOverlaps() {
        CacheOutlook outlook = outlook(3, 0, 2, INFINITE, INFINITE);
        assertThat(choice(Goal.COST, 0, situation(100, outlook)).computing().workerSeconds())
                .isCloseTo(30, within(1e-9));
        assertThat(choice(Goal.COST, 0, situation(50, outlook)).computing().workerSeconds())
                .isCloseTo(60, within(1e-9));
        CacheChoice fast = choice(Goal.COST, 0, situation(1000, outlook));
        assertThat(fast.computing().workerSeconds()).isCloseTo(3, within(1e-9));
        assertThat(fast.chosen().point()).isEmpty();
    }

    @Example
    void aPointThatIsAskedForIsUsedWhateverItCosts() {
        CacheTerms terms = new CacheTerms(Goal.COST, 1, 1, 0, 0);
        CacheSituation once = situation(0, outlook(1, 0, 2, INFINITE, INFINITE));
        for (CacheMode mode : List.of(CacheMode.FULL, CacheMode.PREFIX)) {
            CacheForecast chosen = new AutoCaching(mode, terms).choose(once).chosen();
            assertThat(chosen.point()).contains(DECODED);
            assertThat(chosen.put()).isTrue();
        }
        assertThat(new AutoCaching(CacheMode.SOURCE, terms)
                        .choose(once)
                        .chosen()
                        .point())
                .contains(SOURCE);
    }

    @Provide
    Arbitrary<CacheSituation> situations() {
        Arbitrary<Double> nanos = Arbitraries.doubles().between(0, 1e7);
        Arbitrary<PointMeasure> source = Combinators.combine(nanos, nanos, nanos, nanos)
                .as((compute, bytes, write, read) -> new PointMeasure(0, compute, bytes, write, read));
        Arbitrary<PointMeasure> later = Combinators.combine(nanos, nanos, nanos, nanos)
                .as((compute, bytes, write, read) -> new PointMeasure(1, compute + 1e7, bytes, write, read));
        Arbitrary<CacheOutlook> outlooks = Combinators.combine(
                        Arbitraries.doubles().between(0, 12),
                        Arbitraries.doubles().between(0, 3),
                        Arbitraries.integers().between(1, 9),
                        Arbitraries.doubles().between(1, 1e5),
                        Arbitraries.doubles().between(0, 2e10))
                .as(AutoCachingTest::outlook);
        return Combinators.combine(
                        source,
                        later,
                        outlooks,
                        Arbitraries.doubles().between(0, 1),
                        Arbitraries.of(0.0, 10.0, 100.0, 1000.0))
                .as((first, second, outlook, stored, rate) -> new CacheSituation(
                        List.of(SOURCE, DECODED),
                        List.of(first, second),
                        2e7,
                        new TreeMap<>(Map.of("bb", stored)),
                        rate,
                        outlook));
    }

    @Property
    void theChoiceIsNeverWorseThanComputing(@ForAll("situations") CacheSituation situation) {
        CacheChoice cost = choice(Goal.COST, 0.01, situation);
        assertThat(cost.chosen().money()).isLessThanOrEqualTo(cost.computing().money());
        CacheChoice time = choice(Goal.TIME, 0.01, situation);
        assertThat(time.chosen().seconds()).isLessThanOrEqualTo(time.computing().seconds());
        CacheChoice both = choice(Goal.BALANCED, 0.01, situation);
        assertThat(both.chosen().seconds() * both.chosen().money())
                .isLessThanOrEqualTo(
                        both.computing().seconds() * both.computing().money());
    }

    @Property
    void noMoreIsCoveredThanThereIsRoomFor(@ForAll("situations") CacheSituation situation) {
        for (CacheForecast way : choice(Goal.COST, 0, situation).all()) {
            double held = way.point()
                    .map(point -> situation.stored(point)
                            * situation.measure(point).orElseThrow().bytes()
                            * 1000)
                    .orElse(0.0);
            assertThat(way.coveredShare()).isBetween(0.0, 1.0);
            assertThat(way.storedBytes())
                    .isLessThanOrEqualTo(Math.max(held, situation.outlook().roomBytes()) * (1 + 1e-9));
        }
    }
}
