package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Which steps behind batches hang on what a batch holds, so that one task must make the batches. */
class BatchUseTest {
    private static boolean inOneTask(IntegerGraph graph) {
        return PipelineAnalysis.of(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP))
                .singleTask();
    }

    private static IntegerGraph batches() {
        return IntegerGraph.range(0, 100, 1).batch(7, false);
    }

    private static IntegerGraph shuffledBatches() {
        return IntegerGraph.range(0, 100, 1).shuffle(20, 0).batch(7, false);
    }

    @Test
    void whatAFunctionTakesOfABatchByPlacesRunsAsOneTask() {
        assertThat(inOneTask(batches().firstRows(3).batch(2, false))).isTrue();
    }

    @Test
    void whatAMapTakesOfABatchByPlacesRunsAsOneTaskAndWhatItOnlyTurnsDoesNot() {
        assertThat(inOneTask(batches().everySoManyRows(2))).isTrue();
        assertThat(inOneTask(batches().everySoManyRows(-2))).isTrue();
        assertThat(inOneTask(batches().rowsFrom(1))).isTrue();

        assertThat(inOneTask(batches().everySoManyRows(1))).isFalse();
        assertThat(inOneTask(batches().everySoManyRows(-1))).isFalse();
        assertThat(inOneTask(batches().rowsFrom(0))).isFalse();
    }

    /** As what lays ragged rows out in dense tensors does, of which one holds where they begin: one more than there are rows. */
    @Test
    void aFunctionIsBelievedThatSaysOfItselfThatItWorksRowByRowWhateverShapesSay() {
        IntegerGraph whole = IntegerGraph.range(0, 100, 1).batch(7, true).everySoManyRows(2);
        IntegerGraph any = batches().rowsFrom(1);
        assertThat(inOneTask(whole)).isTrue();

        assertThat(PipelineAnalysis.of(byRows(whole)).singleTask()).isFalse();
        assertThat(PipelineAnalysis.of(byRows(any)).singleTask()).isFalse();
    }

    private static PipelineGraph byRows(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        List<FunctionDef> marked = pipeline.functions().values().stream()
                .map(function -> EarlyBatches.marked(function.toBuilder()).build())
                .toList();
        return new PipelineGraph(pipeline.scope().nodes(), marked, pipeline.root(), pipeline.versions());
    }

    @Test
    void batchesThatAPredicateRejectsAreThoseOfOneTaskUnlessEachHoldsOneElement() {
        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).batch(1, false).batchesWithout(2, 0)))
                .isFalse();
        assertThat(inOneTask(batches().batchesWithout(2, 0))).isTrue();
        // beside which stands a vector of one number
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/batches_beside_one_number_kept_by_their_sum"))
                        .singleTask())
                .isTrue();
    }

    /** Each asks what those before it do with rows: it would take for ever if they asked again. */
    @Test
    void ofManyFunctionsBehindABatchEachIsLookedAtOnce() {
        IntegerGraph graph = batches();
        for (int i = 0; i < 60; i++) {
            graph = graph.rowsFrom(0);
        }
        assertThat(inOneTask(graph)).isFalse();
    }

    @Test
    void aShuffleAmongOneElementIsNoChance() {
        IntegerGraph kept = IntegerGraph.range(0, 100, 1).shuffle(1, 0).batch(7, false);
        assertThat(inOneTask(kept.lessTheLargest())).isTrue();
    }

    /** Of batches of 20 it chooses who shares one if it has more elements open than that. */
    @Test
    void aShuffleAmongNoMoreThanABatchHoldsIsNoChanceEither() {
        assertThat(inOneTask(shuffled(20).batch(20, false).lessTheLargest())).isTrue();
        assertThat(inOneTask(shuffled(21).batch(20, false).lessTheLargest())).isFalse();
        // without a number it has all of them open
        assertThat(inOneTask(shuffled(-1).batch(20, false).lessTheLargest())).isFalse();
    }

    private static IntegerGraph shuffled(long buffer) {
        return IntegerGraph.range(0, 100, 1).shuffle(buffer, 0);
    }

    /** What it mixes here are batches, of which each is opened. */
    @Test
    void aShuffleOfWhatHoldsMoreThanOneIsChance() {
        IntegerGraph mixed = IntegerGraph.range(0, 100, 1).batch(5, false).shuffle(20, 0);
        assertThat(inOneTask(mixed.rows().batch(20, false).lessTheLargest())).isFalse();
    }

    /** Whatever their order is, all 34 of them are in one. */
    @ParameterizedTest
    @ValueSource(longs = {3, -3})
    void aBatchThatHoldsAllThereAreIsNoChanceEither(long step) {
        assertThat(inOneTask(everyThird(step).batch(34, false).lessTheLargest()))
                .isTrue();
        assertThat(inOneTask(everyThird(step).batch(33, false).lessTheLargest()))
                .isFalse();
    }

    private static IntegerGraph everyThird(long step) {
        return IntegerGraph.range(step > 0 ? 0 : 100, step > 0 ? 100 : 0, step).shuffle(1000, 0);
    }

    @Test
    void whatIsTakenOffByAllOfABatchIsThatOfOneTaskUnlessItsElementsAreThereByChance() {
        assertThat(inOneTask(batches().lessTheLargest())).isTrue();
        assertThat(inOneTask(shuffledBatches().lessTheLargest())).isFalse();
    }

    /** A row beside the number of its place has another one where other elements are in front of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_times_numbers_of_their_places",
                "rows_times_captured_numbers_of_their_places",
                "rows_beside_their_places",
                "rows_joined_to_numbers_of_their_places",
                "rows_masked_by_their_places",
                "rows_times_a_variable_of_their_places",
                "rows_times_what_a_table_says_of_their_places",
                "rows_weighted_from_nothing_to_one",
                "halves_of_batches_labelled",
                "slices_beside_numbers_of_their_places",
                "rows_beside_noise_of_a_given_seed"
            })
    void whatHasAValueForEachPlaceInABatchRunsAsOneTask(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isTrue();
    }

    /** What of a place, or of how many rows there are, is to be found behind a loop, a shape, another step or beside a picture. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "batches_left_out_with_one_that_is_no_number",
                "batches_opened_as_one_beside_their_places",
                "groups_divided_by_ones_added_up",
                "lines_joined_in_pairs",
                "lines_joined_in_pairs_by_numbers_of_rows",
                "mixed_and_joined_to_others_less_their_largest",
                "numbers_in_batches_left_out_with_one_that_is_none",
                "pictures_met_by_each_other",
                "pictures_moved_by_their_places",
                "rows_beside_padded_ones_cut_to_their_length",
                "rows_behind_one_number_beside_their_places",
                "rows_beside_a_variable_of_any_length",
                "rows_beside_an_identity_matrix",
                "rows_beside_ones_summed_so_far",
                "rows_beside_themselves_given_their_number",
                "rows_beside_weights_that_another_step_takes",
                "rows_cut_to_as_many_values_as_there_are_rows",
                "rows_divided_by_ones_added_up",
                "rows_divided_by_the_last_but_one_of_their_sizes",
                "rows_divided_by_the_last_size_of_their_batch",
                "rows_of_boxes_that_scores_of_others_choose",
                "rows_of_unknown_rank_beside_their_places",
                "rows_of_which_numbers_of_others_take_values",
                "rows_on_the_diagonal_of_their_batch",
                "rows_smoothed_with_those_beside_them_as_one_volume",
                "rows_that_vectors_choose_by_places",
                "rows_that_weigh_less_from_turn_to_turn",
                "rows_tiled_beside_those_in_reverse",
                "rows_times_ones_by_columns_added_up",
                "rows_told_apart_from_as_many_as_there_are",
                "rows_with_what_is_added_by_columns_of_a_turned_batch",
                "rows_zipped_to_weights_and_taken_apart",
                "rows_zipped_to_weights_of_their_places",
                "slices_beside_one_over_ones_added_up",
                "weights_that_add_up_to_one_in_each_batch",
                "whole_groups_of_a_shuffle_less_their_largest",
                "whole_groups_of_a_shuffle_less_their_largest_within"
            })
    void whatHangsOnPlacesOrOnHowManyRowsThereAreRunsAsOneTaskHoweverItComes(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_beside_a_mask_of_ones",
                "rows_less_a_mean_of_their_columns",
                "rows_scaled_by_variables_of_their_columns",
                "rows_that_take_words_of_a_list_of_any_length",
                "keras_normalised_and_encoded"
            })
    void whatHasOneForEachColumnOrOneForAllDoesNot(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_of_boxes_that_their_scores_choose",
                "rows_of_volumes_smoothed_and_pooled",
                "rows_of_which_their_own_numbers_take_values"
            })
    void whatIsTakenWithinEachRowDoesNot(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isFalse();
    }

    /** Batches are made anew, of several datasets of batches, or have something beside them that is no data. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rebatched_less_their_largest",
                "batches_of_each_file_batched_anew_less_their_largest",
                "batches_yielded_again_less_their_largest",
                "batches_interleaved_less_their_largest",
                "parts_of_batches_less_their_largest",
                "sparse_batches_less_their_largest",
                "joined_batches_less_their_largest",
                "batches_in_turns_less_their_largest",
                "batches_beside_chance_less_their_largest"
            })
    void whatIsTakenOffByAllOfABatchIsThatOfOneTaskHoweverItCame(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isTrue();
    }

    /** Rows are as long as the longest of their batch, which another function sees that is given them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "words_filled_up_and_their_lengths_averaged",
                "words_filled_up_and_taken_apart",
                "words_filled_up_and_opened",
                "tokens_parsed_by_batches_and_averaged",
                "padded_rows_opened",
                "ones_for_each_of_padded_rows_summed_up",
                "length_of_the_longest_beside_padded_rows"
            })
    void whatHangsOnHowLongTheLongestRowIsRunsAsOneTask(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"words_filled_up_and_looked_up", "words_of_batches_of_lines"})
    void whatIsMadeOfEachValueOfRowsThatAreFilledUpDoesNot(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isFalse();
    }

    /** A split, or what is left of one, is no number of whole batches. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_of_whole_batches_batched_anew",
                "whole_batches_of_another_size",
                "whole_batches_shaped_and_taken_apart",
                "rows_of_a_shuffle_in_pairs_taken_apart",
                "draw_for_words_unbatched"
            })
    void whatTakesBatchesApartThatMustBeWholeRunsAsOneTask(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isTrue();
    }

    /** A group holds other elements where several tasks group what they read, as a batch does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "groups_less_their_mean",
                "groups_doubled_less_their_largest",
                "groups_read_ahead_less_their_largest",
                "groups_whole_summed_so_far",
                "groups_sorted_behind",
                "groups_counted",
                "groups_counted_by_their_cardinality",
                "groups_counted_for_each_of_theirs",
                "groups_ended_by_a_mark",
                "groups_of_which_the_key_is_told",
                "groups_in_batches_less_their_largest",
                "groups_kept_where_whole",
                "groups_opened_beside_their_least",
                "groups_opened_and_batched_less_their_largest",
                "groups_shuffled_within_less_their_largest",
                "groups_made_as_their_key_says",
                "buckets_averaged",
                "buckets_averaged_within",
                "buckets_taken_apart",
                "buckets_of_words_with_their_widths"
            })
    void whatHangsOnWhoSharesAGroupRunsAsOneTask(String name) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.whole()).hasValueSatisfying(why -> assertThat(why).contains("share a batch or a group"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "groups_row_by_row",
                "groups_beside_their_keys",
                "buckets_to_their_bounds_averaged",
                "buckets_doubled",
                "groups_of_a_shuffle_less_their_largest"
            })
    void groupsRowByRowAndThoseOfAShuffleAreLeftToSeveralTasks(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isFalse();
    }

    /** Several tasks make other many batches than one, in front of a step that numbers what they hold too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "batches_begun_by_a_mark_and_opened",
                "batches_ended_by_a_mark_and_taken_apart",
                "batches_ended_by_a_mark_behind_a_shuffle",
                "batches_ended_by_a_mark_opened_as_one",
                "batches_filled_up_with_zeros_and_taken_apart",
                "batches_of_groups_ended_by_a_mark_and_batched_anew",
                "batches_opened_and_ended_by_a_mark"
            })
    void whatComesOnceForEachBatchIsThatOfOneTask(String name) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.whole()).hasValueSatisfying(why -> assertThat(why).contains("once for each batch"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "batches_joined_to_others_of_them_and_taken_apart",
                "batches_of_one_ended_by_a_mark_and_taken_apart",
                "elements_ended_by_a_mark_and_taken_apart"
            })
    void whatComesForEachElementIsLeftToSeveral(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isFalse();
    }

    @Test
    void chanceBesideBatchesLeavesThemToSeveralTasks() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/batches_with_noise_by_chance_beside_them"))
                        .singleTask())
                .isFalse();
    }

    @Test
    void batchesThatAreShuffledAreTheSameBatches() {
        assertThat(inOneTask(batches().shuffle(3, 0).lessTheLargest())).isTrue();
    }

    @Test
    void batchesOfBatchesThatAreTakenApartAreThoseOfOneTask() {
        assertThat(inOneTask(batches().batch(3, false).unbatch().unbatch().batch(5, false)))
                .isTrue();
        assertThat(inOneTask(batches().paddedBatch(3, 0, false).unbatch().unbatch()))
                .isTrue();
        assertThat(inOneTask(batches().batch(3, false).unbatch().batch(2, false)))
                .isFalse();
        assertThat(inOneTask(batches().batch(3, false))).isFalse();
        assertThat(inOneTask(batches().unbatch().batch(3, false).unbatch())).isFalse();
    }

    @Test
    void whatIsInABatchWithinABatchFollowsFromPlacesToo() {
        FunctionDef less = function(
                "z", Protos.node("largest", "Max", "x", "ones:output:0"), node("Sub", "x", "largest:output:0"));
        FunctionDef ones = less.toBuilder()
                .addNodeDef(Protos.constant("ones", Protos.int32s(1)))
                .build();
        assertThat(inOneTask(batches().batch(3, false).mapped(ones))).isTrue();
    }

    @Test
    void rowsThatLieElsewhereAreNotTakenForTheFirstDimension() {
        FunctionDef grid = function(
                "output", Protos.constant("sizes", Protos.int32s(1, -1)), node("Reshape", "x", "sizes:output:0"));
        assertThat(inOneTask(batches().mapped(grid))).isFalse();
        assertThat(inOneTask(batches().mapped(grid).unbatch())).isTrue();
        assertThat(inOneTask(batches().mapped(grid).affine(2, 1, false))).isTrue();
        assertThat(inOneTask(shuffledBatches().mapped(grid).affine(2, 1, false)))
                .isFalse();
    }

    /** A function of batches {@code x} that yields what the last node gives at an output. */
    private static FunctionDef function(String output, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("function_of_the_test")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("y", DataType.DT_INT64));
        function.addNodeDef(Protos.constant("zero", Protos.int32(0)))
                .addNodeDef(Protos.constant("one", Protos.int32(1)))
                .addNodeDef(Protos.constant("zeroes", Protos.int32s(0)))
                .addNodeDef(Protos.constant("places", Protos.int32s(2, 0)))
                .addNodeDef(Protos.constant("rest", Protos.int32s(-1)))
                .addNodeDef(Protos.node("count", "Size", "x"));
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        return function.putRet("y", nodes[nodes.length - 1].getName() + ":" + output + ":0")
                .build();
    }

    private static boolean mapRunsInOneTask(String output, NodeDef.Builder... nodes) {
        return inOneTask(batches().mapped(function(output, nodes)));
    }

    private static NodeDef.Builder node(String op, String... inputs) {
        return Protos.node("made", op, inputs);
    }

    @Test
    void rowsAtConstantPlacesAreThoseOfOneTask() {
        assertThat(mapRunsInOneTask("output", node("GatherV2", "x", "places:output:0", "zero:output:0")))
                .isTrue();

        assertThat(mapRunsInOneTask("output", node("GatherV2", "x", "places:output:0", "one:output:0")))
                .isFalse();
        assertThat(mapRunsInOneTask("output", node("GatherV2", "x", "count:output:0", "zero:output:0")))
                .isTrue();
        assertThat(mapRunsInOneTask("output", node("GatherV2", "places:output:0", "x", "zero:output:0")))
                .isFalse();
    }

    @Test
    void partsOfABatchAreThoseOfOneTask() {
        assertThat(mapRunsInOneTask("output", node("Split", "zero:output:0", "x")))
                .isTrue();
        assertThat(mapRunsInOneTask("output", node("SplitV", "x", "places:output:0", "zero:output:0")))
                .isTrue();

        assertThat(mapRunsInOneTask("output", node("Split", "one:output:0", "x")))
                .isFalse();
        assertThat(mapRunsInOneTask("output", node("SplitV", "x", "places:output:0", "one:output:0")))
                .isFalse();
        // of another thing, of which nobody knows whether it has one for each place
        assertThat(mapRunsInOneTask("output", node("Split", "zero:output:0", "places:output:0")))
                .isTrue();
    }

    @Test
    void aSliceIsThatOfOneTaskWhereItLeavesRowsOut() {
        NodeDef.Builder begin = Protos.node("begin", "Pack", "one:output:0");
        assertThat(mapRunsInOneTask("output", begin, node("Slice", "x", "begin:output:0", "rest:output:0")))
                .isTrue();
        assertThat(mapRunsInOneTask("output", node("Slice", "x", "zeroes:output:0", "places:output:0")))
                .isTrue();

        assertThat(mapRunsInOneTask("output", node("Slice", "x", "zeroes:output:0", "count:output:0")))
                .isFalse();
        // of another thing, of which nobody knows whether it has one for each place
        assertThat(mapRunsInOneTask("output", node("Slice", "places:output:0", "places:output:0", "rest:output:0")))
                .isTrue();
    }

    @Test
    void aSliceOfOtherAxesLeavesRowsAlone() {
        NodeDef.Builder steps = Protos.constant("steps", Protos.int32s(1, 1));
        // places:places along the first dimension, all along the second
        NodeDef.Builder slice = node("StridedSlice", "x", "places:output:0", "places:output:0", "steps:output:0")
                .putAttr("begin_mask", Protos.number(2))
                .putAttr("end_mask", Protos.number(2));
        assertThat(mapRunsInOneTask("output", steps, slice)).isTrue();

        assertThat(mapRunsInOneTask("output", steps, slice.clone().putAttr("ellipsis_mask", Protos.number(1))))
                .isFalse();
        assertThat(mapRunsInOneTask("output", steps, slice.clone().putAttr("new_axis_mask", Protos.number(1))))
                .isFalse();
        assertThat(mapRunsInOneTask("output", steps, slice.clone().putAttr("ellipsis_mask", Protos.number(2))))
                .isTrue();
    }

    @Test
    void rowsThatMeetBehindAnotherStepAreThoseOfOneTaskUnlessChanceHasChosenThem() {
        FunctionDef sorted = function(
                "values",
                Protos.node("twice", "AddV2", "x", "x"),
                Protos.node("sorted", "TopKV2", "twice:z:0", "zero:output:0"));
        assertThat(inOneTask(batches().mapped(sorted))).isTrue();
        assertThat(inOneTask(shuffledBatches().mapped(sorted))).isFalse();
    }

    @Test
    void aRowThatIsTakenByItsPlaceIsThatOfOneTask() {
        NodeDef.Builder slice = node("StridedSlice", "x", "zeroes:output:0", "zeroes:output:0", "rest:output:0")
                .putAttr("begin_mask", Protos.number(1))
                .putAttr("end_mask", Protos.number(1));
        assertThat(mapRunsInOneTask("output", slice)).isFalse();
        assertThat(mapRunsInOneTask("output", slice.clone().putAttr("shrink_axis_mask", Protos.number(1))))
                .isTrue();
        assertThat(mapRunsInOneTask("output", slice.clone().putAttr("begin_mask", Protos.number(0))))
                .isTrue();
        assertThat(mapRunsInOneTask("output", slice.clone().putAttr("end_mask", Protos.number(0))))
                .isTrue();
    }

    // what is in a group follows from the order of the elements, unless chance has mixed them
    @Test
    void theSameHoldsOfTheBatchesWithinAGroup() {
        FunctionDef less = function(
                "z", Protos.node("largest", "Max", "x", "zeroes:output:0"), node("Sub", "x", "largest:output:0"));
        FunctionDef other = function("output", node("GatherV2", "x", "places:output:0", "zero:output:0"));
        FunctionDef twice = function("z", node("AddV2", "x", "x"));
        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).groups(3, 4, less))).isTrue();
        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).groups(3, 4, other))).isTrue();
        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).groups(3, 4, twice))).isFalse();

        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).shuffle(20, 0).groups(3, 4, less)))
                .isFalse();
        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).shuffle(20, 0).groups(3, 4, other)))
                .isTrue();
    }

    @Test
    void aPredicateOnGroupsHangsOnThemToo() {
        assertThat(inOneTask(IntegerGraph.range(0, 100, 1).groups(3, 4).batchesWithout(2, 0)))
                .isTrue();
    }

    /** A function of a batch that opens a dataset of it, by nodes the last of which is the dataset. */
    private static boolean opensInOneTask(IntegerGraph batches, NodeDef.Builder... nodes) {
        FunctionDef.Builder opening = function("handle", nodes).toBuilder();
        opening.getSignatureBuilder().getOutputArgBuilder(0).setType(DataType.DT_VARIANT);
        return inOneTask(batches.flatMapped(opening.build()));
    }

    private static NodeDef.Builder slices(String name, String of) {
        return yielding(Protos.node(name, "TensorSliceDataset", of), "Toutput_types");
    }

    private static NodeDef.Builder yielding(NodeDef.Builder dataset, String key, long... shape) {
        return dataset.putAttr(key, Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.shape(shape))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FilterDataset",
                "ShuffleDatasetV3",
                "PrefetchDataset",
                "RepeatDataset",
                "FlatMapDataset",
                "MapDataset"
            })
    void whatLooksAtRowsOneByOneOrTurnsThemNeedsNoOneTask(String op) {
        assertThat(opensInOneTask(batches(), slices("rows", "x"), yielding(node(op, "rows:handle:0"), "output_types")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"TakeDataset", "SkipDataset", "ShardDataset", "WindowDataset", "ScanDataset", "UniqueDataset"})
    void whatCountsRowsDoes(String op) {
        assertThat(opensInOneTask(batches(), slices("rows", "x"), yielding(node(op, "rows:handle:0"), "output_types")))
                .isTrue();
    }

    @Test
    void rowsThatAreBatchedAgainNeedOneTaskOnlyWhereAShortBatchIsDropped() {
        NodeDef.Builder keep = Protos.constant("keep", Protos.flag(false));
        NodeDef.Builder drop = Protos.constant("drop", Protos.flag(true));
        NodeDef.Builder batch = yielding(
                node("BatchDatasetV2", "rows:handle:0", "places:output:0", "keep:output:0"), "output_types", -1);
        assertThat(opensInOneTask(batches(), keep, slices("rows", "x"), batch)).isFalse();
        assertThat(opensInOneTask(
                        batches(), drop, slices("rows", "x"), batch.clone().setInput(2, "drop:output:0")))
                .isTrue();
    }

    @Test
    void pairsOfRowsNeedNoOneTaskAndPairsWithPlacesDo() {
        NodeDef.Builder pairs = yielding(node("ZipDataset", "rows:handle:0", "others:handle:0"), "output_types");
        assertThat(opensInOneTask(batches(), slices("rows", "x"), slices("others", "x"), pairs))
                .isFalse();
        assertThat(opensInOneTask(
                        batches(),
                        slices("rows", "x"),
                        yielding(Protos.node("others", "RangeDataset", "zero:output:0"), "output_types"),
                        pairs))
                .isTrue();
    }

    @Test
    void aBatchThatIsYieldedAsItIsNeedsNoOneTaskAndOneValueOfItDoes() {
        assertThat(opensInOneTask(batches(), yielding(node("TensorDataset", "x"), "Toutput_types", -1)))
                .isFalse();
        assertThat(opensInOneTask(batches(), yielding(node("TensorDataset", "x"), "Toutput_types")))
                .isTrue();
    }

    @Test
    void theSameOfSingleElementsNeedsNoOneTask() {
        assertThat(opensInOneTask(IntegerGraph.range(0, 100, 1), yielding(node("RangeDataset", "x"), "output_types")))
                .isFalse();
        assertThat(opensInOneTask(batches(), yielding(node("RangeDataset", "x"), "output_types")))
                .isTrue();
    }

    @Test
    void aDatasetThatIsCapturedComesAsOftenAsThereAreBatches() {
        FunctionDef.Builder captured = FunctionDef.newBuilder();
        captured.getSignatureBuilder()
                .setName("captured_of_the_test")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("other", DataType.DT_VARIANT))
                .addOutputArg(Protos.arg("y", DataType.DT_VARIANT));
        assertThat(inOneTask(batches().flatMapped(captured.putRet("y", "other").build())))
                .isTrue();
    }

    /** Behind a shuffle of them batches are still what they were: those in others, and those that are made of them without a rest. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "batches_for_one_device_less_their_largest",
                "batches_for_one_device_kept_by_their_sum",
                "batches_for_each_of_two_devices_less_their_largest_behind_a_shuffle",
                "batches_in_batches_taken_apart_less_their_largest",
                "batches_in_batches_opened_less_their_largest",
                "batches_shuffled_and_batched_in_halves_less_their_largest",
                "batches_shuffled_and_made_anew_in_halves_less_their_largest",
                "batches_shuffled_and_opened_in_halves_less_their_largest",
                "rows_filled_up_for_one_device_and_averaged"
            })
    void whatIsInABatchFollowsFromPlacesWhateverIsMadeOfWholeOnes(String program) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).singleTask())
                .isTrue();
    }

    @Test
    void rowByRowTheyAreThoseOfSeveralTasks() {
        assertThat(PipelineAnalysis.of(
                                Pipelines.parse("../corpus/batches_for_each_of_two_devices_doubled_behind_a_shuffle"))
                        .singleTask())
                .isFalse();
    }

    /** By a function on the way: of how many they are now nothing is known. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "both_views_beside_their_places",
                "both_views_and_their_places_at_once",
                "rows_of_batches_opened_in_halves_beside_their_places"
            })
    void numbersBesideMoreOrFewerRowsThanWereAskedForMayBeThoseOfPlaces(String program) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).singleTask())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pairs_of_all_elements_of_a_group", "pairs_of_all_slices_of_a_batch"})
    void whatIsMadeOfEachAndOfAllOthersDependsOnWhichTheyAre(String program) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).singleTask())
                .isTrue();
    }

    /** As those of training that goes on for ever: the endless dataset beside them is the constant. */
    @Test
    void batchesWithoutAnEndAreBatchesBesideAConstantToo() {
        IntegerGraph endless = batches().repeat(-1).besideConstant(1, true);
        assertThat(inOneTask(endless.lessTheLargest())).isTrue();
    }
}
