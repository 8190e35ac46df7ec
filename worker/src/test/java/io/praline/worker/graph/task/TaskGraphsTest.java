package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.praline.topics.Agreements;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GraphFaults;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.source.opening.ReadStaged.Renaming;
import io.praline.worker.graph.ticket.Counting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/** What a task's graph says of itself is so, and it holds together, whatever the task must be fit for. */
class TaskGraphsTest {
    static final List<String> PIPELINES = List.of(
            "map",
            "parallel_map",
            "interleave_parallel",
            "interleave_nested",
            "interleave_numbered",
            "parallel_reads",
            "flat_map",
            "flat_map_elements",
            "flat_map_shuffled",
            "unbatch",
            "unbatch_rows",
            "masked_unbatched",
            "words_filtered",
            "filter_shuffled",
            "batch_of_batches",
            "padded_batch",
            "padded_batch_of_batches",
            "dropped_batches_of_batches",
            "rebatched",
            "rebatch_shuffled",
            "group_by_window",
            "batches_summed_to_vectors",
            "groups_summed_to_vectors",
            "first_of_groups",
            "groups_of_vectors",
            "zip_two_sources",
            "zip_counter",
            "zip_counter_first",
            "concatenate",
            "choose_by_turns",
            "sample_from_datasets",
            "enumerate",
            "repeat_endless",
            "repeat_inside",
            "cache",
            "take",
            "scan",
            "window",
            "text_lines",
            "text_header",
            "fixed_length",
            "gzip_tfrecord",
            "file_names",
            "integers",
            "strings",
            "tensor_slices",
            "tensor_slices_opened",
            "matching_files",
            "flowers",
            "fractions_computed",
            "fractions_read",
            "draws_of_children",
            "draws_of_all_kinds",
            "draws_behind_a_batch",
            "draws_in_files",
            "map_and_batch_shuffled",
            "batch_parallel",
            "options");

    /** What has a place behind which elements may be kept. */
    static final List<String> KEPT = List.of(
            "map",
            "filter",
            "filter_shuffled",
            "interleave_parallel",
            "flowers",
            "text_lines",
            "fixed_length",
            "file_names",
            "integers",
            "strings",
            "tensor_slices",
            "draws_around_a_cache",
            "map_and_batch",
            "kept/pictures_and_masks",
            "kept/names_and_labels",
            "kept/of_all_types",
            "kept/drawn_and_cached");

    private static final Renaming ADDRESSES = new Renaming("^s3://(.*)$", "/disk/\\1", "^s3://(.*)\\n", "/disk/\\1@");

    /** What a task may be asked for. */
    private enum Fit {
        FOR_NOTHING,
        FOR_TICKETS,
        FOR_COUNTING,
        FOR_BAD_RECORDS,
        FOR_MEASUREMENTS,
        FOR_STAGED_FILES;

        TaskSettings asked(TaskSettings least) {
            return switch (this) {
                case FOR_NOTHING -> least;
                case FOR_TICKETS -> least.withTracked(true);
                case FOR_COUNTING -> least.withTracked(true).withCounted(true).withSideBySide(false);
                case FOR_BAD_RECORDS ->
                    least.withTracked(true).withSkipBad(true).withPack(true);
                case FOR_MEASUREMENTS -> least.withProfile(true).withPack(true).withRamBytes(1 << 20);
                case FOR_STAGED_FILES -> least.withTracked(true).withRenaming(Optional.of(ADDRESSES));
            };
        }
    }

    private static TaskGraph task(PipelineGraph pipeline, UnaryOperator<TaskSettings> asked) {
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        TaskSettings settings = asked.apply(TaskSettings.of(2).withSeed(7));
        return TaskGraphs.build(pipeline, analysis, settings.withTracked(settings.tracked() && analysis.exactlyOnce()));
    }

    private static TaskGraph task(String name, UnaryOperator<TaskSettings> asked) {
        return task(Pipelines.parse(name), asked);
    }

    private static List<NodeDef> nodes(TaskGraph task) {
        return Stream.concat(
                        task.graph().getNodeList().stream(),
                        task.graph().getLibrary().getFunctionList().stream()
                                .flatMap(function -> function.getNodeDefList().stream()))
                .toList();
    }

