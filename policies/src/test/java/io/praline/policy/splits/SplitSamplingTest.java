package io.praline.policy.splits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.splits.SplitSampling.Seen;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SplitSamplingTest {
    @Test
    void firstMiddleLastAndLargestComeFirst() {
        List<Long> sample = SplitSampling.of(10, 1, ordinal -> new Seen(0, ordinal == 3 ? 500 : 100));
        assertThat(sample).startsWith(0L, 5L, 9L, 3L).hasSize(10);
    }

    @Test
    void ofSeveralSourcesEachIsThereAndTheyTakeTurns() {
        List<Long> sample = SplitSampling.of(1000, 2, ordinal -> new Seen(ordinal < 999 ? 0 : 1, 100));
        assertThat(sample).startsWith(0L, 999L);
    }

    @Test
    void ofMoreSplitsOfSeveralSourcesThanAreLookedAtThereIsNone() {
        assertThat(SplitSampling.possible(2_001, 2)).isFalse();
        assertThat(SplitSampling.possible(2_001, 1)).isTrue();
        assertThat(SplitSampling.possible(0, 1)).isFalse();
        assertThatThrownBy(() -> SplitSampling.of(2_001, 2, ordinal -> new Seen(0, 1)))
                .hasMessage("no sample can be had of 2001 splits of 2 sources");
    }

    @Property
    void aSampleIsOfSplitsThatThereAreEachOnce(
            @ForAll @LongRange(min = 1, max = 1L << 30) long splits, @ForAll @IntRange(min = 1, max = 3) int sources) {
        long some = sources > 1 ? 1 + splits % 2_000 : splits;
        List<Long> sample = SplitSampling.of(some, sources, ordinal -> new Seen((int) (ordinal % sources), ordinal));
        assertThat(sample).doesNotHaveDuplicates().allMatch(ordinal -> ordinal >= 0 && ordinal < some);
        assertThat(sample).contains(0L, some - 1);
    }
}
