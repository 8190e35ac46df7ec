package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.engine.Running.Batch;
import io.praline.worker.engine.Running.Values;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.AsItStands;
import io.praline.worker.graph.task.TaskGraphs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rewritten graph yields what the user's graph yields. */
class EquivalenceTest {
    /** Order is kept from the file to the batch, so that every batch is the same, byte for byte. */
    static final List<String> SAME_BATCHES = List.of(
            "map",
            "calls_function",
            "while_loop",
            "parallel_map",
            "filter",
            "flat_map",
            "skip",
            "take",
            "batch",
            "batch_of_batches",
            "batch_parallel",
            "padded_batch",
            "padded_batch_fixed",
            "unbatch",
            "prefetch",
            "jpeg_evaluation",
            "sample_until_empty",
            "sleep",
            "zip_counter",
            "zip_counter_first",
            "zip_two_sources",
            "unique",
            "choose_from_datasets",
            "enumerate",
            "batches_summed_up",
            "enumerate_filtered",
            "groups_summed_up",
            "batches_summed_to_vectors",
            "groups_summed_to_vectors",
            "groups_of_vectors",
            "first_of_groups",
            "short_batches_summed_up",
            "matching_files",
            "enumerate_labels",
            "scan",
            "window",
            "window_pairs",
            "zip_counter_finite",
            "zip_random_seeded",
            "concatenate",
            "captured_tensors",
            "lookup_table",
            "mutable_table",
            "nested",
            "strings",
            "type_bfloat16",
            "type_bool",
            "type_float16",
            "type_int64",
            "type_others",
            "type_uint8",
            "unbatched",
            "text_lines",
            "fixed_length",
            "gzip_tfrecord",
            "file_names",
            "integers",
            "examples_vectorised",
            "keep_position",
            "flat_map_elements",
            "unbatch_rows",
            "words_filtered",
            "masked_unbatched",
            "padded_batch_of_batches",
            "dropped_batches_of_batches",
            "rebatched",
            "rebatch_shuffled",
            "fractions_read",
            "fractions_computed",
            "map_and_batch",
            "parse_example_dataset",
            "sequence_by_short_batch",
            "batch_for_devices",
            "group_by_window",
            "bucket_by_sequence_length");

    /** Order differs, by the user's wish or because files are read one after another; the elements are the same. */
    static final List<String> SAME_ELEMENTS = List.of(
            "parallel_map_unordered",
            "map_and_batch_shuffled",
            "parse_example_dataset_shuffled",
            "interleave",
            "interleave_parallel",
            "interleave_nested",
            "interleave_numbered",
            "interleave_parts",
            "flat_map_shuffled",
            "sequence_by_batch",
            "parallel_reads",
            "shuffle",
            "shuffle_unseeded",
            "take_files",
            "enumerate_unread",
            "cache",
            "options",
            "sample_from_datasets",
            "choose_by_turns",
            "zlib_tfrecord",
            "tensor_slices",
            "tensor_slices_dates",
            "tensor_slices_opened",
            "flowers",
            "flowers_cached",
            "flowers_keras",
            "text_header");

    /** What cannot be tracked runs without tickets, and why. */
    static final Map<String, String> UNTRACKED = new TreeMap<>(Map.of("filtered_children", "flat_map (FlatMapDataset"));

    /** A repeat over the whole pipeline is left to epochs: one run gives what one repetition would; -1 for ever. */
    static final Map<String, Long> REPEATED =
            new TreeMap<>(Map.of("repeat", 2L, "repeat_inside", 2L, "repeat_endless", -1L));

    /**
     * Where chance decides, on numbers that are drawn or on elements that are left out as a shuffle brought them: the
     * components that it does not touch, which may be none. The others have equal shapes.
     */
    static final Map<String, List<Integer>> DRAWN = new TreeMap<>(Map.of(
            "examples_big_map", List.of(1, 2, 3),
            "random_seeded", List.of(0),
            "random_unseeded", List.of(0),
            "filter_shuffled", List.of(),
            "flowers_part", List.of(),
            "headers_skipped", List.of(),
            "taken_of_groups", List.of(0),
            "taken_unkeyed", List.of(0),
            "zip_random", List.of(0),
            "interleave_taken_by_chance", List.of()));

