package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** Why a part of a pipeline is read as a whole. */
class SourcesTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "take, TakeDataset looks at an element's place among all",
                "../corpus/saved_on_the_way, SaveDatasetV2 looks at an element's place among all",
                "unique, UniqueDataset looks at an element's place among all",
                "enumerate_labels, ZipDataset pairs elements by their places",
                "zip_two_sources, ZipDataset pairs elements by their places",
                "choose_from_datasets, DirectedInterleaveDataset takes elements by what came before",
                "../corpus/choose_by_a_range_that_ends, DirectedInterleaveDataset takes elements by what came before",
                "sample_until_empty, DirectedInterleaveDataset takes elements by what came before",
                "matching_files, MatchingFilesDataset is no source that can be cut",
                "window_pairs, WindowDataset looks at an element's place among all",
                "batches_summed_up, MapDataset depends on which elements share a batch or a group",
                "groups_summed_up, GroupByWindowDataset depends on which elements share a batch or a group",
                "first_of_groups, GroupByWindowDataset depends on which elements share a batch or a group",
                "../corpus/counted_by_a_variable, MapDataset remembers what came before",
                "../corpus/training_behind_validation, ConcatenateDataset reads a dataset twice",
                "../corpus/two_orders_of_a_seeded_shuffle, ZipDataset reads a dataset twice",
                "../corpus/elements_beside_a_shuffle_that_is_captured, InterleaveDataset reads a dataset beside its"
                        + " elements that is another one each time",
                "../corpus/rows_beside_a_sum_by_reduce, MapDataset depends on which elements share a batch or a group",
                "../corpus/rows_less_the_least_beside_an_order_that_is_always_the_same, MapDataset depends on which"
                        + " elements share a batch or a group",
                "../corpus/elements_beside_the_next_order_of_a_shuffle, MapDataset reads a dataset beside its"
                        + " elements that is another one each time",
                "../corpus/elements_kept_by_the_next_order_of_a_shuffle, FilterDataset reads a dataset beside its"
                        + " elements that is another one each time",
                "../corpus/elements_beside_the_next_random_number_of_a_seed, MapDataset reads a dataset beside its"
                        + " elements that is another one each time",
                "../corpus/elements_beside_an_order_left_while_it_is_kept, MapDataset reads a dataset beside its"
                        + " elements that is another one each time",
                "../corpus/numbered_elements_beside_the_next_order_of_a_shuffle, MapDataset reads a dataset beside"
                        + " its elements that is another one each time",
                "../corpus/elements_beside_what_a_captured_dataset_counts, MapDataset reads a dataset beside its"
                        + " elements that remembers what came before",
                "../corpus/elements_beside_a_count_of_random_numbers, ZipDataset pairs elements by their places",
                "../corpus/elements_beside_places_that_random_numbers_open, ZipDataset pairs elements by their places",
                "../corpus/rows_beside_those_of_the_batch_reversed, FlatMapDataset depends on which elements share a"
                        + " batch or a group",
                "../corpus/some_of_each_group, GroupByWindowDataset depends on which elements share a batch or a group",
            })
    void theReasonIsThatOfTheStepThatMadeItSo(String name, String why) {
        List<FoundSource> found =
                Sources.of(new SpellOut().apply(Pipelines.parse(name))).found();

        assertThat(found).singleElement().extracting(FoundSource::why).isEqualTo(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "elements_beside_an_order_that_is_always_the_same",
                "elements_beside_an_order_that_is_kept",
                "integers_beside_one_of_an_order_without_a_seed",
            })
    void whatIsTheSameEachTimeOrChanceLeavesElementsToSeveralTasks(String name) {
        assertThat(Sources.of(Pipelines.parse("../corpus/" + name)).found())
                .extracting(FoundSource::how)
                .doesNotContain(FoundSource.How.WHOLE);
    }

    private static Sources of(IntegerGraph graph) {
        return Sources.of(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP));
    }

    private static List<FoundSource.How> how(IntegerGraph graph) {
        return of(graph).found().stream().map(FoundSource::how).toList();
    }

    private static String why(IntegerGraph graph) {
        return of(graph).found().get(0).why();
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void repetitionsOfTheWholeAreEpochsAndTheirRepeatsAreLeftOut() {
        assertThat(of(numbers()).epochs()).isEqualTo(1);
        assertThat(of(numbers().repeat(3).batch(7, false).repeat(2)).epochs()).isEqualTo(6);
        assertThat(of(numbers().repeat(3).repeat(-1)).epochs()).isEqualTo(-1);
        assertThat(of(numbers().repeat(-1).repeat(3)).epochs()).isEqualTo(-1);
        assertThat(of(numbers().repeat(3).affine(2, 1, false).repeat(2)).bypassed())
                .hasSize(2)
                .allMatch(node -> node.startsWith("RepeatDataset"));
    }

    @Test
    void whatIsRepeatedNeverOrInAPartOnlyIsReadAsAWhole() {
        String repeats = "RepeatDataset repeats a part of it, or without a number that is known";
        assertThat(why(numbers().repeat(0))).isEqualTo(repeats);
        assertThat(why(numbers().repeat(2).concatenate(0, 3))).isEqualTo(repeats);
        assertThat(of(numbers().repeat(2).concatenate(0, 3)).epochs()).isEqualTo(1);
    }

    @Test
    void datasetsThatStandOneBehindTheOtherAreSourcesEach() {
        assertThat(how(numbers().concatenate(200, 300).concatenate(400, 500)))
                .containsExactly(FoundSource.How.RANGE, FoundSource.How.RANGE, FoundSource.How.RANGE);
        assertThat(of(numbers().concatenate(200, 300)).found())
                .extracting(found -> found.source().kind())
                .containsExactly(new SourceKind.Integers(0, 100, 1), new SourceKind.Integers(200, 300, 1));
        assertThat(how(numbers().take(5).concatenate(200, 300))).containsExactly(FoundSource.How.WHOLE);
    }

    @Test
    void whatHasNoEndIsNoSplit() {
        assertThat(why(IntegerGraph.range(0, Long.MAX_VALUE, 1))).isEqualTo("RangeDataset counts without an end");
        assertThat(why(numbers().flatMapped(repeating(-1)).batch(7, false)))
                .isEqualTo("FlatMapDataset opens datasets without an end");
        assertThat(how(numbers().flatMapped(repeating(2)).batch(7, false))).containsExactly(FoundSource.How.RANGE);
        assertThat(of(numbers().flatMapped(repeating(-1)).repeat(2)).epochs()).isEqualTo(2);
    }

    /** Repeats the element that it is given. */
    private static FunctionDef repeating(long count) {
        NodeDef.Builder one = Protos.node("one", "TensorDataset", "x")
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)));
        NodeDef.Builder again = Protos.node("again", "RepeatDataset", "one:handle:0", "count:output:0")
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)));
        FunctionDef.Builder function = FunctionDef.newBuilder()
                .addNodeDef(Protos.constant("count", Protos.int64(count)))
                .addNodeDef(one)
                .addNodeDef(again)
                .putRet("made", "again:handle:0");
        function.getSignatureBuilder()
                .setName("repeating")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("made", DataType.DT_VARIANT));
        return function.build();
    }

    // behind a record that cannot be read one process reads nothing of its file
    @Test
    void aFileOfWhichErrorsAreIgnoredIsNotCut() {
        assertThat(cuts("tfrecords")).isTrue();
        assertThat(cuts("errors_ignored")).isFalse();
    }

    private static boolean cuts(String name) {
        return Sources.of(Pipelines.parse("../corpus/" + name))
                .found()
                .get(0)
                .source()
                .rangeable();
    }

    @Test
    void constantsAreCutByTheirFirstDimension() {
        assertThat(of(IntegerGraph.slices(List.of(4L, 2L, 9L)).affine(2, 1, false))
                        .found())
                .extracting(found -> found.source().kind())
                .containsExactly(new SourceKind.Indexes(3));
    }

    @Test
    void aRangeWithoutAStepIsLeftToTensorFlow() {
        assertThat(why(IntegerGraph.range(0, 9, 0))).isEqualTo("RangeDataset yields what only running it tells");
    }

    // a range of many numbers is data as another is; beside a constant it would have to be cut as that one is
    @Test
    void whatIsPairedWithNumbersThatEndIsReadAsAWhole() {
        assertThat(why(numbers().zip(0, 50, 1))).isEqualTo("ZipDataset pairs elements by their places");
        assertThat(why(IntegerGraph.slices(List.of(4L, 2L)).zip(0, 50, 1)))
                .isEqualTo("ZipDataset pairs elements by their places");
        assertThat(why(IntegerGraph.slices(List.of(4L, 2L)).enumerate(1)))
                .isEqualTo("ZipDataset pairs elements by their places");
    }

    @Test
    void theWayFromTheSourceIsThatOfItsElements() {
        assertThat(of(numbers().affine(2, 1, false).shuffle(10, 0).batch(7, false))
                        .path())
                .extracting(NodeDef::getOp)
                .containsExactly("RangeDataset", "MapDataset", "ShuffleDatasetV3", "BatchDatasetV2");
        Sources whole = of(numbers().affine(2, 1, false).take(3).batch(7, false));
        assertThat(whole.path())
                .extracting(NodeDef::getOp)
                .containsExactly("RangeDataset", "MapDataset", "TakeDataset", "BatchDatasetV2");
        assertThat(whole.inside()).hasSize(2);
    }

    @Test
    void whatIsReadAsAWholeEndsBehindTheLastStepThatElementsCannotBeFollowedThrough() {
        assertThat(whole(numbers().take(50).affine(2, 1, false).batch(7, false)))
                .isEqualTo("TakeDataset");
        assertThat(whole(numbers().take(50).sums().batch(7, false))).isEqualTo("ScanDataset");
        assertThat(whole(numbers().take(50).copies(3).batch(7, false))).isEqualTo("FlatMapDataset");
        assertThat(whole(numbers().take(50).batch(7, false).unbatch().batch(3, false)))
                .isEqualTo("TakeDataset");
        assertThat(whole(numbers().batch(7, false).take(5).unbatch().batch(3, false)))
                .isEqualTo("UnbatchDataset");
        assertThat(whole(numbers().take(50).repeat(2).sums())).isEqualTo("ScanDataset");
    }

    private static String whole(IntegerGraph graph) {
        return of(graph).found().get(0).node().replaceFirst("/.*", "");
    }

    /** What files are opened by is as good as a list of their names: each is a split, and the order is that of splits. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "shuffled_files_beside_their_labels",
                "shuffled_pairs_of_files",
                "shuffled_dictionaries_of_files_of_which_some_is_read",
                "shuffled_numbers_of_files",
                "files_with_their_places_shuffled_and_read"
            })
    void ofWhatFilesAreOpenedByTheOrderIsThatOfSplits(String name) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.exactlyOnce()).isTrue();
        assertThat(analysis.singleTask()).isFalse();
        assertThat(analysis.sources()).singleElement().satisfies(source -> {
            assertThat(source.opened()).isTrue();
            assertThat(source.shuffled()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "pictures_in_grey_and_their_colours_in_batches, false",
        "rows_of_matrices_multiplied_along_their_last_dimension, false",
        "frames_of_waves_in_batches, false",
        "lines_of_matrices_put_together_in_reverse, true",
        "lines_of_matrices_counted_as_rows, true"
    })
    void rowsThatAreCutAndPutTogetherAreThoseOfSeveralTasks(String name, boolean single) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isEqualTo(single);
    }

    @Test
    void ofWhatNoFilesAreOpenedByAShuffleIsWhatItWas() {
        IntegerGraph shuffled = numbers().shuffle(10, 0).copies(3);

        assertThat(of(shuffled).bypassed()).isEmpty();
        assertThat(of(shuffled).found()).singleElement().satisfies(found -> {
            assertThat(found.source().opened()).isFalse();
            assertThat(found.source().shuffled()).isFalse();
        });
    }

    @Test
    void filesAreReadByTheirNamesWhateverOpensThem() {
        List<String> files = List.of("/a", "/b");
        for (IntegerGraph graph : List.of(
                IntegerGraph.files(files),
                IntegerGraph.interleaved(files, 2, 1),
                IntegerGraph.readInParallel(files, 2, 1))) {
            assertThat(of(graph).found()).singleElement().satisfies(found -> {
                assertThat(found.how()).isEqualTo(FoundSource.How.FUNCTION);
                assertThat(found.source().kind()).isEqualTo(new SourceKind.TfRecord(""));
                assertThat(found.source().fileNames()).isEqualTo(files);
                assertThat(found.source().rangeable()).isTrue();
                assertThat(found.source().shuffled()).isFalse();
            });
        }
        assertThat(of(IntegerGraph.readInParallel(files, 2, 5)).found().get(0).reads())
                .isEqualTo(new Reads(2, 5));
        assertThat(of(IntegerGraph.interleaved(files, 2, 5)).found().get(0).reads())
                .isEqualTo(Reads.ONE_BY_ONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"take_all", "skip_none_of_one_shard"})
    void stepsThatTakeAllElementsLeaveThemToSeveralTasks(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).singleTask())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"files_beside_their_labels", "files_with_their_places", "keras_folder_of_texts", "zip_of_slices"
            })
    void constantsThatAreZippedAreCutAsOne(String name) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/" + name));

        assertThat(analysis.singleTask()).isFalse();
        assertThat(analysis.exactlyOnce()).isTrue();
    }

    /** Also what is made of each of their elements before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pictures_zipped_to_their_labels",
                "pictures_zipped_to_others_and_to_numbers",
                "ranges_mapped_and_zipped",
                "draws_of_constants_that_are_zipped"
            })
    void constantsThatAreMappedAndZippedAreCutAsOne(String name) {
        constantsThatAreZippedAreCutAsOne(name);
    }

    @Test
    void whatAShuffleHasMixedAndNobodyCanCountStaysWithOneTaskWhichCanTellIt() {
        PipelineAnalysis analysis =
                PipelineAnalysis.of(Pipelines.parse("../corpus/shuffled_pairs_of_which_some_are_made"));

        assertThat(analysis.singleTask()).isTrue();
        assertThat(analysis.exactlyOnce()).isTrue();
    }

    @Test
    void twoListsOfFilesThatAreJoinedAreOne() {
        PipelineGraph pipeline = Pipelines.parse("../corpus/two_lists_of_files_joined_and_interleaved");

        assertThat(Sources.of(pipeline).found())
                .singleElement()
                .satisfies(found -> assertThat(found.source().fileNames()).hasSize(4));
        assertThat(PipelineAnalysis.of(pipeline).exactlyOnce()).isTrue();
    }

    @Test
    void whatIsRepeatedForEverIsSoHoweverOften() {
        assertThat(Sources.times(3, 2)).isEqualTo(6);
        assertThat(Sources.times(0, 2)).isZero();
        assertThat(Sources.times(3, 0)).isZero();
        assertThat(Sources.times(-1, 2)).isEqualTo(-1);
        assertThat(Sources.times(3, -1)).isEqualTo(-1);
    }

    private static FoundSource reader(String compression, String names) {
        List<NodeDef> nodes = Stream.of(
                        Protos.constant("names", Protos.bytes(ByteString.copyFromUtf8("/a"))),
                        Protos.constant("known", Protos.bytes(ByteString.copyFromUtf8("GZIP"))),
                        Protos.constant("buffer", Protos.int64(0)),
                        Protos.node("asked", "Placeholder"),
                        Protos.node("root", "TextLineDataset", names, compression, "buffer"))
                .map(NodeDef.Builder::build)
                .toList();
        return Sources.of(new PipelineGraph(nodes, List.of(), "root", VersionDef.getDefaultInstance()))
                .found()
                .get(0);
    }

    @Test
    void aReaderOfNamesThatAreWrittenDownReadsThese() {
        FoundSource lines = reader("known", "names");

        assertThat(lines.how()).isEqualTo(FoundSource.How.READER);
        assertThat(lines.source().fileNames()).containsExactly("/a");
        assertThat(lines.source().kind()).isEqualTo(new SourceKind.TextLines("GZIP"));
        assertThat(reader("known", "asked").why()).isEqualTo("TextLineDataset reads files that only running it names");
        assertThat(reader("asked", "names").why()).isEqualTo("TextLineDataset reads an unknown kind of file");
    }
}
