package io.praline.worker.graph.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

class FixedShufflesTest {
    /** Two jobs: one trains on the part that is skipped to, the other validates on the part that is taken. */
    @Test
    void partsThatAreTakenOfOneShuffleByTwoJobsAreOfOneOrder() {
        PipelineGraph both = Pipelines.parse("../corpus/training_behind_validation");

        List<Long> validation = seeds(from(both, "TakeDataset"));

        assertThat(validation).hasSize(2).doesNotContain(0L).isEqualTo(seeds(from(both, "SkipDataset")));
        assertThat(seeds(from(Pipelines.parse("../corpus/folds_of_one_shuffle"), "ShardDataset")))
                .hasSize(2)
                .doesNotContain(0L)
                .isNotEqualTo(validation);
    }

    @Test
    void aShuffleThatIsReadAsAWholeFollowsTheJobsSeed() {
        PipelineGraph both = Pipelines.parse("../corpus/training_behind_validation");

        assertThat(seeds(from(both, "ShuffleDatasetV3"))).containsExactly(0L, 0L);
    }

    @Test
    void thatItIsTheSameInEveryJobIsSaid() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/training_behind_validation"))
                        .notes())
                .contains(
                        "shuffle_1: has no seed and does not reshuffle, so its order follows from what is shuffled: the"
                                + " same in every job, so that parts which several jobs take of it do not overlap; give it a seed"
                                + " for another one");
    }

    /** Two that are written in the same words, as to mix each element with another one. */
    @Test
    void twoShufflesOfOneDatasetAreTwoOrders() {
        List<List<Long>> orders = orders(Pipelines.parse("../corpus/mixed_by_two_orders_of_one_dataset"));

        assertThat(orders).hasSize(2).doesNotHaveDuplicates().doesNotContain(List.of(0L, 0L));
    }

    private static List<List<Long>> orders(PipelineGraph written) {
        PipelineGraph pipeline = new SpellOut().apply(written);
        return pipeline.nodes().values().stream()
                .filter(node -> node.getOp().equals("ShuffleDatasetV3"))
                .map(node -> node.getInputList().subList(2, 4).stream()
                        .map(input ->
                                Constants.integer(pipeline.scope(), input).orElseThrow())
                        .toList())
                .toList();
    }

    private static PipelineGraph from(PipelineGraph pipeline, String op) {
        NodeDef root = node(pipeline, op);
        return new PipelineGraph(
                pipeline.nodes().values(), pipeline.functions().values(), root.getName(), pipeline.versions());
    }

    private static List<Long> seeds(PipelineGraph written) {
        PipelineGraph pipeline = new SpellOut().apply(written);
        NodeDef shuffle = node(pipeline, "ShuffleDatasetV3");
        return shuffle.getInputList().subList(2, 4).stream()
                .map(input -> Constants.integer(pipeline.scope(), input).orElseThrow())
                .toList();
    }

    private static NodeDef node(PipelineGraph pipeline, String op) {
        return pipeline.nodes().values().stream()
                .filter(node -> node.getOp().equals(op))
                .findFirst()
                .orElseThrow();
    }
}
