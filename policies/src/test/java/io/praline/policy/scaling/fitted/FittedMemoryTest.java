package io.praline.policy.scaling.fitted;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import io.praline.policy.scaling.fitted.FittedMemory.Progress;
import io.praline.policy.scaling.fitted.FittedMemory.Rate;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FittedMemoryTest {
    private static final int SOME_DOZENS = 70;

    @Property(tries = 300)
    void whatWasLearnedIsReadBackAndSmall(@ForAll("learned") FittedMemory learned) {
        assertThat(FittedMemory.read(learned.write())).isEqualTo(learned);
        assertThat(learned.write()).hasSizeLessThanOrEqualTo(SOME_DOZENS);
    }

    @Example
    void whatAnotherPolicyRememberedIsNotReadAsItsOwn() {
        assertThat(FittedMemory.read(new TreeMap<>(Map.of("phase", 2.0)))).isEqualTo(FittedMemory.NOTHING);
    }

    // 6 rates and 6 points: the oldest of each go
    @Example
    void theNewestAreKept() {
        FittedMemory learned = FittedMemory.NOTHING;
        for (int i = 1; i <= 6; i++) {
            learned = learned.withRemote(new Rate("w" + i, i)).with(new Point(new Target(i, 0), i, i, 0, 0.1));
        }
        assertThat(learned.remoteRates()).extracting(Rate::elementsPerSecond).containsExactly(6.0, 5.0, 4.0, 3.0, 2.0);
        assertThat(learned.points()).extracting(point -> point.tasks().remote()).containsExactly(6, 5, 4, 3, 2);
    }

    @Example
    void ofTheNumbersOfLocalWorkersTheFarthestGoes() {
        FittedMemory learned = FittedMemory.NOTHING;
        for (int beside : List.of(1, 4, 9, 10, 8)) {
            learned = learned.withLocal(beside, new Rate("local", 100));
        }
        assertThat(learned.localRates().keySet()).containsExactly(4, 8, 9, 10);
    }

    // 267/s in its first seconds, 622/s once it is warm: that is not 444/s
    @Example
    void aWorkersNewerRateTakesThePlaceOfItsOlderOne() {
        FittedMemory learned = FittedMemory.NOTHING
                .withLocal(1, new Rate("one", 267))
                .withLocal(1, new Rate("other", 600))
                .withLocal(1, new Rate("one", 622));
        assertThat(learned.localRates()).isEqualTo(Map.of(1, List.of(new Rate("one", 622), new Rate("other", 600))));
    }

    @Example
    void whatAnOlderVersionWroteOfNobodyIsStillRead() {
        SortedMap<String, Double> numbers = FittedMemory.NOTHING.write();
        numbers.put("remoteRate.0", 170.0);
        numbers.put("localRate.3.0", 90.0);
        assertThat(FittedMemory.read(numbers))
                .isEqualTo(FittedMemory.NOTHING.withRemote(new Rate("", 170)).withLocal(3, new Rate("", 90)));
    }

    @Provide
    Arbitrary<FittedMemory> learned() {
        Arbitrary<Double> rate = Arbitraries.doubles().between(0.01, 1e6);
        Arbitrary<Rate> told = Combinators.combine(Arbitraries.of("worker-1", "job-2.local.vm-1", "w.3", "4"), rate)
                .as(Rate::new);
        Arbitrary<Point> point = Combinators.combine(
                        Arbitraries.integers().between(0, 20),
                        Arbitraries.integers().between(0, 20),
                        rate,
                        rate,
                        Arbitraries.doubles().between(0, 1))
                .as((remote, local, made, taken, wait) ->
                        new Point(new Target(remote, local), made, taken, wait, 0.05));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 100),
                        told.list().ofMaxSize(9),
                        Combinators.combine(Arbitraries.integers().between(1, 30), told)
                                .as(Map::entry)
                                .list()
                                .ofMaxSize(30),
                        point.list().ofMaxSize(9))
                .as((count, remote, local, points) -> {
                    FittedMemory learned = FittedMemory.NOTHING.with(new Progress(count, count, 2, 3, 4));
                    for (Rate one : remote) {
                        learned = learned.withRemote(one);
                    }
                    for (Map.Entry<Integer, Rate> one : local) {
                        learned = learned.withLocal(one.getKey(), one.getValue());
                    }
                    for (Point one : points) {
                        learned = learned.with(one);
                    }
                    return count % 2 == 0 ? learned : learned.resting(count % 30);
                });
    }
}
