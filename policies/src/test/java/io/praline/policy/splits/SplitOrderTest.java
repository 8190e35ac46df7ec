package io.praline.policy.splits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SplitOrderTest {
    private static List<Long> all(SplitOrder order, LongUnaryOperator bytes) {
        return LongStream.range(0, order.splits())
                .map(position -> order.at(position, bytes))
                .boxed()
                .toList();
    }

    @Property(tries = 200)
    void everySplitComesOnce(@ForAll @IntRange(min = 1, max = 300) int splits, @ForAll long seed) {
        assertThat(all(new SplitOrder(splits, seed, 1, false), LongUnaryOperator.identity()))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, splits).boxed().toList());
    }

    // 100 splits: the last 16 of them come by size
    @Property(tries = 100)
    void theLastFewComeLargerFirst(@ForAll long seed) {
        List<Long> last = all(new SplitOrder(100, seed, 0, false), LongUnaryOperator.identity())
                .subList(84, 100);
        assertThat(last).isSortedAccordingTo(Comparator.reverseOrder());
    }

    // 16 splits: the first 12 do not depend on sizes
    @Example
    void sizesDoNotChangeTheOrderOfAllOthers() {
        SplitOrder order = new SplitOrder(16, 3, 0, false);
        assertThat(all(order, LongUnaryOperator.identity()).subList(0, 12))
                .isEqualTo(all(order, ordinal -> -ordinal).subList(0, 12));
    }

    @Example
    void epochsAndSeedsHaveOrdersOfTheirOwn() {
        List<Long> order = all(new SplitOrder(100, 3, 0, false), LongUnaryOperator.identity());
        assertThat(order).isNotEqualTo(all(new SplitOrder(100, 3, 1, false), LongUnaryOperator.identity()));
        assertThat(order).isNotEqualTo(all(new SplitOrder(100, 4, 0, false), LongUnaryOperator.identity()));
        assertThat(order).isEqualTo(all(new SplitOrder(100, 3, 0, false), LongUnaryOperator.identity()));
    }

    @Example
    void aPipelineOfOneTaskReadsAsPlanned() {
        assertThat(all(new SplitOrder(5, 3, 2, true), LongUnaryOperator.identity()))
                .containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    // 10 splits, of which the last 2 come larger first
    @Example
    void theSameSeedAndEpochGiveTheSameOrderInEveryRelease() {
        assertThat(all(new SplitOrder(10, 42, 1, false), LongUnaryOperator.identity()))
                .containsExactly(6L, 1L, 8L, 7L, 9L, 4L, 3L, 5L, 2L, 0L);
    }
}