    /** What is drawn there, or may come in any order, is {@link DrawsTest}'s matter. */
    static final List<String> ABOUT_CHANCE = List.of(
            "cached_subset",
            "draws_around_a_cache",
            "draws_by_a_generator",
            "draws_unkeyed",
            "draws_behind_a_batch",
            "draws_in_a_filter",
            "draws_in_a_scan",
            "draws_in_a_whole",
            "draws_in_files",
            "draws_in_loops",
            "draws_of_all_kinds",
            "draws_of_children",
            "draws_two_views",
            "seeded_rest",
            "seeded_split",
            "taken_by_chance",
            "taken_by_host",
            "taken_of_files",
            "taken_sloppy",
            "taken_unordered",
            "taken_unordered_inside",
            "unkeyed_in_files");

    /** What has a test of its own below. */
    static final List<String> BY_THEMSELVES =
            List.of("calls_with_loops", "interleave_taken_batches", "snapshot", "text_bucketed");

    /** What is not compared at all, and why. */
    static final Map<String, String> NOT_COMPARED = new TreeMap<>(Map.of(
            "jpeg_training", "windows and flips are drawn for every image; jpeg_evaluation is the same without chance",
            "jpeg_training_uint8", "the same, as bytes"));

    /** Pipelines of older TensorFlows are taken as they are. */
    static final List<String> OLDER = List.of(
            "tf215/captured_tensors",
            "tf215/fixed_length",
            "tf215/interleave_parallel",
            "tf215/lookup_table",
            "tf215/padded_batch",
            "tf215/shuffle_unseeded",
            "tf215/zip_counter",
            "tf215/flowers");

    @ParameterizedTest
    @FieldSource("SAME_BATCHES")
    void yieldsTheSameBatchesInTheSameOrder(String name) {
        assertThat(batches(rewritten(name, true))).isEqualTo(batches(original(name)));
    }

    @ParameterizedTest
    @FieldSource("SAME_ELEMENTS")
    void yieldsTheSameElements(String name) {
        assertThat(rows(rewritten(name, true))).containsExactlyInAnyOrderElementsOf(rows(original(name)));
    }

    /** Each file is a split, and its header is no row. */
    @ParameterizedTest
    @ValueSource(strings = {"csv_all_columns", "csv_columns", "csv_dataset_stacked", "csv_semicolons"})
    void yieldsTheSameRowsOfSeveralCsvFiles(String name) {
        String program = "../corpus/" + name;
        assertThat(PipelineAnalysis.of(Pipelines.parse(program)).singleTask()).isFalse();
        assertThat(rows(rewritten(program, true))).containsExactlyInAnyOrderElementsOf(rows(original(program)));
    }

