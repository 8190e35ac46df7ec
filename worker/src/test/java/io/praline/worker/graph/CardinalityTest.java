package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CardinalityTest {
    private static Optional<Long> range(long from, long until, long step) {
        PipelineGraph pipeline =
                PipelineGraph.parse(IntegerGraph.range(from, until, step).bytes(), Pipelines.ANY_OP);
        Scope scope = pipeline.scope();
        return Cardinality.written(scope.node(Scope.nodeOf(pipeline.root())), scope);
    }

    @Test
    void aRangeHasAsManyAsItsStepsLeadTo() {
        assertThat(range(0, 7, 1)).contains(7L);
        assertThat(range(0, 7, 3)).contains(3L);
        assertThat(range(7, 0, -3)).contains(3L);
        assertThat(range(0, 7, -1)).contains(0L);
        assertThat(range(7, 7, 1)).contains(0L);
    }

    @Test
    void ofMoreThanCanBeCountedNobodyCanTell() {
        assertThat(range(Long.MIN_VALUE, Long.MAX_VALUE, 1)).isEmpty();
        assertThat(range(-5, Long.MAX_VALUE, 1)).isEmpty();
    }
}
