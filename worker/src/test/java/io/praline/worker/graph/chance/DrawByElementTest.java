package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Philox;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.SpellOut;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.NodeDef;

class DrawByElementTest {
    @Test
    void everySeededDrawBecomesAFunctionOfTheElement() {
        assertThat(randomOps(drawn("random_seeded", 0)))
                .containsExactly(
                        "StatelessRandomNormalV2",
                        "StatelessRandomUniformIntV2",
                        "StatelessRandomUniformV2",
                        "StatelessTruncatedNormalV2");
    }

    @Test
    void noDrawIsLeftThatAKeyCouldMake() {
        for (String name : List.of(
                "draws_two_views",
                "draws_in_loops",
                "draws_of_all_kinds",
                "draws_behind_a_batch",
                "draws_in_a_whole",
                "draws_in_a_filter",
                "draws_in_files",
                "draws_of_children",
                "../corpus/draws_for_elements_of_datasets_that_are_elements",
                "../corpus/draws_for_elements_of_a_dataset_that_is_captured",
                "../corpus/draws_in_a_reduction_in_a_branch")) {
            PipelineGraph pipeline =
                    new BindSplits().apply(new StampDraws().apply(new SpellOut().apply(Pipelines.parse(name))));
            assertThat(new DrawByElement(new DrawKeys(1, 0, 0))
                            .apply(pipeline).functions().values().stream()
                                    .flatMap(function -> function.getNodeDefList().stream())
                                    .filter(node -> OpTraits.of(node).draws() != OpTraits.Draws.NOTHING)
                                    .toList())
                    .as(name)
                    .isEmpty();
        }
    }

    @Test
    void drawsBehindAConditionAreReachedToo() {
        assertThat(randomOps(drawn("random_unseeded", 0))).containsExactly("StatelessRandomUniformV2");
    }

    @Test
    void keysAndShufflesFollowTheEpoch() {
        assertThat(drawn("jpeg_training", 0).digest())
                .isEqualTo(drawn("jpeg_training", 0).digest())
                .isNotEqualTo(drawn("jpeg_training", 1).digest());
        assertThat(drawn("shuffle", 0).digest())
                .isNotEqualTo(drawn("shuffle", 1).digest());
    }

    @Test
    void whatAFunctionShufflesByASeedOfTheUsersIsTheSameInEveryEpoch() {
        PipelineGraph stamped = new StampDraws().apply(Pipelines.parse("../corpus/some_of_each_file_chosen_by_a_seed"));

        assertThat(stamped.functions().values().stream()
                        .flatMap(function -> function.getNodeDefList().stream())
                        .flatMap(node -> StampDraws.of(node).stream())
                        .map(StampDraws.Stamp::epochs))
                .containsExactly(1L);
    }

    @Test
    void aShuffleThatAnEpochReadsTwiceIsAnotherEachTime() {
        assertThat(drawn("../corpus/two_orders_of_a_seeded_shuffle", 1).nodes().values().stream()
                        .filter(node -> node.getOp().equals("ShuffleDatasetV3"))
                        .map(node ->
                                node.getAttrOrThrow("reshuffle_each_iteration").getB()))
                .containsExactly(true);
    }

    /** By seeds of the user's a later epoch goes on with the next orders, which are constants then; what has none comes again. */
    @ParameterizedTest
    @CsvSource({
        "shuffled_and_repeated_by_a_seed_in_two_epochs, ShuffleAndRepeatDataset, true",
        "sampled_by_a_seed_in_two_epochs, SamplingDataset, false",
    })
    void whatSeedsDrawGoesOnWhereItIsAnotherEachTime(String name, String op, boolean another) {
        List<Long> first = seeds(name, 0, op);
        List<Long> next = another
                ? LongStream.of(Philox.seedsOf(first.get(0), first.get(1), 1))
                        .boxed()
                        .toList()
                : first;

        assertThat(seeds(name, 1, op)).isEqualTo(next);
    }

