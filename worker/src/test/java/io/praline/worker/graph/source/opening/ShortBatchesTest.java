package io.praline.worker.graph.source.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches of which TensorFlow says that all have one size, since they are of a dataset that it takes to have no end. */
class ShortBatchesTest {
    private static List<List<Long>> written(String program) {
        return shapes(Pipelines.parse("../corpus/" + program));
    }

    private static List<List<Long>> bound(String program) {
        return shapes(new BindSplits().apply(Pipelines.parse("../corpus/" + program)));
    }

    private static List<List<Long>> shapes(PipelineGraph pipeline) {
        return pipeline.components().stream().map(ElementComponent::shape).toList();
    }

    @Test
    void theLastOfAMixtureThatEndsMayBeShort() {
        String program = "batches_of_pairs_of_batches_until_one_of_two_is_empty";
        assertThat(written(program)).containsExactly(List.of(7L), List.of(-1L));
        assertThat(bound(program)).containsExactly(List.of(-1L), List.of(-1L));
    }

    @Test
    void soMayThatOfShuffledOnesBesideNumbers() {
        String program = "shuffled_batches_with_their_numbers_until_one_of_two_is_empty";
        assertThat(written(program)).containsExactly(List.of(), List.of(7L));
        assertThat(bound(program)).containsExactly(List.of(), List.of(-1L));
    }
}