    static Stream<Arguments> untracked() {
        return UNTRACKED.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    @ParameterizedTest
    @MethodSource("untracked")
    void yieldsTheSameElementsUntracked(String name, String reason) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).reasons())
                .singleElement()
                .asString()
                .contains(reason);
        assertThat(batches(rewritten(name, false))).isEqualTo(batches(original(name)));
    }

    static Stream<Arguments> drawn() {
        return DRAWN.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    @ParameterizedTest
    @MethodSource("drawn")
    void yieldsTheSameButForWhatIsDrawn(String name, List<Integer> kept) {
        boolean tracked = PipelineAnalysis.of(Pipelines.parse(name)).exactlyOnce();
        List<Batch> ours = rewritten(name, tracked);
        List<Batch> theirs = original(name);

        assertThat(shapes(ours)).isEqualTo(shapes(theirs));
        assertThat(only(kept, ours)).containsExactlyInAnyOrderElementsOf(only(kept, theirs));
    }

    private static List<List<List<Long>>> shapes(List<Batch> batches) {
        return batches.stream()
                .map(batch -> batch.components().stream().map(Values::shape).toList())
                .toList();
    }

    private static List<List<String>> only(List<Integer> components, List<Batch> batches) {
        return rows(batches).stream()
                .map(row -> components.stream().map(row::get).toList())
                .toList();
    }

    /** The user's graph does not run as it stands, neither here nor anywhere else outside Python. */
    @Test
    void callsWithinFunctionsAreMade() {
        assertThat(rows(rewritten("calls_with_loops", true))).hasSize(300).allSatisfy(row -> {
            long n = number(row.get(0));
            String twice = "[" + hex(2 * n + 3) + ", " + hex(2 * n + 3) + "]";
            String once = "[" + hex(n + 1) + ", " + hex(n + 1) + "]";
            assertThat(row).isEqualTo(List.of("[" + hex(n) + "]", twice, once, n % 2 == 0 ? once : twice));
        });
    }

    private static long number(String one) {
        return Long.reverseBytes(Long.parseUnsignedLong(one.replaceAll("[\\[\\]]", ""), 16));
    }

    private static String hex(long number) {
        return String.format("%016x", Long.reverseBytes(number));
    }

    /** Batches are taken of each file, and files are read one after another. */
    @Test
    void yieldsTheSameBatchesOfEachFileInAnotherOrder() {
        assertThat(batches(rewritten("interleave_taken_batches", true)))
                .containsExactlyInAnyOrderElementsOf(batches(original("interleave_taken_batches")));
    }

    /** A snapshot is taken out: what is left is the pipeline of {@code prefetch}. The user's graph would write files. */
    @Test
    void yieldsWhatASnapshotWouldBeTakenOf() {
        assertThat(batches(rewritten("snapshot", true))).isEqualTo(batches(original("prefetch")));
    }

    /** Which lines share a bucket's batch, and so how far they are padded, follows from the order of the shuffle. */
    @Test
    void yieldsTheSameLinesOtherwisePadded() {
        assertThat(unpadded(rewritten("text_bucketed", true)))
                .containsExactlyInAnyOrderElementsOf(unpadded(original("text_bucketed")));
    }

    /** Rows without the zeros at the end of each component, eight bytes each. */
    private static List<List<String>> unpadded(List<Batch> batches) {
        return rows(batches).stream()
                .map(row -> row.stream()
                        .map(values -> values.replaceFirst("(, 0{16})+]$", "]"))
                        .toList())
                .toList();
    }

    @Test
    void everyPipelineIsComparedOrSaysWhyNot() {
        List<String> named = Stream.of(
                        SAME_BATCHES,
                        SAME_ELEMENTS,
                        UNTRACKED.keySet(),
                        REPEATED.keySet(),
                        DRAWN.keySet(),
                        ABOUT_CHANCE,
                        BY_THEMSELVES,
                        NOT_COMPARED.keySet())
                .flatMap(Collection::stream)
                .sorted()
                .toList();

        assertThat(named).isEqualTo(Pipelines.running());
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeat", "repeat_inside"})
    void runsOnceWhereTheUserRepeats(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).epochs()).isEqualTo(REPEATED.get(name));

        List<List<String>> twice = new ArrayList<>(rows(rewritten(name, true)));
        twice.addAll(rows(rewritten(name, true)));
        assertThat(twice).containsExactlyInAnyOrderElementsOf(rows(original(name)));
    }

    /** What repeats for ever gives each element once, in the short last batch too, which TensorFlow promises not to come. */
    @Test
    void runsOnceWhereTheUserRepeatsForEver() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("repeat_endless")).epochs())
                .isEqualTo(REPEATED.get("repeat_endless"));

        assertThat(rows(rewritten("repeat_endless", true)))
                .containsExactlyInAnyOrderElementsOf(rows(original("prefetch")));
    }

    @ParameterizedTest
    @FieldSource("OLDER")
    void yieldsTheSameElementsFromTensorFlow215(String name) {
        assertThat(sorted(rows(rewritten(name, true)))).isEqualTo(sorted(rows(original(name))));
    }

    private static List<String> sorted(List<List<String>> rows) {
        return rows.stream().map(List::toString).sorted().toList();
    }

    private static List<List<String>> rows(List<Batch> batches) {
        return batches.stream().flatMap(batch -> batch.rows().stream()).toList();
    }

    private static List<Batch> original(String name) {
        return Running.all(AsItStands.of(Pipelines.parseHere(name)), List.of());
    }

    private static List<Batch> rewritten(String name, boolean tracked) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        assertThat(analysis.reasons().isEmpty()).isEqualTo(tracked);
        return Running.all(TaskGraphs.build(pipeline, analysis, Running.settings(tracked)), Running.splits(analysis));
    }

    private static List<Object> batches(List<Batch> batches) {
        return new ArrayList<>(batches.stream().map(Batch::components).toList());
    }
}
