package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** How tickets go through a pipeline's steps: the ops from its end to its source, and the shape of the tickets in the end. */
class CarriedTicketsTest {
    private static List<String> toTheSource(IntegerGraph graph) {
        return Pipelines.toTheSource(Tracked.pipeline(graph));
    }

    private static List<Long> tickets(IntegerGraph graph) {
        return Tracked.tickets(Tracked.pipeline(graph));
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void ofSingleElementsEachHasOne() {
        assertThat(tickets(numbers())).isEmpty();
        assertThat(tickets(numbers().affine(2, 1, true).shuffle(9, 3).prefetch(2)))
                .isEmpty();
        assertThat(toTheSource(numbers().affine(2, 1, true).without(3, 0).shuffle(9, 3)))
                .containsExactly("ShuffleDatasetV3", "FilterDataset", "ParallelMapDatasetV2");
    }

    @Test
    void ofABatchAllOfItsElements() {
        assertThat(tickets(numbers().batch(7, false))).containsExactly(-1L);
        assertThat(toTheSource(numbers().batch(7, false).affine(2, 1, false)))
                .containsExactly("MapDataset", "BatchDatasetV2");
    }

    // what drops a short batch is asked to keep it, and a filter behind it tells whom it leaves out
    @Test
    void aShortBatchIsLeftOutByAFilterThatTellsWhomItLeavesOut() {
        assertThat(toTheSource(numbers().batch(7, true))).containsExactly("FilterDataset", "BatchDatasetV2");
        assertThat(toTheSource(numbers().paddedBatch(7, 0, true)))
                .containsExactly("FilterDataset", "PaddedBatchDatasetV2");
        assertThat(toTheSource(numbers().paddedBatch(7, 0, false))).containsExactly("PaddedBatchDatasetV2");
    }

    // ten rows each as the graph says, which a short one has not
    @Test
    void aBatchThatMayComeShortSaysSoAndWhatPassesTheFilterDoesNot() {
        NodeDef written = Tracked.only(Pipelines.parse("batch_for_devices"), "BatchDatasetV2");
        PipelineGraph tracked = Tracked.pipeline("batch_for_devices");
        List<ElementComponent> whole = new ArrayList<>(DatasetOps.components(written));
        whole.add(Carried.ticket(List.of(10L)));

        assertThat(whole).allMatch(component -> component.shape().get(0) == 10);
        assertThat(DatasetOps.components(tracked.nodes().get(written.getName())))
                .isEqualTo(whole);
        assertThat(DatasetOps.components(Tracked.only(tracked, "BatchDatasetV2")))
                .hasSameSizeAs(whole)
                .allMatch(component -> component.shape().get(0) == -1);
    }

    // 7 tickets each, whatever a function made of the 7
    @Test
    void aBatchOfBatchesHasATableOfThem() {
        assertThat(tickets(numbers().batch(7, false).batch(2, false))).containsExactly(-1L, 7L);
        assertThat(toTheSource(numbers().batch(7, false).batch(2, false)))
                .containsExactly("BatchDatasetV2", "MapDataset", "FilterDataset", "BatchDatasetV2");
        assertThat(tickets(numbers().batch(7, false).paddedBatch(2, 0, false))).containsExactly(-1L, 7L);
    }

    // behind a shuffle, before which it would belong to the reading of a split
    @Test
    void whatIsTakenApartHasOneEachAgain() {
        assertThat(tickets(mixed().batch(7, false).unbatch())).isEmpty();
        assertThat(toTheSource(mixed().batch(7, false).unbatch()))
                .containsExactly("UnbatchDataset", "BatchDatasetV2", "ShuffleDatasetV3");
        assertThat(tickets(mixed().batch(7, false).batch(2, false).unbatch())).containsExactly(7L);
        assertThat(tickets(mixed().batch(7, false).rows())).isEmpty();
        assertThat(toTheSource(mixed().batch(7, false).rows()))
                .containsExactly("FlatMapDataset", "BatchDatasetV2", "ShuffleDatasetV3");
    }

    // of a batch that holds 7 tickets, which may be filled up, those that are none are left out before rows are told
    // apart
    @Test
    void whatFilledTicketsUpIsLeftOutBeforeRowsAreToldApart() {
        assertThat(toTheSource(mixed().batch(7, false).batch(2, false).unbatch().rows()))
                .containsExactly(
                        "FlatMapDataset",
                        "MapDataset",
                        "UnbatchDataset",
                        "BatchDatasetV2",
                        "MapDataset",
                        "FilterDataset",
                        "BatchDatasetV2",
                        "ShuffleDatasetV3");
    }

    private static IntegerGraph mixed() {
        return numbers().shuffle(9, 3);
    }

    @Test
    void whatWasBatchedBeforeItIsMixedIsReadAsOneSplit() {
        assertThat(toTheSource(numbers().batch(7, false).unbatch())).isEmpty();
    }

    @Test
    void ofAGroupAllOfItsElements() {
        assertThat(tickets(numbers().groups(3, 4))).containsExactly(-1L);
        assertThat(toTheSource(numbers().groups(3, 4))).containsExactly("GroupByWindowDataset");
    }

    @Test
    void bothOfTwoSourcesHaveThem() {
        assertThat(tickets(numbers().concatenate(200, 300))).isEmpty();
        assertThat(toTheSource(numbers().concatenate(200, 300))).containsExactly("ConcatenateDataset");
    }

    @Test
    void whatCannotBeFollowedIsRefusedByName() {
        assertThatThrownBy(() ->
                        Tracked.pipeline(numbers().shuffle(9, 3).batch(7, false).rowsTwice()))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("a function makes elements of what it is given twice");
    }

    // 7 of the first are padded where they lie, 2 of the second are a dimension of their own
    @Test
    void eachBatchAroundIsOneMoreDimension() {
        assertThat(tickets(numbers().batch(7, false).batch(2, false).batch(3, false)))
                .containsExactly(-1L, -1L, 7L);
    }

    // data, size, the shapes of the value and the ticket, their paddings, whether a short one is dropped
    @Test
    void ticketsArePaddedByWhatIsNone() {
        PipelineGraph pipeline = Tracked.pipeline(numbers().paddedBatch(7, 5, true));
        NodeDef padded = Tracked.only(pipeline, "PaddedBatchDatasetV2");
        Scope scope = pipeline.scope();

        assertThat(padded.getInputCount()).isEqualTo(7);
        assertThat(padded.getAttrOrThrow("N").getI()).isEqualTo(2);
        assertThat(Constants.integer(scope, padded.getInput(1))).contains(7L);
        assertThat(Constants.elements(Constants.value(scope, padded.getInput(3)).orElseThrow()))
                .isZero();
        assertThat(Constants.integer(scope, padded.getInput(4))).contains(5L);
        assertThat(Constants.integer(scope, padded.getInput(5))).contains(-1L);
        assertThat(Constants.bool(scope, padded.getInput(6))).contains(false);
    }

    @Test
    void theBatchItselfDropsNothingMoreAndTheFilterTellsWhomItRejects() {
        PipelineGraph pipeline = Tracked.pipeline(numbers().batch(7, true));
        NodeDef batch = Tracked.only(pipeline, "BatchDatasetV2");

        assertThat(Constants.bool(pipeline.scope(), batch.getInput(2))).contains(false);
        assertThat(whole(pipeline)).contains("QueueEnqueueManyV2", "Invert").doesNotContain("QueueSizeV2");
    }

    // until nothing is left that could complete them
    @Test
    void shortBatchesAreHeldBackFromBatchesOfBatches() {
        assertThat(whole(Tracked.pipeline(numbers().batch(7, false).batch(2, false))))
                .contains("QueueEnqueueManyV2", "Invert", "QueueSizeV2");
    }

    /** The ops of the predicate that asks whether a batch is whole. */
    private static List<String> whole(PipelineGraph pipeline) {
        return pipeline.functions().values().stream()
                .filter(function -> function.getSignature().getName().startsWith("praline_whole"))
                .flatMap(function -> function.getNodeDefList().stream())
                .map(NodeDef::getOp)
                .toList();
    }

    @Test
    void rowsAreSlicedTogetherWithTheirTickets() {
        NodeDef slices = Tracked.only(Tracked.pipeline(mixed().batch(7, false).rows()), "TensorSliceDataset");

        assertThat(slices.getInputList()).containsExactly("x", TrackProvenance.TICKET);
        assertThat(slices.getAttrOrThrow("Toutput_types").getList().getTypeList())
                .containsExactly(DataType.DT_INT64, DataType.DT_INT64);
    }

    // 7 rows and 7 tickets, as the graph says of each batch
    @ParameterizedTest
    @CsvSource({"map_and_batch, 7", "batch, -1", "rebatched, -1", "batch_parallel, 7"})
    void thereAreAsManyTicketsAsRows(String name, long rows) {
        PipelineGraph pipeline = Tracked.pipeline(name);
        List<ElementComponent> components = pipeline.components();

        assertThat(components.get(components.size() - 1).shape()).containsExactly(rows);
        assertThat(components.get(0).shape().get(0)).isEqualTo(rows);
    }

    @Test
    void whatAGroupIsMadeIntoTwiceCannotBeFollowed() {
        assertThatThrownBy(() -> Tracked.pipeline(numbers().groups(3, 4, true)))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("a function makes elements of what it is given twice");
    }

    @Test
    void whatMakesSeveralOfWhatWasMadeBehindAShuffleCannotBeFollowed() {
        assertThatThrownBy(() -> Tracked.pipeline(mixed().copies(3).copies(2)))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("may make several elements of one, behind a step that mixes or groups");
    }

    // a function that adds seven numbers to seven is given no short batch while others may complete it
    @Test
    void shortBatchesAreHeldBackFromAFunctionForWholeOnes() {
        IntegerGraph sums = mixed().batch(7, false).mapped(Tracked.forSeven());

        assertThat(toTheSource(sums))
                .containsExactly("MapDataset", "FilterDataset", "BatchDatasetV2", "ShuffleDatasetV3");
        assertThat(whole(Tracked.pipeline(sums))).contains("QueueSizeV2");
    }

    @Test
    void batchesAndSingleElementsHaveNoTicketsOfOneShape() {
        assertThatThrownBy(() -> Tracked.pipeline(numbers().batch(7, false).concatenate(200, 300)))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("mixes batches with single elements");
    }

    // of two components: data, size, two shapes, the ticket's, two paddings, the ticket's, whether a short one is
    // dropped
    @Test
    void ofSeveralComponentsTicketsArePaddedBehindTheOthers() {
        PipelineGraph pipeline = Tracked.pipeline("padded_batch");
        NodeDef padded = Tracked.only(pipeline, "PaddedBatchDatasetV2");
        Scope scope = pipeline.scope();

        assertThat(padded.getInputCount()).isEqualTo(9);
        assertThat(padded.getAttrOrThrow("N").getI()).isEqualTo(3);
        assertThat(Constants.elements(Constants.value(scope, padded.getInput(4)).orElseThrow()))
                .isZero();
        assertThat(Constants.integer(scope, padded.getInput(7))).contains(-1L);
        assertThat(Constants.bool(scope, padded.getInput(8))).isPresent();
    }

    @Test
    void whatAPaddedBatchWaitsForStaysItsLastInput() {
        PipelineGraph written =
                PipelineGraph.parse(numbers().paddedBatch(7, 5, false).bytes(), Pipelines.ANY_OP);
        String awaited = "^" + written.nodes().get(written.root()).getInput(1);
        List<NodeDef> nodes = written.nodes().values().stream()
                .map(node -> node.getName().equals(written.root())
                        ? node.toBuilder().addInput(awaited).build()
                        : node)
                .toList();
        PipelineGraph pipeline = Tracked.pipeline(
                new PipelineGraph(nodes, written.functions().values(), written.root(), written.versions()));

        assertThat(Tracked.only(pipeline, "PaddedBatchDatasetV2").getInputList())
                .hasSize(8)
                .last()
                .isEqualTo(awaited);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shuffled_batches_reversed_and_taken_apart | works on whole batches",
                "batches_of_changed_size_taken_apart | works on whole batches",
                "padded_batches_turned_and_taken_apart | works on whole batches",
                "shuffled_batches_turned_and_batched_again | works on whole batches",
            })
    void rowsThatNeedNotBeThoseThatWereBatchedHaveNoTickets(String name, String why) {
        assertThatThrownBy(() -> Tracked.pipeline("../corpus/" + name))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining(why);
    }

