package io.praline.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class SegmentSpaceTest {

    private record Part(long start, int length) {}

    @Property
    void partsInUseAreAlignedAndInsideAndNeverOverlap(
            @ForAll @Size(max = 60) List<@IntRange(min = -8, max = 300) Integer> steps) {
        SegmentSpace space = new SegmentSpace(1_000);
        List<Part> used = new ArrayList<>();
        for (int step : steps) {
            if (step > 0) {
                space.take(step).ifPresent(start -> used.add(new Part(start, step)));
            } else if (!used.isEmpty()) {
                assertThat(space.free(used.remove(-step % used.size()).start())).isTrue();
            }
            for (Part part : used) {
                assertThat(part.start() % 64).isZero();
                assertThat(part.start() + part.length()).isLessThanOrEqualTo(1_000);
                assertThat(used.stream()
                                .filter(other -> other.start() < part.start() + part.length()
                                        && part.start() < other.start() + other.length()))
                        .containsExactly(part);
            }
        }
        used.forEach(part -> space.free(part.start()));
        assertThat(space.take(1_000)).isEqualTo(OptionalLong.of(0));
    }

    @Test
    void theFirstGapThatIsLargeEnoughIsTaken() {
        SegmentSpace space = new SegmentSpace(1_000);
        assertThat(space.take(200)).isEqualTo(OptionalLong.of(0));
        assertThat(space.take(200)).isEqualTo(OptionalLong.of(256));
        assertThat(space.take(200)).isEqualTo(OptionalLong.of(512));
        assertThat(space.take(300)).isEqualTo(OptionalLong.empty());
        assertThat(space.free(256)).isTrue();
        assertThat(space.take(257)).isEqualTo(OptionalLong.empty());
        assertThat(space.take(100)).isEqualTo(OptionalLong.of(256));
    }

    @Test
    void whatIsNotInUseCannotBeGivenBack() {
        SegmentSpace space = new SegmentSpace(1_000);
        space.take(200);
        assertThat(space.free(64)).isFalse();
        assertThat(space.free(0)).isTrue();
        assertThat(space.free(0)).isFalse();
    }
}
