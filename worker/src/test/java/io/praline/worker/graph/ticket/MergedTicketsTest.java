package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Tickets through steps that have several inputs: pairs, one behind the other, and in turns. */
class MergedTicketsTest {
    private static final ElementComponent NUMBER = new ElementComponent(DataType.DT_INT64, true, List.of());

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    private static FunctionDef function(
            String name, List<String> arguments, DataType type, NodeDef.Builder node, String result) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder().setName(name).addOutputArg(Protos.arg("result", type));
        arguments.forEach(
                argument -> function.getSignatureBuilder().addInputArg(Protos.arg(argument, DataType.DT_INT64)));
        return function.addNodeDef(node).putRet("result", result).build();
    }

    private static NodeDef.Builder dataset(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs)
                .putAttr(
                        op.equals("TensorSliceDataset") ? "Toutput_types" : "output_types",
                        Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .putAttr("Targuments", Protos.types(List.of()));
    }

    /**
     * Of each batch {@code x}, pairs of what two datasets yield, added up: its {@code rows}, once {@code again}, {@code mapped}
     * or read {@code ahead}, or those that are {@code kept} of them.
     */
    private static IntegerGraph pairs(String one, String other) {
        FunctionDef.Builder pairs = FunctionDef.newBuilder();
        pairs.getSignatureBuilder()
                .setName("pairs")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("pairs", DataType.DT_VARIANT));
        pairs.addNodeDef(Protos.constant("one", Protos.int64(1)))
                .addNodeDef(dataset("rows", "TensorSliceDataset", "x"))
                .addNodeDef(dataset("again", "TensorSliceDataset", "x"))
                .addNodeDef(dataset("mapped", "MapDataset", "rows:handle:0").putAttr("f", Protos.function("twice")))
                .addNodeDef(dataset("ahead", "PrefetchDataset", "rows:handle:0", "one:output:0"))
                .addNodeDef(dataset("kept", "FilterDataset", "rows:handle:0")
                        .putAttr("predicate", Protos.function("positive")))
                .addNodeDef(Protos.node("zipped", "ZipDataset", one + ":handle:0", other + ":handle:0")
                        .putAttr("N", Protos.number(2))
                        .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64, DataType.DT_INT64)))
                        .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR, Protos.SCALAR))))
                .addNodeDef(dataset("summed", "MapDataset", "zipped:handle:0").putAttr("f", Protos.function("sum")))
                .putRet("pairs", "summed:handle:0");
        return numbers()
                .shuffle(9, 3)
                .batch(7, false)
                .with(function("twice", List.of("x"), DataType.DT_INT64, Protos.sum("twice", "x", "x"), "twice:z:0"))
                .with(function("sum", List.of("x", "y"), DataType.DT_INT64, Protos.sum("sum", "x", "y"), "sum:z:0"))
                .with(function(
                        "positive",
                        List.of("x"),
                        DataType.DT_BOOL,
                        Protos.node("positive", "Greater", "x", "x").putAttr("T", Protos.type(DataType.DT_INT64)),
                        "positive:z:0"))
                .flatMapped(pairs.build());
    }

    private static NodeDef zip(FunctionDef pairs) {
        return pairs.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("ZipDataset"))
                .findFirst()
                .orElseThrow();
    }

    // both have all rows of the batch, each at the same place, so that the tickets of the last are those of both
    @ParameterizedTest
    @CsvSource({
        "rows, again, TensorSliceDataset",
        "mapped, again, MapDataset(TensorSliceDataset)",
        "ahead, again, PrefetchDataset(TensorSliceDataset)",
    })
    void ofTwoThatHaveAllRowsTheLastBringsTheTickets(String one, String other, String made) {
        PipelineGraph tracked = Tracked.pipeline(pairs(one, other));
        FunctionDef pairs = Tracked.function(tracked, "pairs_tracked");
        Scope body = Scope.ofFunction(pairs);

        assertThat(Tracked.tickets(tracked)).isEmpty();
        assertThat(Tracked.made(pairs)).isEqualTo("MapDataset(ZipDataset(" + made + ", TensorSliceDataset))");
        assertThat(body.node("rows").getInputList()).containsExactly("x");
        assertThat(body.node("again").getInputList()).containsExactly("x", TrackProvenance.TICKET);
        assertThat(DatasetOps.components(zip(pairs))).containsExactly(NUMBER, NUMBER, NUMBER);
        assertThat(Tracked.functions(tracked, "praline_move")).isEmpty();
    }

    @Test
    void pairsOfWhichNobodyKnowsWhichRowsTheyAreHaveNoTickets() {
        for (IntegerGraph pairs : List.of(pairs("kept", "again"), pairs("again", "kept"))) {
            assertThatThrownBy(() -> Tracked.pipeline(pairs))
                    .isInstanceOf(Untrackable.class)
                    .hasMessageEndingWith(" pairs 2 sources");
        }
    }

    // an element, its ticket, a constant: the ticket goes behind the constant
    @Test
    void aTicketThatComesWithTheFirstOfAPairIsMovedBehindTheOther() {
        PipelineGraph tracked = Tracked.pipeline(numbers().shuffle(9, 3).besideConstant(5, true));

        assertThat(Tracked.tickets(tracked)).isEmpty();
        assertThat(Pipelines.toTheSource(tracked))
                .containsExactly("MapDataset", "MapDataset", "ZipDataset", "ShuffleDatasetV3");
        assertThat(DatasetOps.components(Tracked.only(pairing(tracked), "ZipDataset")))
                .containsExactly(NUMBER, NUMBER, NUMBER);
        FunctionDef move = Tracked.function(tracked, "praline_move");
        assertThat(move.getSignature().getOutputArgList())
                .extracting(result -> move.getRetOrThrow(result.getName()))
                .containsExactly("x0", "x2", "x1");
    }

    @Test
    void aTicketThatComesWithTheLastOfAPairStaysWhereItIs() {
        PipelineGraph tracked = Tracked.pipeline(numbers().shuffle(9, 3).besideConstant(5, false));

        assertThat(Tracked.made(tracked.scope(), tracked.root()))
                .startsWith("MapDataset(ZipDataset(RepeatDataset(TensorDataset), ShuffleDatasetV3(");
        assertThat(DatasetOps.components(Tracked.only(pairing(tracked), "ZipDataset")))
                .containsExactly(NUMBER, NUMBER, NUMBER);
        assertThat(Tracked.functions(tracked, "praline_move")).isEmpty();
    }

    /** The pipeline without the functions that open its splits. */
    private static PipelineGraph pairing(PipelineGraph tracked) {
        return new PipelineGraph(tracked.nodes().values(), List.of(), tracked.root(), tracked.versions());
    }

    // a record, its ticket, a constant: the whole pipeline is read behind the constant
    @Test
    void recordsBesideAConstantBringTheTicketsBehindIt() {
        PipelineGraph tracked = Tracked.pipeline("../corpus/zip_with_repeated_constant");

        assertThat(Pipelines.toTheSource(tracked))
                .startsWith("BatchDatasetV2", "MapDataset", "ZipDataset")
                .doesNotContain("RepeatDataset");
        assertThat(Tracked.tickets(tracked)).containsExactly(-1L);
    }

    // those of one size, that is, which can be told from whole ones
    @Test
    void joinedBatchesAreHeldBackFromOthersWhileTheyAreShort() {
        assertThat(Pipelines.toTheSource(Tracked.pipeline(
                        numbers().batch(7, false).concatenate(200, 300, 7).batch(2, false))))
                .containsExactly(
                        "BatchDatasetV2", "MapDataset", "FilterDataset", "ConcatenateDataset", "BatchDatasetV2");
        assertThat(Pipelines.toTheSource(Tracked.pipeline(
                        numbers().batch(7, false).concatenate(200, 300, 5).batch(2, false))))
                .containsExactly("BatchDatasetV2", "ConcatenateDataset", "BatchDatasetV2");
    }

    @Test
    void joinedBatchesOfBatchesHaveTicketsOfAnyShapeThatTheyHave() {
        IntegerGraph batches = numbers().batch(7, false).batch(2, false);

        assertThat(Tracked.tickets(Tracked.pipeline(batches.concatenate(200, 300, 7, 3))))
                .containsExactly(-1L, 7L);
        assertThat(Tracked.tickets(Tracked.pipeline(
                        numbers().batch(7, false).batch(2, false).concatenate(200, 300, 5, 2))))
                .containsExactly(-1L, -1L);
    }

    // what chooses has no tickets
    @ParameterizedTest
    @ValueSource(strings = {"choose_by_turns", "sample_from_datasets"})
    void inTurnsEachBringsItsOwn(String name) {
        PipelineGraph written = Pipelines.parse(name);
        PipelineGraph tracked = Tracked.pipeline(name);
        NodeDef turns = Tracked.only(tracked, "DirectedInterleaveDataset");

        assertThat(Tracked.tickets(tracked)).containsExactly(-1L);
        assertThat(turns.getInput(0))
                .isEqualTo(Tracked.only(written, "DirectedInterleaveDataset").getInput(0));
        assertThat(DatasetOps.components(turns))
                .hasSize(DatasetOps.components(Tracked.only(written, "DirectedInterleaveDataset"))
                                .size()
                        + 1);
    }
}
