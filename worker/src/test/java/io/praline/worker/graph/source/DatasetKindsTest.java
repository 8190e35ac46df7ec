package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;

/** Of several datasets that meet: which is data, and what stands beside it. */
class DatasetKindsTest {
    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static final List<NodeDef.Builder> KNOWN = List.of(
            Protos.constant("none", Protos.int64(0)),
            Protos.constant("three", Protos.int64(3)),
            Protos.constant("ever", Protos.int64(-1)),
            Protos.constant("last", Protos.int64(Long.MAX_VALUE)),
            Protos.constant(
                    "names",
                    TensorProto.newBuilder()
                            .setDtype(DataType.DT_STRING)
                            .setTensorShape(Protos.shape(1))
                            .addStringVal(ByteString.copyFromUtf8("/a"))
                            .build()),
            node("numbers", "RangeDataset", "none", "three", "three"),
            node("endless", "RangeDataset", "none", "last", "three"),
            node("counter", "RangeDataset", "none", "three", "three").putAttr("replicate_on_split", Protos.bool(true)),
            node("slices", "TensorSliceDataset", "names"),
            node("files", "TensorSliceDataset", "names").putAttr("is_files", Protos.bool(true)),
            node("records", "TFRecordDataset", "names"),
            node("one", "TensorDataset", "three"),
            node("chance", "RandomDatasetV2", "none", "none"),
            node("seeded", "RandomDatasetV2", "three", "none"));

    private static final List<FunctionDef> FUNCTIONS = List.of(
            function("counts", node("counted", "AssignAddVariableOp", "variable", "one")),
            function("makes", node("sum", "AddV2", "one", "one")),
            function("calls", node("call", "StatefulPartitionedCall").putAttr("f", Protos.function("counts"))),
            opening("repeats", "again", ""),
            opening("takes", "some", ""),
            opening("chooses", "either", "repeats"),
            opening("sums_up", "sums", ""),
            opening("hands_on", "x", ""),
            opening("opens", "opened", "repeats"));