    // the first order of a later epoch is known, and not those behind it: they are neither the same nor those of the
    // first epoch
    @Test
    void aShuffleThatRepeatsItselfHasOtherOrdersBehindTheFirst() {
        String name = "parts_of_orders_of_a_shuffle_that_repeats_itself";
        PipelineGraph bound = new BindSplits().apply(new StampDraws().apply(Pipelines.parse("../corpus/" + name)));
        PipelineGraph drawn = new DrawByElement(new DrawKeys(1, 1, 0)).apply(bound);
        Scope scope = drawn.scope();
        List<NodeDef> orders = drawn.nodes().values().stream()
                .filter(node -> node.getOp().equals("ShuffleAndRepeatDataset"))
                .toList();

        assertThat(orders)
                .extracting(order ->
                        DatasetOps.number(order, OpTraits.Input.COUNT, scope).orElseThrow())
                .containsExactly(1L, 1L);
        assertThat(orders).extracting(DatasetOps::drawsAnew).containsExactly(false, true);
        assertThat(Stream.of(0, 1)
                        .flatMap(order -> Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                                .map(input -> DatasetOps.number(orders.get(order), input, scope)
                                        .orElseThrow()))
                        .distinct())
                .hasSize(4)
                .doesNotContainAnyElementsOf(seeds(name, 0, "ShuffleAndRepeatDataset"));
    }

    private static List<Long> seeds(String name, int epoch, String op) {
        PipelineGraph bound = new BindSplits().apply(new StampDraws().apply(Pipelines.parse("../corpus/" + name)));
        PipelineGraph drawn = new DrawByElement(new DrawKeys(1, epoch, 0)).apply(bound);
        Scope scope = drawn.scope();
        NodeDef dataset = drawn.nodes().values().stream()
                .filter(node -> node.getOp().equals(op))
                .findFirst()
                .orElseThrow();
        return Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                .map(input -> DatasetOps.number(dataset, input, scope).orElseThrow())
                .toList();
    }

    @Test
    void nothingChangesWhereNothingIsDrawn() {
        PipelineGraph tracked = tracked("filter");

        assertThat(new DrawByElement(new DrawKeys(1, 0, 0)).apply(tracked).digest())
                .isEqualTo(tracked.digest());
    }

