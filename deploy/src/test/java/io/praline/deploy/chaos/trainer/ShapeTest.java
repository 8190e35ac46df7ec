package io.praline.deploy.chaos.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShapeTest {
    @Test
    void everyShapeTellsItsElementsApart() {
        assertThat(Shape.FILTER.numbers(7)).containsExactly(1L, 2L, 4L, 5L);
        assertThat(Shape.FLAT_MAP.elements(5)).isEqualTo(15);
        assertThat(Shape.values()).allSatisfy(shape -> {
            assertThat(shape.numbers(50)).doesNotHaveDuplicates().hasSize((int) shape.elements(50));
            assertThat(shape.graph(50, 8)).isNotEmpty();
        });
        assertThat(Set.of(new JobPlan(Shape.PLAIN, 3, 2, 1, 1, 0, Duration.ZERO)
                        .expected()
                        .toArray()))
                .hasSize(6);
    }
}
