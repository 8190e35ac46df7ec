package io.praline.worker.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlanSampleTest {

    private static Split split(int source, long bytes) {
        return Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(source)
                .setPaths(List.of("f"))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(bytes)
                .build();
    }

    private static List<Long> ordinals(List<AssignedSplit> splits) {
        return splits.stream().map(AssignedSplit::getOrdinal).toList();
    }

    // of 0 to 9 the middle is 5, and split 2 is the largest
    @Test
    void theFirstTheMiddleTheLastAndTheLargestComeBeforeTheOthers() {
        PlanSample sample = new PlanSample();
        LongStream.range(0, 10).forEach(i -> sample.add(split(0, i == 2 ? 9 : 1)));
        assertThat(ordinals(sample.chosen().bySource().get(0))).containsExactly(0L, 5L, 9L, 2L, 1L, 3L, 4L, 6L, 7L, 8L);
    }

    @Test
    void eachSourceHasItsOwn() {
        PlanSample sample = new PlanSample();
        LongStream.range(0, 4).forEach(i -> sample.add(split((int) i % 2, 1)));
        assertThat(sample.chosen().bySource().stream().map(PlanSampleTest::ordinals))
                .containsExactly(List.of(0L, 2L), List.of(1L, 3L));
    }

    // 33 to 64 are kept, a power of two apart, and with them the last and the largest
    @Test
    void whatIsKeptDoesNotGrowWithThePlan() {
        PlanSample sample = new PlanSample();
        LongStream.range(0, 100_000).forEach(i -> sample.add(split(0, i == 77_777 ? 9 : 1)));
        List<Long> kept = ordinals(sample.chosen().bySource().get(0));
        assertThat(kept).hasSizeBetween(33, 66).doesNotHaveDuplicates();
        assertThat(kept.get(0)).isZero();
        assertThat(kept.get(1)).isBetween(40_000L, 60_000L);
        assertThat(kept.subList(2, 4)).containsExactly(99_999L, 77_777L);
        assertThat(kept.subList(4, kept.size())).isSorted().allMatch(ordinal -> ordinal % 2048 == 0);
    }

    // as they were told: in this order, with numbers that need not begin at 0
    @Test
    void whatSomebodyElseChoseKeepsItsOrderAndItsNumbers() {
        SplitSample told = SplitSample.of(List.of(
                new AssignedSplit(7L, split(1, 1), ByteBuffer.allocate(0)),
                new AssignedSplit(5L, split(0, 1), ByteBuffer.allocate(0)),
                new AssignedSplit(2L, split(1, 1), ByteBuffer.allocate(0))));
        assertThat(told.bySource().stream().map(PlanSampleTest::ordinals))
                .containsExactly(List.of(5L), List.of(7L, 2L));
    }
}
