package io.praline.policy.splits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class PermutationTest {

    @Property(tries = 200)
    void everyNumberComesOnce(@ForAll @IntRange(min = 1, max = 5000) int size, @ForAll long key) {
        Permutation permutation = new Permutation(size, key);
        BitSet seen = new BitSet(size);
        for (int position = 0; position < size; position++) {
            seen.set(Math.toIntExact(permutation.at(position)));
        }
        assertThat(seen.cardinality()).isEqualTo(size);
        assertThat(seen.length()).isEqualTo(size);
    }

    @Property
    void numbersStayInRangeForAnySize(
            @ForAll @LongRange(min = 1, max = 1L << 62) long size, @ForAll long key, @ForAll long where) {
        long position = Math.floorMod(where, size);
        assertThat(new Permutation(size, key).at(position)).isBetween(0L, size - 1);
    }

    // a thousand neighbours of a million: their mean is within 3 standard errors of the middle, 500,000 +- 27,400
    @Example
    void neighboursAreSpreadOverTheWholeRange() {
        Permutation permutation = new Permutation(1_000_000, 42);
        double mean = LongStream.range(0, 1000).map(permutation::at).average().orElseThrow();
        assertThat(mean).isBetween(472_600.0, 527_400.0);
    }

    @Example
    void theSameKeyGivesTheSameOrderInEveryRelease() {
        Permutation permutation = new Permutation(10, 7);
        assertThat(LongStream.range(0, 10).map(permutation::at))
                .containsExactly(9L, 2L, 4L, 5L, 8L, 7L, 6L, 0L, 1L, 3L);
    }

    @Example
    void aPositionBeyondTheNumbersIsRefused() {
        Permutation permutation = new Permutation(10, 7);
        assertThatThrownBy(() -> permutation.at(10)).hasMessage("position must be in 0..9, is 10");
        assertThatThrownBy(() -> permutation.at(-1)).hasMessage("position must be in 0..9, is -1");
        assertThatThrownBy(() -> new Permutation(0, 7)).hasMessage("size must be at least 1, is 0");
    }
}
