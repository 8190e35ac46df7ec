package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.engine.Running.Batch;
import io.praline.worker.graph.PipelineAnalysis;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.TaskGraphs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rewritten graph yields what the user's graph yields. */
class EquivalenceTest {
    /** Order is kept from the file to the batch, so that every batch is the same, byte for byte. */
    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "sleep",
                "zip_counter",
                "zip_counter_first",
                "zip_two_sources",
                "unique",
                "choose_from_datasets",
                "enumerate",
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
                "group_by_window",
                "bucket_by_sequence_length",
            })
    void yieldsTheSameBatchesInTheSameOrder(String name) {
        assertThat(batches(rewritten(name, true))).isEqualTo(batches(original(name)));
    }

    /** Order differs, by the user's wish or because files are read one after another; the elements are the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "parallel_map_unordered",
                "interleave",
                "interleave_parallel",
                "interleave_nested",
                "parallel_reads",
                "shuffle",
                "shuffle_unseeded",
                "take_files",
                "cache",
                "options",
                "sample_from_datasets",
                "choose_by_turns",
                "zlib_tfrecord",
                "tensor_slices",
                "flowers",
                "flowers_cached",
                "flowers_keras",
                "text_header",
            })
    void yieldsTheSameElements(String name) {
        assertThat(rows(rewritten(name, true))).containsExactlyInAnyOrderElementsOf(rows(original(name)));
    }

    /** What cannot be tracked runs without tickets and says why. */
    @ParameterizedTest
    @CsvSource({
        "flat_map_elements, flat_map (FlatMapDataset",
        "unbatch_rows, unbatch (UnbatchDataset",
        "scan, scan (ScanDataset",
        "window, flat_map (FlatMapDataset",
        "window_pairs, flat_map (FlatMapDataset",
    })
    void yieldsTheSameElementsUntracked(String name, String reason) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).reasons())
                .singleElement()
                .asString()
                .contains(reason);
        assertThat(batches(rewritten(name, false))).isEqualTo(batches(original(name)));
    }

    /** A repeat over the whole pipeline is left to epochs: one run gives what one repetition would. */
    @ParameterizedTest
    @CsvSource({"repeat, 2", "repeat_inside, 2"})
    void runsOnceWhereTheUserRepeats(String name, int epochs) {
        assertThat(PipelineAnalysis.of(Pipelines.parse(name)).epochs()).isEqualTo(epochs);

        List<List<String>> twice = new ArrayList<>(rows(rewritten(name, true)));
        twice.addAll(rows(rewritten(name, true)));
        assertThat(twice).containsExactlyInAnyOrderElementsOf(rows(original(name)));
    }

    /** What repeats for ever gives each element once, in the short last batch too, which TensorFlow promises not to come. */
    @Test
    void runsOnceWhereTheUserRepeatsForEver() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("repeat_endless")).epochs())
                .isEqualTo(-1);

        assertThat(rows(rewritten("repeat_endless", true)))
                .containsExactlyInAnyOrderElementsOf(rows(original("prefetch")));
    }

    /** Pipelines of older TensorFlows are taken as they are. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tf215/captured_tensors",
                "tf215/fixed_length",
                "tf215/interleave_parallel",
                "tf215/lookup_table",
                "tf215/padded_batch",
                "tf215/shuffle_unseeded",
                "tf215/zip_counter",
                "tf215/flowers",
            })
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
        return Running.all(Pipelines.asItStands(Pipelines.parseHere(name)), List.of());
    }

    private static List<Batch> rewritten(String name, boolean tracked) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        assertThat(analysis.reasons()).isEqualTo(tracked ? List.of() : analysis.reasons());
        return Running.all(TaskGraphs.build(pipeline, analysis, Running.settings(tracked)), Running.splits(analysis));
    }

    private static List<Object> batches(List<Batch> batches) {
        return new ArrayList<>(batches.stream().map(Batch::components).toList());
    }
}
