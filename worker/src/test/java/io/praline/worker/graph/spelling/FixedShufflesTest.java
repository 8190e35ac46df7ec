package io.praline.worker.graph.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** By functions that are given its elements, or read it, from batches of it, and behind a cache that keeps it. */
    @ParameterizedTest
    @CsvSource({
        "as_many_of_each_class_to_validate, 0",
        "folds_that_functions_read, 0",
        "rows_of_batches_to_validate, 0",
        "validation_behind_training_of_a_kept_order, 1"
    })
    void partsThatAreTakenInAnyWayAreOfOneOrder(String name, int part) {
        PipelineGraph both = Pipelines.parse("../corpus/" + name);

        List<List<Long>> validation = orders(part(both, part));

        assertThat(validation).hasSize(1).doesNotContain(List.of(0L, 0L));
        assertThat(orders(part(both, 1 - part))).isEqualTo(validation);
    }

    /** What is kept and of which no parts are taken is another order in each job. */
    @Test
    void anOrderThatIsKeptAsAWholeFollowsTheJobsSeed() {
        assertThat(orders(from(
                        Pipelines.parse("../corpus/validation_behind_training_of_a_kept_order"), "CacheDatasetV2")))
                .containsExactly(List.of(0L, 0L));
    }

    @Test
    void thatAnOrderIsTheSameInEveryJobSinceACacheKeepsItIsSaid() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/validation_behind_training_of_a_kept_order"))
                        .notes())
                .anySatisfy(note -> assertThat(note).contains("has no seed, and a cache keeps its order"));
    }

    /** Up to one of the two parts that are put one behind the other. */
    private static PipelineGraph part(PipelineGraph pipeline, int part) {
        String name = Scope.nodeOf(node(pipeline, "ConcatenateDataset").getInput(part));
        return new PipelineGraph(pipeline.nodes().values(), pipeline.functions().values(), name, pipeline.versions());
    }

    private static List<List<Long>> orders(PipelineGraph written) {
        PipelineGraph pipeline = new SpellOut().apply(written);
        return pipeline.nodes().values().stream()
                .filter(node -> node.getOp().equals("ShuffleDatasetV3"))
                .map(node -> node.getInputList().subList(2, 4).stream()
                        .map(input -> Constants.integer(pipeline.scope(), input).orElseThrow())
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

    /** Which dataset a sample takes the next element of is one order with those of the datasets. */
    @Test
    void aSampleOfWhichPartsAreTakenBehindACacheIsOneOrderForAllJobs() {
        PipelineGraph pipeline =
                new SpellOut().apply(Pipelines.parse("../corpus/validation_behind_training_of_a_kept_sample"));

        assertThat(pipeline.nodes().values().stream()
                        .filter(node -> node.getOp().startsWith("RandomDataset"))
                        .map(node -> node.getInputList().subList(0, 2).stream()
                                .map(input -> Constants.integer(pipeline.scope(), input)
                                        .orElseThrow())
                                .toList()))
                .hasSize(1)
                .doesNotContain(List.of(0L, 0L));
        PipelineGraph read = new SpellOut().apply(Pipelines.parse("../corpus/zip_with_random"));
        assertThat(read.nodes().values().stream()
                        .filter(node -> node.getOp().startsWith("RandomDataset"))
                        .map(node -> Constants.integer(read.scope(), node.getInput(0))
                                .orElseThrow()))
                .containsExactly(0L);
    }
}
