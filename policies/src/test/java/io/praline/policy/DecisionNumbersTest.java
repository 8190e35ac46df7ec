package io.praline.policy;

import static io.praline.policy.Quantity.COST_PER_MILLION_ELEMENTS;
import static io.praline.policy.Quantity.ELEMENTS_PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
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

class DecisionNumbersTest {
    private static Expected expected(double costPerMillion, double elementsPerSecond) {
        return Expected.NOTHING
                .with(COST_PER_MILLION_ELEMENTS, costPerMillion)
                .with(ELEMENTS_PER_SECOND, elementsPerSecond);
    }

    @Example
    void theyStandInTheJournalUnderTheKeysOfOld() {
        DecisionNumbers numbers = new DecisionNumbers(
                expected(1.5, 1_000),
                List.of(
                        new Alternative(new Target(10, 0), expected(2, 900)),
                        new Alternative(new Target(2, 1), Expected.NOTHING.with(ELEMENTS_PER_SECOND, 350))),
                new TreeMap<>(Map.of("clockFactor", 0.9)));
        assertThat(numbers.write())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "alternative 10+0: costPerMillionElements", 2.0,
                        "alternative 10+0: elementsPerSecond", 900.0,
                        "alternative 2+1: elementsPerSecond", 350.0,
                        "clockFactor", 0.9,
                        "expectedCostPerMillionElements", 1.5,
                        "expectedElementsPerSecond", 1_000.0));
        assertThat(numbers.alternatives())
                .extracting(Alternative::workers)
                .containsExactly(new Target(2, 1), new Target(10, 0));
    }

    @Property(tries = 300)
    void whatIsWrittenIsRead(@ForAll("numbers") DecisionNumbers numbers) {
        assertThat(DecisionNumbers.read(numbers.write())).isEqualTo(numbers);
    }

    /** Keys of all kinds, also such as are nearly known. */
    @Property(tries = 1000)
    void whatIsReadIsWrittenAndWhatIsNotKnownIsLeftAlone(@ForAll("journaled") Map<String, Double> journaled) {
        DecisionNumbers read = DecisionNumbers.read(journaled);
        assertThat(read.write()).isEqualTo(journaled);
        assertThat(journaled).containsAllEntriesOf(read.grounds());
    }

    @Example
    void aKeyThatIsNotKnownIsAGround() {
        SortedMap<String, Double> unknown = new TreeMap<>();
        for (String key : List.of(
                "expected",
                "expectedMood",
                "expectedelementsPerSecond",
                "elementsPerSecond",
                "alternative 1+1: mood",
                "alternative 01+1: elementsPerSecond",
                "alternative 1+2147483648: elementsPerSecond",
                "alternative 1+12345678901: elementsPerSecond",
                "alternative -1+1: elementsPerSecond",
                "alternative 1+1:elementsPerSecond")) {
            unknown.put(key, 1.0);
        }
        assertThat(DecisionNumbers.read(unknown)).isEqualTo(new DecisionNumbers(Expected.NOTHING, List.of(), unknown));
        Target most = new Target(Integer.MAX_VALUE, 0);
        assertThat(DecisionNumbers.read(Map.of("alternative 2147483647+0: elementsPerSecond", 1.0))
                        .alternatives())
                .containsExactly(new Alternative(most, Expected.NOTHING.with(ELEMENTS_PER_SECOND, 1)));
    }

    @Example
    void whatCouldNotBeReadBackIsRefused() {
        Alternative other = new Alternative(new Target(2, 1), expected(1, 1));
        assertThatThrownBy(() -> new Alternative(new Target(2, 1), Expected.NOTHING))
                .hasMessage("of the alternative 2 remote and 1 local something must be expected");
        assertThatThrownBy(() -> new DecisionNumbers(Expected.NOTHING, List.of(other, other), new TreeMap<>()))
                .hasMessage("alternatives must differ, two are 2 remote and 1 local");
        for (String key : List.of("expectedCostPerHour", "alternative 0+1: waitShare")) {
            assertThatThrownBy(() -> new DecisionNumbers(Expected.NOTHING, List.of(), new TreeMap<>(Map.of(key, 1.0))))
                    .hasMessage("grounds must not be named as what is expected, are '" + key + "'");
        }
    }

    @Example
    void quantitiesAreInTheOrderOfTheirKeys() {
        assertThat(Arrays.stream(Quantity.values()).map(Quantity::key))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Provide
    Arbitrary<DecisionNumbers> numbers() {
        Arbitrary<Integer> workers = Arbitraries.integers().greaterOrEqual(0);
        Arbitrary<Alternative> alternative = Combinators.combine(
                        Combinators.combine(workers, workers).as(Target::new), quantities(1))
                .as(Alternative::new);
        Arbitrary<SortedMap<String, Double>> grounds = Arbitraries.maps(
                        Arbitraries.of("clockFactor", "gain", "expectedMood", "spent", "alternative"), values())
                .map(TreeMap::new);
        return Combinators.combine(
                        quantities(0),
                        alternative.list().uniqueElements(Alternative::workers).ofMaxSize(5),
                        grounds)
                .as(DecisionNumbers::new);
    }

    private static Arbitrary<Expected> quantities(int least) {
        return Arbitraries.maps(Arbitraries.of(Quantity.class), values())
                .ofMinSize(least)
                .map(quantities -> new Expected(new TreeMap<>(quantities)));
    }

    private static Arbitrary<Double> values() {
        return Arbitraries.doubles();
    }

    @Provide
    Arbitrary<Map<String, Double>> journaled() {
        Arbitrary<String> number = Arbitraries.of("0", "1", "01", "2147483647", "2147483648", "99999999999", "-1", "");
        Arbitrary<String> quantity = Arbitraries.of(
                "elementsPerSecond", "ElementsPerSecond", "costPerHour", "CostPerHour", "waitShare", "Mood", "", " ");
        Arbitrary<String> alternative = Combinators.combine(number, number, Arbitraries.of(": ", ":", " "), quantity)
                .as((remote, local, colon, of) -> "alternative " + remote + "+" + local + colon + of);
        Arbitrary<String> expected = Combinators.combine(Arbitraries.of("expected", "expect", ""), quantity)
                .as(String::concat);
        return Arbitraries.maps(Arbitraries.oneOf(alternative, expected, Arbitraries.strings()), values())
                .ofMaxSize(12);
    }
}
