package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Target;
import io.praline.policy.scaling.Learned.Point;
import io.praline.policy.scaling.Learned.Progress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class LearnedTest {
    private static final int SOME_DOZENS = 60;

    @Property(tries = 300)
    void whatWasLearnedIsReadBackAndSmall(@ForAll("learned") Learned learned) {
        assertThat(Learned.read(learned.write())).isEqualTo(learned);
        assertThat(learned.write()).hasSizeLessThanOrEqualTo(SOME_DOZENS);
    }

    @Example
    void whatAnotherPolicyRememberedIsNotReadAsItsOwn() {
        assertThat(Learned.read(new TreeMap<>(Map.of("phase", 2.0)))).isEqualTo(Learned.NOTHING);
    }

    // 6 rates and 6 points: the oldest of each go
    @Example
    void theNewestAreKept() {
        Learned learned = Learned.NOTHING;
        for (int i = 1; i <= 6; i++) {
            learned = learned.withRemote(i).with(new Point(new Target(i, 0), i, i, 0, 0.1));
        }
        assertThat(learned.remoteRates()).containsExactly(6.0, 5.0, 4.0, 3.0, 2.0);
        assertThat(learned.points()).extracting(point -> point.tasks().remote()).containsExactly(6, 5, 4, 3, 2);
    }

    @Example
    void ofTheNumbersOfLocalWorkersTheFarthestGoes() {
        Learned learned = Learned.NOTHING;
        for (int beside : List.of(1, 4, 9, 10, 8)) {
            learned = learned.withLocal(beside, 100);
        }
        assertThat(learned.localRates().keySet()).containsExactly(4, 8, 9, 10);
    }

    @Provide
    Arbitrary<Learned> learned() {
        Arbitrary<Double> rate = Arbitraries.doubles().between(0.01, 1e6);
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
                        rate.list().ofMaxSize(9),
                        Combinators.combine(Arbitraries.integers().between(1, 30), rate)
                                .as(Map::entry)
                                .list()
                                .ofMaxSize(30),
                        point.list().ofMaxSize(9))
                .as((count, remote, local, points) -> {
                    Learned learned = Learned.NOTHING.with(new Progress(count, count, 2, 3, 4));
                    for (double one : remote) {
                        learned = learned.withRemote(one);
                    }
                    for (Map.Entry<Integer, Double> one : local) {
                        learned = learned.withLocal(one.getKey(), one.getValue());
                    }
                    for (Point one : points) {
                        learned = learned.with(one);
                    }
                    return learned;
                });
    }
}
