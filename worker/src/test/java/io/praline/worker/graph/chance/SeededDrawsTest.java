package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.NodeDef;

class SeededDrawsTest {
    private static List<String> notes(String program) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).notes().stream()
                .filter(note -> note.contains("seeds of its own"))
                .toList();
    }

    @Test
    void whatIsDrawnBySeedsIsSaidToBeAnotherSequenceOnceForAllSteps() {
        assertThat(notes("one_seed_around_flat_map"))
                .containsExactly(
                        "map_2 and map_4: what is drawn by seeds of its own follows from them, the element and the"
                                + " epoch: the same in every job, whatever the job's seed, and not the sequence that one"
                                + " process draws by them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"masks_flipped_by_one_seed_in_two_maps", "draws_by_two_seeds"})
    void itIsSaidOnceOfEachPipelineThatDrawsSo(String program) {
        assertThat(notes(program)).hasSize(1);
    }

    @Test
    void whatIsDrawnBesideTheElementsIsSaidToo() {
        assertThat(notes("pool_of_draws_by_a_seed"))
                .singleElement()
                .asString()
                .startsWith(
                        "map of a dataset beside the elements: what is drawn by seeds of its own follows from them");
    }

    // Keras' layers count seeds that nobody wrote
    @ParameterizedTest
    @ValueSource(strings = {"draw_uniform", "keras_masks_flipped_as_their_pictures", "draw_gamma"})
    void whereTheUserGaveNoSeedsNothingIsSaid(String program) {
        assertThat(notes(program)).isEmpty();
    }

    @Test
    void oneOfBothSeedsIsEnough() {
        assertThat(SeededDraws.isSeeded(draw("RandomUniform", 3, 0))).isTrue();
        assertThat(SeededDraws.isSeeded(draw("RandomUniform", 0, 4))).isTrue();
        assertThat(SeededDraws.isSeeded(draw("RandomUniform", 0, 0))).isFalse();
        assertThat(SeededDraws.isSeeded(draw("Neg", 3, 4))).isFalse();
    }

    private static NodeDef draw(String op, long seed, long seed2) {
        return Protos.node("draw", op, "shape")
                .putAttr("seed", Protos.number(seed))
                .putAttr("seed2", Protos.number(seed2))
                .build();
    }
}
