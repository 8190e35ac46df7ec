package io.praline.tests.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Quick programs of all families: what {@link WholeCorpusTest} holds of all. */
class CorpusTest {
    private static final Set<String> QUICK = Set.of(
            "imagenet_training",
            "lines_parsed_by_batches",
            "keras_folder_training_part",
            "shuffled_lines_and_their_places",
            "windows_over_files",
            "validation_part_of_a_seeded_shuffle",
            "training_part_of_a_seeded_shuffle",
            "split_by_enumerate",
            "unbatch_between_shuffles",
            "draw_behind_batch",
            "masks_of_their_own_dataset_flipped_by_one_seed",
            "augmented_repeated_and_cached",
            "some_of_each_group",
            "empty_list_of_files",
            "random_numbers_come_again",
            "snapshot_of_draws_comes_again",
            "batch_drop_remainder",
            "flat_map_repeats");

    private static final Set<String> TWICE = Set.of(
            "sounds_padded",
            "spectrograms_with_masks",
            "windows_of_samples",
            "lines_with_a_vocabulary_file",
            "next_sentences",
            "words_replaced_by_others",
            "imagenet_evaluation",
            "imagenet_training",
            "imagenet_mixup_of_two",
            "jitter_in_a_drawn_order",
            "triplets",
            "views_by_repeating_the_element",
            "lines_parsed_by_batches",
            "csv_dataset",
            "headers_filtered",
            "sparse_features_parsed_by_batches",
            "mosaic",
            "retinanet_training",
            "keras_folder_training_part",
            "shuffled_lines_and_their_places",
            "windows_of_two_columns",
            "window_generator",
            "windows_over_files",
            "tokens_joined_by_fours",
            "lines_in_batches_of_batches",
            "validation_part_of_a_seeded_shuffle",
            "training_part_of_a_seeded_shuffle",
            "negatives_drawn",
            "split_by_enumerate",
            "sampled",
            "unbatch_between_shuffles",
            "videos_in_buckets",
            "one_flip_for_all_frames",
            "mapped_in_python",
            "ragged_boxes",
            "draw_in_map_fn",
            "draw_behind_batch",
            "draw_before_repeat_taken",
            "draw_in_windows",
            "keras_noise_of_two_epochs",
            "keras_masks_flipped_as_their_pictures",
            "masks_cropped_by_one_seed",
            "masks_of_their_own_dataset_flipped_by_one_seed",
            "one_seed_around_zip",
            "one_seed_around_batch_and_unbatch",
            "augmented_repeated_and_cached",
            "counted_by_a_variable_in_two_epochs",
            "some_of_each_group",
            "shuffled_batches_reversed_and_taken_apart",
            "group_padded",
            "elements_beside_the_first_of_the_same_dataset",
            "folds_of_one_shuffle",
            "two_orders_of_a_seeded_shuffle",
            "draws_kept_for_two",
            "rows_beside_those_of_the_batch_reversed",
            "elements_beside_a_shuffle_that_is_captured",
            "batch_drop_remainder",
            "batch_shuffle_repeat",
            "interleave_filtered_inside",
            "flat_map_repeats");

    private static final Set<String> DYING = Set.of(
            "sounds_padded",
            "imagenet_training",
            "lines_parsed_by_batches",
            "windows_over_files",
            "tokens_joined_by_fours",
            "unbatch_between_shuffles",
            "videos_in_buckets",
            "flat_map_repeats");

    /** Of each kind of what may be kept: whole files, records, batches, what the user froze, and some of which nothing is. */
    private static final Set<String> KEPT = Set.of(
            "sounds_padded",
            "imagenet_evaluation",
            "imagenet_training",
            "lines_parsed_by_batches",
            "csv_dataset",
            "sparse_features_parsed_by_batches",
            "mosaic",
            "keras_folder_training_part",
            "tokens_joined_by_fours",
            "windows_over_files",
            "videos_in_buckets",
            "ragged_boxes",
            "keras_noise_of_two_epochs",
            "augmented_repeated_and_cached",
            "some_of_each_group",
            "interleave_filtered_inside",
            "batch_shuffle_repeat");

    /** Two tasks each: as many as the shared cluster has slots for. */
    private static final int AT_A_TIME = 2;

    @TempDir
    private static Path folder;

    /** Of all tests: what one of them ran is not run again. */
    private static Results results;

    @BeforeAll
    static void none() {
        results = new Results(folder.resolve("results.tsv"));
    }

    @Test
    @Tag("sample")
    void someProgramsYieldWhatPythonRecorded() throws InterruptedException {
        yieldWhatPythonRecorded(QUICK);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void programsOfAllFamiliesYieldWhatPythonRecorded() throws InterruptedException {
        Set<String> all = new TreeSet<>(QUICK);
        all.addAll(TWICE);
        yieldWhatPythonRecorded(all);
    }

    private static void yieldWhatPythonRecorded(Set<String> names) throws InterruptedException {
        try (CorpusRun run = new CorpusRun(results, AT_A_TIME)) {
            run.withTwoSeeds(programs(names));
        }
        assertThat(results.wrong()).as(results.table()).isEmpty();
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theyDoSoWhileWhatTheyMakeIsKeptAndWhenItIsReadAgain() throws InterruptedException {
        try (CorpusRun run = new CorpusRun(results, AT_A_TIME)) {
            run.withEntries(programs(KEPT));
        }
        assertThat(results.wrong()).as(results.table()).isEmpty();
        assertThat(results.readFromEntries()).as(results.table()).isGreaterThan(KEPT.size() / 2);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theyDoSoWhenAWorkerDiesThatDeliversThem() throws InterruptedException {
        try (CorpusRun run = new CorpusRun(results, AT_A_TIME)) {
            // how many batches a program has says when to kill
            run.withFirstSeed(programs(DYING));
            run.withDeaths(programs(DYING));
        }
        assertThat(results.wrong()).as(results.table()).isEmpty();
    }

    private static List<Program> programs(Set<String> names) {
        List<Program> programs = Program.all().stream()
                .filter(program -> names.contains(program.name()))
                .toList();
        assertThat(programs).hasSameSizeAs(names);
        return programs;
    }
}
