package io.praline.worker.graph.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.SourceKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.NodeDef;

class PipelineAnalysisTest {
    @ParameterizedTest
    @CsvSource({
        "jpeg_training, TFRecord files, 2, true, true, false",
        "gzip_tfrecord, TFRecord files (gzip), 2, false, false, false",
        "zlib_tfrecord, TFRecord files (zlib), 2, false, true, false",
        "interleave_nested, TFRecord files, 4, false, false, false",
        "text_lines, lines of text files, 2, false, false, false",
        "fixed_length, records of 12 bytes, 2, true, false, false",
        "file_names, 24 slices of a constant, 0, false, false, false",
        "tensor_slices_dates, 60 slices of a constant, 0, false, false, false",
        "tensor_slices_opened, 'whole files, by their names', 24, false, false, false",
        "flowers, 'whole files, by their names', 24, false, true, false",
        "integers, integers from 10 to 500 by 3, 0, false, false, false",
        "tensor_slices, 60 slices of a constant, 0, false, false, false",
        "zip_two_sources, the graph as it stands, 0, false, false, true",
        "take, the graph as it stands, 0, false, false, true",
        "unique, the graph as it stands, 0, false, false, true",
        "choose_from_datasets, the graph as it stands, 0, false, false, true",
        "sample_until_empty, the graph as it stands, 0, false, false, true",
        "choose_by_turns, TFRecord files, 2, true, false, false",
        "sample_from_datasets, TFRecord files, 2, true, false, false",
        "snapshot, TFRecord files, 4, true, false, false",
    })
    void findsTheSource(String name, String words, int files, boolean rangeable, boolean shuffled, boolean single) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        PipelineSource source = analysis.sources().get(0);
        assertThat(source.words()).isEqualTo(words);
        assertThat(source.fileNames()).hasSize(files);
        assertThat(source.rangeable()).isEqualTo(rangeable);
        assertThat(source.shuffled()).isEqualTo(shuffled);
        assertThat(analysis.singleTask()).isEqualTo(single);
    }

    /** One task where an element depends on how many came before it, which then counts what comes out of that step. */
    @ParameterizedTest
    @CsvSource({
        "enumerate, true",
        "enumerate_labels, true",
        "enumerate_filtered, true",
        "enumerate_unread, false",
        "zip_counter, true",
        "zip_counter_first, true",
        "zip_counter_finite, true",
        "zip_random, false",
        "zip_random_seeded, true",
        "scan, true",
        "batches_summed_up, true",
        "groups_summed_up, true",
        "batches_summed_to_vectors, true",
        "groups_summed_to_vectors, true",
        "groups_of_vectors, true",
        "first_of_groups, true",
        "matching_files, true",
        "window, true",
        "window_pairs, true",
        "draws_in_a_scan, true",
        "skip, true",
        "repeat_inside, false",
        "group_by_window, false",
        "interleave_numbered, false",
    })
    void whatLooksAtPlacesRunsAsOneTask(String name, boolean single) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.singleTask()).isEqualTo(single);
        assertThat(analysis.exactlyOnce()).isTrue();
        assertThat(analysis.reasons()).isEmpty();
    }

    /** Two tasks would each remember a part, and so would an epoch; what is left by a group depends on where it ends. */
    @ParameterizedTest
    @CsvSource({
        "counted_by_a_variable, false",
        "counted_by_a_variable_in_two_epochs, false",
        "counted_by_a_table, false",
        "some_of_each_group, true",
        "groups_numbered, true",
    })
    void whatHangsOnTheElementsBeforeRunsAsOneTask(String name, boolean exactlyOnce) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.singleTask()).isTrue();
        assertThat(analysis.epochs()).isEqualTo(1);
        assertThat(analysis.exactlyOnce()).isEqualTo(exactlyOnce);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"keras_flips_and_crops", "keras_augmentation_behind_the_batch", "keras_noise_of_two_epochs"})
    void layersThatCountTheirSeedsAreDraws(String name) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.singleTask()).isFalse();
        assertThat(analysis.reasons()).isEmpty();
    }

    /** Several tasks have other batches than one process. */
    @ParameterizedTest
    @CsvSource({
        "table_of_buckets, true",
        "ragged_batch_lengths, true",
        "places_in_batches, true",
        "mean_of_padded, true",
        "rows_in_the_middle, true",
        "pairs_by_a_reshape, true",
        "batches_shuffled_less_their_largest, true",
        "less_the_largest_of_the_inner_batch, true",
        "batches_of_batches_batched_anew, true",
        "groups_reduced, true",
        "words_looked_up, false",
        "map_fn_of_pairs, false",
        "map_fn_over_batch, false",
        "draw_in_map_fn_over_batch, false",
        "vectorized_map_over_batch, false",
        "views_behind_the_batch, false",
        "lines_parsed_by_batches, false",
        "bert_parsed_by_batches, false",
        "labels_parsed_by_batches, true", // the longest of a batch says how many are compared
        "sparse_features_parsed_by_batches, false",
        "ragged_batch_to_tensor, false",
        "sparse_to_dense, false",
        "unbatch_masked_structure, false",
        "keras_augmentation_behind_the_batch, false",
        "map_behind_batch, false",
    })
    void functionsOfBatchesRunAsOneTaskUnlessEachRowIsKnownToBeMadeOfItself(String name, boolean single) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isEqualTo(single);
    }

    @ParameterizedTest
    @CsvSource({"draw_mixed_in_batch, true", "columns_swapped, true", "map_behind_batch, false"})
    void rowsThatChanceTakesOfOtherBatchesAreNamed(String name, boolean noted) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.singleTask()).isFalse();
        assertThat(analysis.notes().stream().anyMatch(note -> note.contains("which chance chooses")))
                .isEqualTo(noted);
    }

    /** What a pattern matches is opened, not the pattern. */
    @ParameterizedTest
    @ValueSource(strings = {"patterns_as_data", "patterns_read", "patterns_interleaved"})
    void patternsOfNamesAreData(String name) {
        PipelineSource source = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name))
                .sources()
                .get(0);

        assertThat(source.words()).endsWith("slices of a constant");
        assertThat(source.fileNames()).isEmpty();
    }

    /** Each range would draw again what is drawn once when the file is opened. */
    @ParameterizedTest
    @CsvSource({
        "one_draw_for_the_records_of_a_file, false",
        "files_read_by_another_name, false",
        "interleave_with_name, true"
    })
    void aFileIsCutOnlyWhereItsPartsAreWhatItIs(String name, boolean rangeable) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.sources().get(0).rangeable()).isEqualTo(rangeable);
    }

    @Test
    void whatIsRepeatedNeverIsReadAsItStands() {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/repeated_never"));

        assertThat(analysis.sources())
                .singleElement()
                .extracting(PipelineSource::kind)
                .isEqualTo(new SourceKind.Whole());
        assertThat(analysis.epochs()).isEqualTo(1);
    }

    @Test
    void rowsOfABatchThatMayHaveChangedPlacesHaveNoTickets() {
        PipelineAnalysis analysis =
                PipelineAnalysis.of(Pipelines.parse("../corpus/shuffled_batches_reversed_and_taken_apart"));

        assertThat(analysis.reasons())
                .singleElement()
                .asString()
                .contains("takes batches apart whose rows may be others than were batched")
                .contains("works on whole batches");
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/unbatch_between_shuffles"))
                        .reasons())
                .isEmpty();
    }

    /** By the number of notes that the count is one of. */
    @ParameterizedTest
    @CsvSource({
        "neighbours_of_shuffled, true",
        "some_of_each_of_shuffled, true",
        "some_of_each_of_shuffled_in_any_order, true",
        "as_many_of_each_of_shuffled_as_a_table_says, true",
        "words_of_shuffled_lines, true",
        "some_of_some_of_shuffled, false",
        "draws_for_each_of_several_of_shuffled, false"
    })
    void whatSingleElementsBecomeBehindAShuffleHasTicketsWhereItCanBeCounted(String name, boolean counted) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.exactlyOnce()).isEqualTo(counted);
        assertThat(analysis.sources()).extracting(PipelineSource::numbered).containsExactly(counted);
        assertThat(analysis.notes().stream().anyMatch(note -> note.contains("counted before the shuffle")))
                .isEqualTo(counted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unkeyed_in_files  | true  | what its task read in some 30 s, or in one split",
                "filtered_children | false | all that its task read in the epoch, since shuffle_2 looks across splits",
                "taken_unkeyed     | false | 'all that its task read in the epoch, which is read as a whole'",
            })
    void saysWhatADeathRepeatsWithoutTickets(String name, boolean renewable, String repeated) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.renewable()).isEqualTo(renewable);
        assertThat(analysis.guaranteeReasons())
                .hasSizeGreaterThan(1)
                .last()
                .isEqualTo("a worker's death repeats " + repeated);
    }

    /** The first step that looks across splits, of pipelines with tickets and without. */
    @ParameterizedTest
    @CsvSource({
        "batch, ''",
        "filter_shuffled, shuffle_2",
        "padded_batch_of_batches, padded_batch_3",
        "dropped_batches_of_batches, batch_2",
        "headers_skipped, batch_1",
        "unbatched, ''",
    })
    void findsTheFirstStepThatLooksAcrossSplits(String name, String step) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).acrossSplits().orElse(""))
                .isEqualTo(step);
    }

    @Test
    void withTicketsADeathRepeatsNothing() {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("batch"));

        assertThat(analysis.renewable()).isFalse();
        assertThat(analysis.guaranteeReasons()).isEmpty();
    }

    @Test
    void findsSeveralSourcesInTheirOrder() {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("concatenate"));

        assertThat(analysis.sources().stream().map(PipelineSource::fileNames))
                .containsExactly(
                        List.of("data/numbers-00000.tfrecord", "data/numbers-00001.tfrecord"),
                        List.of("data/numbers-00002.tfrecord", "data/numbers-00003.tfrecord"));
    }

    @Test
    void whatIsTakenOfTheListOfFilesHoldsForOtherListsToo() {
        PipelineSource source =
                PipelineAnalysis.of(Pipelines.parse("take_files")).sources().get(0);

        assertThat(source.select(List.of("a", "b", "c"))).isEqualTo(List.of("a", "b"));
    }

    // a list of files that lies folder by folder is mixed before a part of it is taken, by both jobs in the same way
    @Test
    void aPartOfAShuffledListIsAPartOfOneOrder() {
        PipelineSource part =
                PipelineAnalysis.of(Pipelines.parse("flowers_part")).sources().get(0);
        List<String> all = part.fileNames();
        List<String> mixed = part.steps().get(0).apply(all);

        assertThat(mixed).containsExactlyInAnyOrderElementsOf(all).isNotEqualTo(all);
        assertThat(part.select(all)).isEqualTo(mixed.subList(6, 24));
        assertThat(mixed.subList(0, 6))
                .anyMatch(name -> name.contains("rose"))
                .anyMatch(name -> name.contains("tulip"));
    }

    @ParameterizedTest
    @CsvSource({
        "filter, true",
        "group_by_window, true",
        "interleave_nested, true",
        "map, false",
        "unbatched, false",
    })
    void saysWhetherItYieldsBatches(String name, boolean batched) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).batched()).isEqualTo(batched);
    }

    @Test
    void saysWhereElementsAreLeftOutAndHow() {
        assertThat(drops("interleave_numbered"))
                .containsExactly(new Drop("read_0", "SkipDataset", OpTraits.Drops.POSITION, Drop.Where.FILE));
        assertThat(drops("filter_shuffled"))
                .containsExactly(
                        new Drop("filter_3", "FilterDataset", OpTraits.Drops.PREDICATE, Drop.Where.PATH),
                        new Drop("batch_4", "BatchDatasetV2", OpTraits.Drops.REMAINDER, Drop.Where.PATH));
        assertThat(drops("interleave_nested").stream().map(Drop::words))
                .containsExactly("read_0: take leaves elements out by position in each file");
    }

    /** What is left out below the place where tickets are made never had one. */
    @ParameterizedTest
    @CsvSource({"take", "window_pairs", "enumerate_filtered"})
    void whatIsReadAsAWholeLeavesOutWhatNobodyCounts(String name) {
        assertThat(drops(name).stream().filter(drop -> drop.how() != OpTraits.Drops.PREDICATE))
                .isEmpty();
    }

    private static List<Drop> drops(String name) {
        return PipelineAnalysis.of(Pipelines.parse(name)).drops();
    }

    @Test
    void whatIsToBeCompiledIsNamed() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("ordering/compiled")).notes())
                .anyMatch(note -> note.contains("(jit_compile) are computed op by op")
                        && note.contains("wholly where it casts what does not fit"));
        assertThat(PipelineAnalysis.of(Pipelines.parse("ordering/decode_raw")).notes())
                .noneMatch(note -> note.contains("jit_compile"));
    }

    @Test
    void whatNoKeyDrawsIsNamed() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("draws_unkeyed")).notes())
                .anyMatch(note ->
                        note.endsWith("draws by LogUniformCandidateSampler, which cannot be keyed: an element that"
                                + " is read again draws other numbers"));
        assertThat(PipelineAnalysis.of(Pipelines.parse("draws_by_a_generator")).notes())
                .noneMatch(note -> note.contains("keyed"));
    }

    @ParameterizedTest
    @CsvSource({
        "two_orders_of_a_seeded_shuffle, true",
        "a_part_of_each_order_of_a_shuffle, false",
        "orders_of_a_shuffle_kept_and_repeated, false",
        "two_shuffles_paired_anew, false"
    })
    void ordersOfLaterEpochsThatAreNotThoseOfOneProcessAreSaid(String name, boolean said) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).notes().stream()
                        .anyMatch(note -> note.contains("in other orders than in one process")))
                .isEqualTo(said);
    }

    // whatever looks along a batch needs the elements that one process would put into it
    @ParameterizedTest
    @CsvSource({"sequence_by_batch, true", "sequence_by_short_batch, true", "batch_for_devices, false"})
    void whereABatchIsAStretchOfASequenceOneTaskMakesIt(String name, boolean single) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.singleTask()).isEqualTo(single);
        assertThat(analysis.exactlyOnce()).isTrue();
    }

    /** Sorted or turned round, they may be others than were batched. */
    @ParameterizedTest
    @CsvSource({
        "shuffled_batches_resized_and_taken_apart, true",
        "shuffled_batches_embedded_and_taken_apart, true",
        "shuffled_batches_reversed_and_taken_apart, false",
        "batches_of_changed_size_taken_apart, false"
    })
    void rowsThatAFunctionLeavesInTheirPlacesHaveTheTicketsOfThese(String name, boolean once) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.singleTask()).isFalse();
        assertThat(analysis.exactlyOnce()).isEqualTo(once);
    }

    // with tickets it goes on to another task
    @ParameterizedTest
    @CsvSource({
        "../corpus/children_that_nobody_can_count_in_whole_batches, true",
        "../corpus/rebatch_drops, false",
        "../corpus/bucket_drops, false",
        "draws_of_children, false",
        "../corpus/bucket_to_boundary, false",
        "../corpus/batch_drop_remainder, false"
    })
    void whatDoesNotFillALastBatchIsLeftOutByEachTaskWithoutTicketsAndSaid(String name, boolean said) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.notes().stream().anyMatch(note -> note.contains("does not fill its last batch")))
                .as("%s", analysis.notes())
                .isEqualTo(said);
    }

    // with tickets only one task lets it through
    @ParameterizedTest
    @CsvSource({
        "../corpus/shuffled_batches_reversed_and_taken_apart, batch_7",
        "../corpus/rebatch_drops, ''",
        "../corpus/batch_short_last, ''"
    })
    void aBatchThatMayComeShortInEachTaskWithoutTicketsIsSaidUnlessItIsTakenApart(String name, String step) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.notes().stream().filter(note -> note.contains("last batch may come short")))
                .allSatisfy(note -> assertThat(note).startsWith(step + ":"))
                .hasSize(step.isEmpty() ? 0 : 1);
    }

    // with tickets as many are left out as in one process, and not the same
    @ParameterizedTest
    @CsvSource({
        "../corpus/batch_drop_remainder, true",
        "../corpus/batch_short_last, false",
        "../corpus/bucket_drops, true",
        "../corpus/rebatch_drops, true",
        "../corpus/whole_groups_only, true",
        "../corpus/whole_groups_of_a_shuffle_only, false",
        "dropped_batches_of_batches, true",
        "../corpus/one_function_called_twice, false"
    })
    void whichElementsFillNoBatchIsSaidToBeAnothersChoiceWhereTheyAreInOrder(String name, boolean said) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.notes().stream().anyMatch(note -> note.contains("decided by which are there last")))
                .as("%s %s", analysis.notes(), analysis.exactlyOnce())
                .isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({
        "rows_of_a_batch_for_each_of_two_devices, lays the rows of a batch out in a grid, true",
        "batch_drop_remainder, lays the rows of a batch out in a grid, false",
        "kept_in_files_of_which_a_part_is_read_again, what its reader_func leaves out, true",
        "snapshot_of_map, what its reader_func leaves out, false",
        "groups_of_a_shuffle_less_their_largest, looks at all of a batch or a group, true",
        "rows_less_the_largest_of_a_mixed_batch, looks at all of a batch or a group, true",
        "shuffled_batches_resized_and_taken_apart, looks at all of a batch or a group, false",
    })
    void whatOneProcessDoesOtherwiseIsSaid(String name, String words, boolean said) {
        List<String> notes =
                PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).notes();

        assertThat(notes.stream().anyMatch(note -> note.contains(words)))
                .as("%s", notes)
                .isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({
        "../corpus/counted_by_one_and_read_by_another, true",
        "../corpus/counted_by_a_variable, false",
        "../corpus/captured_variable, false",
        "../corpus/table_mutable, false",
        "../corpus/keras_masks_flipped_as_their_pictures, false"
    })
    void whatATransformationChangesAndAnotherOneUsesIsSaidToBeTwo(String name, boolean said) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).notes().stream()
                        .anyMatch(note ->
                                note.equals("read_1 and map_2: each has variables and tables of its own, since a"
                                        + " serialised pipeline does not tell which are one; what one of them changes, the others"
                                        + " do not see")))
                .isEqualTo(said);
    }

    @Test
    void thatEachRepetitionLeavesOutItsOwnRestIsSaid() {
        PipelineGraph once = Pipelines.parse("../corpus/batch_drop_remainder");
        Scope scope = once.scope();
        NodeDef batch = scope.node(Scope.nodeOf(once.root()));
        NodeDef.Builder again =
                Protos.node("again", "RepeatDataset", batch.getInput(0), scope.constant("times", Protos.int64(2)));
        DatasetOps.setComponents(again, "output_types", scope.components(batch.getInput(0)));
        scope.put(batch.toBuilder().setInput(0, scope.addDataset(again)).build());
        PipelineGraph twice = new PipelineGraph(scope.nodes(), once.functions().values(), once.root(), once.versions());

        assertThat(PipelineAnalysis.of(once).notes()).noneMatch(note -> note.contains("each epoch leaves out"));
        assertThat(PipelineAnalysis.of(twice).notes())
                .anyMatch(note -> note.contains(": each epoch leaves out what does not fill its last batch, where one"
                        + " process does so once, behind the last repetition; of fewer elements than a batch has none is"
                        + " made"));
    }

    @Test
    void aSnapshotIsTakenOutLikeACache() {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("snapshot"));

        assertThat(analysis.exactlyOnce()).isTrue();
        assertThat(analysis.notes())
                .contains("snapshot_3: is taken out; what is kept is for the caching policy to decide");
    }

    @Test
    void describesTransformationsByTheUsersNames() {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("flowers_cached"));

        assertThat(analysis.transformations().stream().map(Transformation::name))
                .containsExactly("read_0", "map_1", "cache_2", "shuffle_3", "batch_4", "prefetch_5");
        assertThat(analysis.transformations().get(1).functionOps()).contains("DecodeJpeg", "ReadFile");
        assertThat(analysis.notes())
                .containsExactly(
                        "read_0: the order of files follows from the job's seed instead",
                        "cache_2: is taken out; what is kept is for the caching policy to decide",
                        "shuffle_3: each task shuffles what it reads itself",
                        "batch_4: each task makes batches of what it reads itself");
    }
}
