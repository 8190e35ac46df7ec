package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Philox;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

/** What TensorFlow reads in an epoch of a seeded shuffle, where epochs are made of what a {@code repeat} repeats. */
class IterationsTest {
    private static IntegerGraph shuffled() {
        return IntegerGraph.range(0, 50, 1).shuffle(50, 4);
    }

    private static IntegerGraph chosen() {
        return shuffled().take(6);
    }

    private static PipelineGraph parsed(IntegerGraph graph) {
        return PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
    }

    /** Those of the first epochs, of the shuffle that stands first. */
    private static List<Long> read(PipelineGraph pipeline, int epochs) {
        PipelineGraph stamped = new StampDraws().apply(new SpellOut().apply(pipeline));
        NodeDef drawn = stamped.nodes().values().stream()
                .filter(DatasetOps::isDrawn)
                .findFirst()
                .orElseThrow();
        Iterations iterations = Iterations.of(drawn);
        return LongStream.range(0, epochs).map(iterations::of).boxed().toList();
    }

    private static List<Long> read(IntegerGraph graph, int epochs) {
        return read(parsed(graph), epochs);
    }

    @Test
    void aPassThatRepeatsLeavesOneOrderOut() {
        assertThat(read(chosen(), 4)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(read(chosen().repeat(2), 6)).containsExactly(0L, 1L, 3L, 4L, 6L, 7L);
        assertThat(read(chosen().repeat(3), 6)).containsExactly(0L, 1L, 2L, 4L, 5L, 6L);
        assertThat(read(chosen().repeat(-1), 4)).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void repetitionsOfRepetitionsEachLeaveOneOut() {
        assertThat(read(chosen().repeat(2).repeat(2), 8)).containsExactly(0L, 1L, 3L, 4L, 7L, 8L, 10L, 11L);
        assertThat(read(chosen().repeat(2).affine(1, 1, false).repeat(-1), 6)).containsExactly(0L, 1L, 3L, 4L, 6L, 7L);
    }

    // TensorFlow leaves the first out, and makes one step of the shuffle and the next
    @Test
    void whatTensorFlowMakesOneStepOfTheShuffleLeavesNoneOut() {
        assertThat(read(chosen().repeat(1), 3)).containsExactly(0L, 1L, 2L);
        assertThat(read(chosen().repeat(1).repeat(2), 4)).containsExactly(0L, 1L, 3L, 4L);
        assertThat(read(shuffled().repeat(2), 4)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(read(shuffled().take(-3).skip(0).shard(1, 0).repeat(1).repeat(2), 4))
                .containsExactly(0L, 1L, 2L, 3L);
        assertThat(read(shuffled().affine(1, 1, false).repeat(2), 4)).containsExactly(0L, 1L, 3L, 4L);
        assertThat(read(shuffled().repeat(2).repeat(2), 8)).containsExactly(0L, 1L, 2L, 3L, 5L, 6L, 7L, 8L);
        assertThat(read(Pipelines.parse("../corpus/chosen_in_passes_without_fusion"), 6))
                .containsExactly(0L, 2L, 5L, 7L, 11L, 13L);
        for (String name : List.of("behind_maps_of_the_same", "with_options_that_are_overruled")) {
            assertThat(read(Pipelines.parse("../corpus/orders_in_passes_" + name), 6))
                    .as(name)
                    .containsExactly(0L, 1L, 2L, 3L, 5L, 6L);
        }
    }

    @Test
    void whatIsAskedLateForItsIteratorIsNotMadeInVain() {
        assertThat(read(chosen().shuffle(6, 5).affine(1, 1, false).repeat(2), 4))
                .containsExactly(0L, 1L, 2L, 3L);
        assertThat(read(chosen().repeat(2).shuffle(6, 5).repeat(2), 6)).containsExactly(0L, 1L, 3L, 4L, 6L, 7L);
    }

    @Test
    void behindACacheNothingIsReadAnew() {
        assertThat(read(chosen().repeat(2).cache().repeat(3), 4)).containsExactly(0L, 1L, 3L, 4L);
        assertThat(read(chosen().cache().repeat(3), 4)).containsExactly(0L, 1L, 2L, 3L);
        // of one that is left before its end nothing is kept
        assertThat(read(shuffled().cache().take(6).repeat(2), 4)).containsExactly(0L, 1L, 3L, 4L);
    }

    @Test
    void aShuffleHasTheSeedsOfItsIteration() {
        PipelineGraph bound = new BindSplits().apply(new StampDraws().apply(parsed(chosen().repeat(2))));
        PipelineGraph drawn = new DrawByElement(new DrawKeys(1, 2, 0)).apply(bound);
        Scope scope = drawn.scope();
        NodeDef shuffle = drawn.nodes().values().stream()
                .filter(DatasetOps::isDrawn)
                .findFirst()
                .orElseThrow();

        assertThat(Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                        .map(input -> DatasetOps.number(shuffle, input, scope).orElseThrow()))
                .containsExactlyElementsOf(
                        LongStream.of(Philox.seedsOf(4, 3, 3)).boxed().toList());
    }
}