    /** A picture and its mask are cropped alike, wherever both draws stand, as long as they keep pace. */
    @ParameterizedTest
    @CsvSource({
        "masks_flipped_by_one_seed, 1",
        "masks_flipped_by_one_seed_in_two_maps, 1",
        "masks_of_their_own_dataset_flipped_by_one_seed, 1",
        "one_seed_in_two_functions, 1",
        "one_seed_around_zip, 1",
        "one_seed_around_enumerate, 1",
        "one_seed_around_take, 1",
        "one_seed_around_take_while, 1",
        "one_seed_around_scan, 1",
        "one_seed_around_cache, 1",
        "one_seed_around_batch_and_unbatch, 1",
        "one_seed_behind_ignored_errors, 1",
        "keras_masks_flipped_as_their_pictures, 1",
        "draws_by_two_seeds, 2",
        "draws_of_one_seed_behind_a_shuffle, 2",
        "keras_layer_in_two_maps, 3",
        "draw_by_one_function_twice, 2",
    })
    void drawsOfOneSeedDrawTheSame(String name, int keys) {
        assertThat(keys(drawn("../corpus/" + name, 0))).hasSize(keys);
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeated_augmented_and_cached", "augmented_repeated_and_cached"})
    void whatACacheKeepsIsDrawnOnceForEachOfItsRepetitions(String name) {
        assertThat(keys(drawn("../corpus/" + name, 0)))
                .isEqualTo(keys(drawn("../corpus/" + name, 2)))
                .isNotEqualTo(keys(drawn("../corpus/" + name, 1)));
        assertThat(keys(drawn("../corpus/cache_behind_draw", 0)))
                .isEqualTo(keys(drawn("../corpus/cache_behind_draw", 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "draw_before_repeat_taken, true",
        "drawn_and_repeated_inside_flat_map, true",
        "pairs_with_a_dataset_that_draws, true",
        "views_of_each_file_augmented, true",
        "views_of_windows_augmented, true",
        "clips_augmented_and_again, true",
        "augmented_and_shuffled_and_read_twice, true",
        "one_draw_for_the_records_of_a_file, false",
        "draws_kept_for_two, false",
        "draw_behind_take, false",
        "children_zipped_with_themselves, true",
        "dataset_within_a_map_summed_twice, true",
        "steps_that_draw_read_twice, true",
        "steps_that_draw_summed_in_two_steps, true",
        "draw_inside_flat_map, false",
        "augmented_and_shuffled_joined_to_itself, true",
        "counted_draws_shuffled_and_joined_to_themselves, true",
        "noise_of_a_layer_shuffled_and_joined_to_itself, true",
        "augmented_by_a_seed_and_shuffled_joined_to_itself, false",
        "augmented_and_kept_joined_to_itself, false",
        "cached_draws_read_side_by_side, false",
        "cached_draws_left_by_two_before_their_end, true",
    })
    void whatIsReadAgainIsNumberedAnew(String name, boolean again) {
        PipelineGraph drawn = drawn("../corpus/" + name, 0);

        assertThat(Stream.concat(
                                drawn.nodes().values().stream(),
                                drawn.functions().values().stream()
                                        .flatMap(function -> function.getNodeDefList().stream()))
                        .anyMatch(node -> node.getOp().equals("RandomDatasetV2")))
                .isEqualTo(again);
    }

    @Test
    void whatIsDrawnForTheElementsOfAWindowIsKeyed() {
        assertThat(randomOps(drawn("../corpus/draw_in_windows", 0))).containsExactly("StatelessRandomUniformV2");
    }

    /** With seeds, a function that is called anew for each group would begin with the same numbers each time. */
    @ParameterizedTest
    @CsvSource({
        "sums_of_draws_for_each_group, RandomUniform",
        "sums_of_a_generators_draws_for_each_group, RandomUniformInt",
        "first_of_an_order_for_each_group, ShuffleDatasetV3",
    })
    void whatNothingTellsApartIsGivenNoSeeds(String name, String op) {
        PipelineGraph pipeline = new BindSplits()
                .apply(new StampDraws().apply(new SpellOut().apply(Pipelines.parse("../corpus/" + name))));

        assertThat(new DrawByElement(new DrawKeys(1, 0, 0))
                        .apply(pipeline).functions().values().stream()
                                .flatMap(function -> function.getNodeDefList().stream()
                                        .filter(node -> node.getOp().equals(op))
                                        .map(node -> isUnseeded(node, Scope.ofFunction(function)))))
                .containsExactly(true);
    }

    private static boolean isUnseeded(NodeDef node, Scope scope) {
        return DatasetOps.isDataset(node)
                ? DatasetOps.isUnseeded(node, scope)
                : Chance.seed(node) == 0 && Chance.seed2(node) == 0;
    }

    @ParameterizedTest
    @CsvSource({
        "a_shuffle_kept_and_not_read_to_its_end, 0",
        "a_shuffle_kept_and_read_to_its_end_and_more, 1",
        "orders_of_a_shuffle_kept_and_repeated, 2",
    })
    void aCacheKeepsWhatIsReadToItsEnd(String name, long epochs) {
        assertThat(new StampDraws()
                        .apply(Pipelines.parse("../corpus/" + name)).nodes().values().stream()
                                .filter(node -> node.getOp().equals("ShuffleDatasetV3"))
                                .flatMap(node -> StampDraws.of(node).stream())
                                .map(StampDraws.Stamp::epochs))
                .containsExactly(epochs);
    }

    /** Each task reads it anew for each of its elements: in what is the same each time it must not differ, else it must. */
    @ParameterizedTest
    @CsvSource({
        "integers_beside_one_of_an_order_without_a_seed, true",
        "elements_beside_one_random_number, false",
        "elements_beside_an_order_without_a_seed_that_is_kept, false",
        "elements_beside_a_draw_that_is_kept, false",
    })
    void whatAFunctionCapturesIsAnotherInEachTaskWhereItIsAnotherInEachReading(String name, boolean another) {
        PipelineGraph tracked = tracked("../corpus/" + name);

        String one = new DrawByElement(new DrawKeys(1, 0, 1)).apply(tracked).digest();
        String other = new DrawByElement(new DrawKeys(1, 0, 2)).apply(tracked).digest();
        assertThat(!one.equals(other)).isEqualTo(another);
    }

    private static Set<List<Long>> keys(PipelineGraph drawn) {
        return drawn.functions().values().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .filter(node -> node.getName().matches("praline_draw_\\d+_key"))
                .map(node -> node.getAttrOrThrow("value").getTensor().getUint64ValList())
                .collect(Collectors.toSet());
    }

    private static PipelineGraph drawn(String name, int epoch) {
        return new DrawByElement(new DrawKeys(1, epoch, 0)).apply(tracked(name));
    }

    private static PipelineGraph tracked(String name) {
        return new TrackProvenance()
                .apply(new BindSplits().apply(new StampDraws().apply(new SpellOut().apply(Pipelines.parse(name)))));
    }

    private static Set<String> randomOps(PipelineGraph pipeline) {
        return pipeline.functions().values().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .map(NodeDef::getOp)
                .filter(op -> op.contains("Random") || op.contains("Truncated"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