    @Test
    void rowsThatAFunctionOpensNeedNotBeThoseThatWereBatchedEither() {
        assertThatThrownBy(() -> Tracked.pipeline(
                        mixed().batch(7, false).everySoManyRows(-1).rows()))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("takes batches apart whose rows may be others than were batched");
    }

    // which drops a short one is asked to keep it, as of any batch
    @ParameterizedTest
    @CsvSource({
        "rebatched, RebatchDatasetV2 MapDataset BatchDatasetV2 MapDataset",
        "../corpus/rebatch_legacy, RebatchDataset MapDataset BatchDatasetV2 MapDataset",
        "../corpus/rebatch_drops, FilterDataset RebatchDatasetV2 MapDataset BatchDatasetV2 MapDataset",
    })
    void otherBatchesOfTheSameElementsHaveTheirs(String name, String steps) {
        assertThat(String.join(" ", Pipelines.toTheSource(Tracked.pipeline(name))))
                .isEqualTo(steps);
    }

    /** What a group becomes, by the name of what it yields: the {@code group}, or what the function is given {@code besides}. */
    private static FunctionDef ofAGroup(String yielded) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("of_a_group")
                .addInputArg(Protos.arg("key", DataType.DT_INT64))
                .addInputArg(Protos.arg("group", DataType.DT_VARIANT))
                .addOutputArg(Protos.arg("yielded", DataType.DT_VARIANT));
        if (!yielded.equals("group")) {
            function.getSignatureBuilder().addInputArg(Protos.arg(yielded, DataType.DT_VARIANT));
        }
        return function.putRet("yielded", yielded).build();
    }

    @Test
    void aGroupAsItIsHasATicketForEachOfItsElements() {
        IntegerGraph groups = numbers().grouped(3, 4, ofAGroup("group"));

        assertThat(tickets(groups)).isEmpty();
        assertThat(toTheSource(groups)).containsExactly("GroupByWindowDataset");
    }

    @Test
    void whatIsYieldedInPlaceOfAGroupIsNotFollowedAndOneTaskMakesIt() {
        assertThat(whole(numbers().grouped(3, 4, ofAGroup("besides")))).contains("share a batch or a group");
    }

    private static String whole(IntegerGraph graph) {
        return PipelineAnalysis.of(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP))
                .whole()
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource({
        "groups_twice, ' yields each element several times'",
        "sampled, ' is an operation that elements cannot be followed through'",
        "groups_joined_to_themselves, 'a function makes elements of what it is given twice, at args_1 and at args_1'",
    })
    void whatCannotBeFollowedSaysWhy(String name, String why) {
        assertThatThrownBy(() -> Tracked.pipeline("../corpus/" + name))
                .isInstanceOf(Untrackable.class)
                .hasMessageEndingWith(why);
    }

    /** Makes a dataset of rows of {@code x}. */
    private static FunctionDef opening(String rows, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("opening_of_the_test")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("rows", DataType.DT_VARIANT));
        Stream.of(nodes).forEach(function::addNodeDef);
        return function.addNodeDef(Protos.node("slices", "TensorSliceDataset", rows)
                        .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                        .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))))
                .putRet("rows", "slices:handle:0")
                .build();
    }

    // behind the values and their tickets
    @Test
    void whatOpensRowsWaitsForWhatItWaitedFor() {
        FunctionDef opening = opening("sum:z:0", Protos.sum("sum", "x", "x"));
        FunctionDef.Builder waiting = opening.toBuilder().addNodeDef(Protos.constant("awaited", Protos.int64(1)));
        waiting.getNodeDefBuilderList().stream()
                .filter(node -> node.getName().equals("slices"))
                .forEach(node -> node.addInput("^awaited"));
        PipelineGraph pipeline = Tracked.pipeline(mixed().batch(7, false).flatMapped(waiting.build()));

        assertThat(Tracked.only(pipeline, "TensorSliceDataset").getInputList())
                .containsExactly("sum:z:0", TrackProvenance.TICKET, "^awaited");
    }

    @Test
    void whatAFunctionOpensIsFollowedWhereItIsTheRowsThatItWasGiven() {
        assertThat(tickets(mixed().batch(7, false).flatMapped(opening("sum:z:0", Protos.sum("sum", "x", "x")))))
                .isEmpty();
        NodeDef.Builder axis = Protos.constant("axis", Protos.int32s(0));
        NodeDef.Builder turned = Protos.node("turned", "ReverseV2", "x", "axis:output:0");
        assertThatThrownBy(() ->
                        Tracked.pipeline(mixed().batch(7, false).flatMapped(opening("turned:output:0", axis, turned))))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("may yield something else than the rows of a batch");
        NodeDef.Builder others = Protos.constant("others", Protos.int64s(List.of(1L, 2L)));
        assertThat(whole(mixed().batch(7, false).flatMapped(opening("others:output:0", others))))
                .contains("once for each batch");
    }
}