    private static Set<String> names(TaskGraph task) {
        return task.graph().getNodeList().stream().map(NodeDef::getName).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @FieldSource("PIPELINES")
    void aGraphHoldsTogetherWhateverItIsFitFor(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);
        for (Fit fit : Fit.values()) {
            assertThat(GraphFaults.of(task(pipeline, fit::asked).graph()))
                    .as(fit.toString())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @FieldSource("PIPELINES")
    void elementsConsistOfWhatTheUsersDoAndTheTicketComesLast(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);
        List<ElementComponent> plain = task(pipeline, Fit.FOR_NOTHING::asked).components();
        TaskGraph tracked = task(pipeline, Fit.FOR_TICKETS::asked);

        List<DataType> types = new ArrayList<>(
                pipeline.components().stream().map(ElementComponent::dtype).toList());
        assertThat(plain).extracting(ElementComponent::dtype).isEqualTo(types);
        if (PipelineAnalysis.of(pipeline).exactlyOnce()) {
            types.add(DataType.DT_INT64);
            assertThat(tracked.ticket()).isEqualTo(OptionalInt.of(plain.size()));
        } else {
            assertThat(tracked.ticket()).isEmpty();
        }
        assertThat(tracked.components()).extracting(ElementComponent::dtype).isEqualTo(types);
        assertThat(names(tracked).contains(TaskNodes.TOLD.take()))
                .isEqualTo(tracked.ticket().isPresent());
    }

    @ParameterizedTest
    @FieldSource("KEPT")
    void itHoldsTogetherWhereEntriesStandInForSplits(String name) {
        PipelineGraph graph = Pipelines.parse(name);
        List<CachePoint> points =
                CachePoints.of(graph, PipelineAnalysis.of(graph), 7).points();
        assertThat(points).isNotEmpty();
        for (CachePoint point : points) {
            for (boolean keeps : List.of(true, false)) {
                TaskGraph task = task(graph, settings -> settings.withTracked(true)
                        .withCounted(true)
                        .withSkipBad(true)
                        .withCache(Optional.of(new TaskSettings.CacheAt(point.node(), keeps))));
                assertThat(GraphFaults.of(task.graph())).as(point.toString()).isEmpty();
                assertThat(task.roads().orElseThrow().keeps()).isEqualTo(keeps);
                assertThat(names(task).containsAll(Set.of(TaskNodes.KEPT.take(), TaskNodes.CLOSE_KEPT)))
                        .isEqualTo(keeps);
                assertThat(names(task)).contains(TaskNodes.enqueue(1));
                assertThat(task.counting()).isEmpty();
            }
        }
    }

    @Test
    void whatIsCountedCarriesNoTicketsAndTellsNothing() {
        TaskGraph counted = task("map_and_batch", Fit.FOR_COUNTING::asked);

        assertThat(counted.counting()).contains(new Counting(7, true));
        assertThat(counted.ticket()).isEmpty();
        assertThat(names(counted)).doesNotContain(TaskNodes.TOLD.take(), TaskNodes.ALLOW_TAIL);
        assertThat(counted.components())
                .isEqualTo(Pipelines.parse("map_and_batch").components());
    }

    // what is left out without a ticket nobody could count
    @Test
    void whereBadRecordsAreLeftOutEachElementCarriesItsTicket() {
        TaskGraph task = task(
                "map_and_batch", settings -> Fit.FOR_COUNTING.asked(settings).withSkipBad(true));

        assertThat(task.counting()).isEmpty();
        assertThat(task.ticket()).isPresent();
        assertThat(nodes(task)).extracting(NodeDef::getOp).contains("IgnoreErrorsDataset");
    }

    @Test
    void withoutTicketsNoneIsLeftOut() {
        TaskGraph task = task("map_and_batch", settings -> settings.withSkipBad(true));

        assertThat(nodes(task)).extracting(NodeDef::getOp).doesNotContain("IgnoreErrorsDataset");
    }

    @Test
    void whatCannotBeTrackedIsNot() {
        PipelineGraph pipeline = Pipelines.parse("filtered_children");
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);

        assertThatThrownBy(() ->
                        TaskGraphs.build(pipeline, analysis, TaskSettings.of(1).withTracked(true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tracked must be false where elements cannot be tracked: " + analysis.reasons());
    }

    @ParameterizedTest
    @CsvSource({
        "map, 1, 1",
        "zip_two_sources, 1, 1",
        "concatenate, 2, 1",
        "parallel_reads, 1, 2",
        "interleave_parallel, 1, 4",
    })
    void hasAQueueForEachSourceAndReadsAsManyFilesAtATimeAsTheProgram(String name, int sources, int readers) {
        TaskGraph task = task(name, Fit.FOR_TICKETS::asked);

        assertThat(task.sources()).isEqualTo(sources);
        assertThat(task.readers()).isEqualTo(readers);
        assertThat(IntStream.range(0, 5)
                        .filter(source -> names(task).contains(TaskNodes.enqueue(source)))
                        .count())
                .isEqualTo(sources);
        assertThat(task(name, settings -> settings.withSideBySide(false)).readers())
                .isEqualTo(1);
    }

    // 100 numbers one by one, strings, and batches
    @Test
    void singleElementsOfOneSizeArePackedIfAsked() {
        PipelineGraph numbers =
                PipelineGraph.parse(IntegerGraph.range(0, 100, 1).bytes(), Pipelines.ANY_OP);
        assertThat(task(numbers, settings -> settings.withPack(true)).packed()).isTrue();
        assertThat(task(numbers, settings -> settings).packed()).isFalse();
        assertThat(task("text_lines", settings -> settings.withPack(true)).packed())
                .isFalse();
        assertThat(task("batch", settings -> settings.withPack(true)).packed()).isFalse();
    }

    @Test
    void filesAreOpenedByTheNamesThatTheyHaveOnDisk() {
        for (String name : List.of("map", "text_lines", "fixed_length", "flowers", "interleave_parallel")) {
            TaskGraph task = task(name, Fit.FOR_STAGED_FILES::asked);
            List<NodeDef> all = nodes(task);
            List<String> renamed = all.stream()
                    .filter(node -> node.getOp().equals("StaticRegexReplace"))
                    .map(NodeDef::getName)
                    .toList();
            assertThat(all)
                    .filteredOn(node -> Set.of(
                                    "ReadFile",
                                    "TFRecordDataset",
                                    "TFRecordDatasetV2",
                                    "TextLineDataset",
                                    "FixedLengthRecordDatasetV2")
                            .contains(node.getOp()))
                    .as(name)
                    .isNotEmpty()
                    .allMatch(node -> renamed.contains(node.getInput(0).replaceFirst(":.*", "")));
        }
    }

    // what a program names within its folder is found there, and known by the name that it has in the program
    @ParameterizedTest
    @CsvSource({"lines_of_files_in_a_list", "contents_of_files_in_a_list"})
    void saysByWhichNamesTheGraphKnowsFiles(String name) throws InvalidProtocolBufferException {
        GraphDef graph = GraphDef.parseFrom(Pipelines.bytes("../relative/" + name));
        NodeDef said = Protos.node(Agreements.DIRECTORY_NODE, "NoOp")
                .putAttr(Agreements.DIRECTORY, Protos.string("/home/one"))
                .putAttr(Agreements.LISTS_REPLACED, Protos.bool(false))
                .build();
        PipelineGraph pipeline =
                PipelineGraph.parse(graph.toBuilder().addNode(said).build().toByteArray(), Pipelines.ANY_OP);

        TaskGraph task = task(pipeline, settings -> settings);

        assertThat(GraphFaults.of(task.graph())).isEmpty();
        assertThat(task.written()).singleElement().satisfies(names -> assertThat(names)
                .isNotEmpty()
                .allSatisfy((path, written) -> assertThat(path).isEqualTo("/home/one/" + written)));
        assertThat(nodes(task))
                .filteredOn(node -> node.getOp().equals("StaticRegexReplace"))
                .extracting(node -> node.getAttrOrThrow("rewrite").getS().toStringUtf8())
                .contains("/home/one/\\1");
    }

    @Test
    void filesOfAbsoluteNamesAreKnownByTheirPaths() {
        assertThat(task("map", Fit.FOR_NOTHING::asked).written()).containsExactly(Map.of());
    }
}