    /** Gives one of the datasets that it makes of its argument. */
    private static FunctionDef opening(String name, String result, String called) {
        FunctionDef.Builder function = FunctionDef.newBuilder()
                .addNodeDef(Protos.constant("ever", Protos.int64(-1)))
                .addNodeDef(node("one", "TensorDataset", "x"))
                .addNodeDef(node("again", "RepeatDataset", "one:handle:0", "ever:output:0"))
                .addNodeDef(node("some", "TakeDataset", "again:handle:0", "ever:output:0"))
                .addNodeDef(node("opened", "FlatMapDataset", "one:handle:0").putAttr("f", Protos.function(called)))
                .addNodeDef(node("sums", "ScanDataset", "again:handle:0", "x"))
                .addNodeDef(node("either", "If", "x", "x").putAttr("then_branch", Protos.function(called)))
                .putRet("result", result.equals("x") ? result : result + ":handle:0");
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("result", DataType.DT_VARIANT));
        return function.build();
    }

    private static FunctionDef function(String name, NodeDef.Builder node) {
        FunctionDef.Builder function = FunctionDef.newBuilder().addNodeDef(node);
        function.getSignatureBuilder().setName(name);
        return function.build();
    }

    /** Of the node {@code made}, beside those that are known. */
    private static DatasetKinds kinds(NodeDef.Builder... nodes) {
        List<NodeDef> all =
                new ArrayList<>(KNOWN.stream().map(NodeDef.Builder::build).toList());
        Stream.of(nodes).forEach(node -> all.add(node.build()));
        // whatever is there is needed
        all.add(Protos.node(
                        "root", "ZipDataset", all.stream().map(NodeDef::getName).toArray(String[]::new))
                .build());
        PipelineGraph pipeline = new PipelineGraph(all, FUNCTIONS, "root", VersionDef.getDefaultInstance());
        return new DatasetKinds(pipeline, pipeline.scope());
    }

    private static NodeDef.Builder made(String op, String... inputs) {
        return node("made", op, inputs);
    }

    @Test
    void oneElementIsOneWhateverIsMadeOfItAndAConstantWhereItIsOnlyRepeated() {
        assertThat(kinds().isConstant("one")).isTrue();
        assertThat(kinds().isConstant("numbers")).isFalse();
        assertThat(kinds(made("RepeatDataset", "one", "ever")).isConstant("made"))
                .isTrue();
        assertThat(kinds(made("RepeatDataset", "numbers", "ever")).isConstant("made"))
                .isFalse();
        assertThat(kinds(made("MapDataset", "one")).isConstant("made")).isFalse();

        for (String op : List.of("MapDataset", "PrefetchDataset", "CacheDataset", "RepeatDataset", "Identity")) {
            assertThat(kinds(made(op, "one", "none")).isOne("made")).as(op).isTrue();
            assertThat(kinds(made(op, "numbers", "none")).isOne("made")).as(op).isFalse();
        }
        assertThat(kinds(made("BatchDatasetV2", "one", "three")).isOne("made")).isFalse();
    }

    @Test
    void chanceIsWhatTheUserDidNotSeed() {
        assertThat(kinds().isChance("chance")).isTrue();
        assertThat(kinds().isChance("seeded")).isFalse();
        assertThat(kinds().isChance("numbers")).isFalse();
        assertThat(kinds(made("MapDataset", "chance")).isChance("made")).isTrue();
        assertThat(kinds(made("MapDataset", "seeded")).isChance("made")).isFalse();
        assertThat(kinds(made("ZipDataset", "chance", "chance")).isChance("made"))
                .isTrue();
        assertThat(kinds(made("ZipDataset", "chance", "numbers")).isChance("made"))
                .isFalse();
        assertThat(kinds(made("TakeDataset", "chance", "three")).isChance("made"))
                .isFalse();
    }

    @Test
    void whatCountsItOrMakesSeveralOfEachIsNoChance() {
        assertThat(kinds(map("makes")).isChance("made")).isTrue();
        assertThat(kinds(map("counts")).isChance("made")).isFalse();
        assertThat(kinds(map("calls")).isChance("made")).isFalse();
        assertThat(kinds(map("counts").setName("counted"), made("BatchDatasetV2", "counted", "three"))
                        .isChance("made"))
                .isFalse();
        assertThat(kinds(made("BatchDatasetV2", "chance", "three")).isChance("made"))
                .isTrue();
        assertThat(kinds(made("FlatMapDataset", "chance").putAttr("f", Protos.function("makes")))
                        .isChance("made"))
                .isFalse();
        assertThat(kinds(made("UnbatchDataset", "chance")).isChance("made")).isFalse();
    }

    private static NodeDef.Builder map(String function) {
        return made("MapDataset", "chance").putAttr("f", Protos.function(function));
    }

    @Test
    void withoutAnEndIsWhatCountsForEverIsRepeatedForEverOrDrawn() {
        assertThat(kinds().endless("endless")).isTrue();
        assertThat(kinds().endless("numbers")).isFalse();
        assertThat(kinds().endless("counter")).isFalse();
        assertThat(kinds().endless("chance")).isTrue();
        assertThat(kinds().endless("one")).isFalse();
        assertThat(kinds(made("RepeatDataset", "numbers", "ever")).endless("made"))
                .isTrue();
        assertThat(kinds(made("RepeatDataset", "numbers", "three")).endless("made"))
                .isFalse();
        assertThat(kinds(made("RepeatDataset", "endless", "none")).endless("made"))
                .isFalse();
        assertThat(kinds(made("MapDataset", "endless")).endless("made")).isTrue();
        assertThat(kinds(made("ZipDataset", "endless", "chance")).endless("made"))
                .isTrue();
        assertThat(kinds(made("ZipDataset", "endless", "numbers")).endless("made"))
                .isFalse();
        assertThat(kinds(made("TakeDataset", "endless", "three")).endless("made"))
                .isFalse();
        assertThat(kinds(made("ConcatenateDataset", "numbers", "endless")).endless("made"))
                .isTrue();
        assertThat(kinds(made("ConcatenateDataset", "numbers", "numbers")).endless("made"))
                .isFalse();
        assertThat(kinds(made("MapDataset", "endless", "numbers")).endless("made"))
                .isTrue();
    }

    @Test
    void whatIsOpenedHasNoEndWhereAFunctionRepeatsItForEver() {
        assertThat(opensEndless("repeats")).isTrue();
        assertThat(opensEndless("opens")).isTrue();
        assertThat(opensEndless("chooses")).isTrue();
        assertThat(opensEndless("sums_up")).isTrue();
        assertThat(opensEndless("takes")).isFalse();
        assertThat(opensEndless("hands_on")).isFalse();
        assertThat(kinds(made("FlatMapDataset", "numbers").putAttr("f", Protos.function("repeats")))
                        .endless("made"))
                .isTrue();
        assertThat(kinds(made("FlatMapDataset", "endless").putAttr("f", Protos.function("takes")))
                        .endless("made"))
                .isTrue();
        assertThat(kinds(made("FlatMapDataset", "numbers").putAttr("f", Protos.function("takes")))
                        .endless("made"))
                .isFalse();
    }

    @Test
    void whatHandsDatasetsOnOpensThemAsAMapMadeThem() {
        for (String op : List.of("ShuffleDatasetV3", "PrefetchDataset", "FilterDataset")) {
            for (String maps : List.of("repeats", "takes")) {
                NodeDef.Builder step = made("InterleaveDataset", "mixed").putAttr("f", Protos.function("hands_on"));
                assertThat(kinds(
                                        node("opened", "MapDataset", "numbers").putAttr("f", Protos.function(maps)),
                                        node("mixed", op, "opened", "three"),
                                        step)
                                .opensEndless(step.build()))
                        .as(op)
                        .isEqualTo(maps.equals("repeats"));
            }
        }
    }

    private static boolean opensEndless(String function) {
        NodeDef.Builder step = made("InterleaveDataset", "numbers").putAttr("f", Protos.function(function));
        return kinds(step).opensEndless(step.build());
    }

    @Test
    void filesAreDataBeforeConstantsAndConstantsBeforeNumbers() {
        assertThat(List.of("records", "files", "slices", "numbers", "endless", "counter", "chance", "one"))
                .extracting(kinds()::weight)
                .containsExactly(3, 3, 2, 1, 0, 0, 0, 0);
        assertThat(kinds(made("MapDataset", "slices")).weight("made")).isEqualTo(2);
        assertThat(kinds(made("ZipDataset", "numbers", "slices")).weight("made"))
                .isEqualTo(2);
        assertThat(kinds(made("ZipDataset", "counter", "records")).weight("made"))
                .isEqualTo(3);
    }

    @Test
    void aChoiceTakesAllWhereItGoesOnUntilAllAreAtTheirEnds() {
        NodeDef.Builder choice = made("DirectedInterleaveDataset", "endless", "numbers", "slices");
        assertThat(takesAll(choice)).isTrue();
        assertThat(takesAll(choice.clone().putAttr("stop_on_empty_dataset", Protos.bool(false))))
                .isTrue();
        assertThat(takesAll(choice.clone().putAttr("stop_on_empty_dataset", Protos.bool(true))))
                .isFalse();
        assertThat(takesAll(choice.clone().setInput(0, "numbers"))).isFalse();
    }

    private static boolean takesAll(NodeDef.Builder choice) {
        return kinds(choice).takesAll(choice.build());
    }

    @Test
    void amongTheInputsOfAStepOnlyDatasetsAreRead() {
        NodeDef.Builder step = made("FlatMapDataset", "numbers", "three", "same", "^slices");
        assertThat(kinds(step, node("same", "Identity", "slices")).datasetInputs(step.build()))
                .containsExactly("numbers", "same");
    }
}
