package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.Options;

/** Of which steps it can be counted, before a shuffle, what elements become behind it. */
class ChildrenTest {
    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    /** A function of {@code x} that yields the dataset {@code made}. */
    private static FunctionDef function(String name, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        Stream.of(nodes).forEach(function::addNodeDef);
        return function.putRet("dataset", "made:handle:0").build();
    }

    private static NodeDef.Builder flatMap() {
        return node("each", "FlatMapDataset", "elements").putAttr("f", Protos.function("f"));
    }

    private static boolean areKnown(NodeDef.Builder... nodes) {
        return Children.areKnown(flatMap().build(), Map.of("f", function("f", nodes)));
    }

    @ParameterizedTest
    @CsvSource({
        "RangeDataset, true",
        "TensorSliceDataset, true",
        "TensorDataset, true",
        "TFRecordDataset, false",
        "FilterDataset, false",
        "FlatMapDataset, false",
        "UnbatchDataset, false",
        "WindowDataset, false",
    })
    void howManyTheyAreIsKnownWhereTheyAreWrittenDown(String op, boolean known) {
        assertThat(areKnown(node("made", op, "x"))).isEqualTo(known);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TakeDataset",
                "SkipDataset",
                "RepeatDataset",
                "BatchDatasetV2",
                "PaddedBatchDatasetV2",
                "PrefetchDataset",
                "Identity"
            })
    void stepsThatCountKeepItKnown(String op) {
        assertThat(areKnown(node("rows", "TensorSliceDataset", "x"), node("made", op, "rows:handle:0")))
                .isTrue();
        assertThat(areKnown(node("rows", "FilterDataset", "x"), node("made", op, "rows:handle:0")))
                .isFalse();
    }

    // a function that ends early makes fewer, which the node says of it
    @Test
    void aMapKeepsItKnownWhereItSaysThatItMakesAsMany() {
        NodeDef.Builder rows = node("rows", "TensorSliceDataset", "x");
        NodeDef.Builder map = node("made", "MapDataset", "rows:handle:0");

        assertThat(areKnown(rows, map.clone().putAttr("preserve_cardinality", Protos.bool(true))))
                .isTrue();
        assertThat(areKnown(rows, map.clone().putAttr("preserve_cardinality", Protos.bool(false))))
                .isFalse();
        assertThat(areKnown(rows, map)).isFalse();
        assertThat(areKnown(
                        node("rows", "FilterDataset", "x"),
                        map.clone().putAttr("preserve_cardinality", Protos.bool(true))))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZipDataset", "ConcatenateDataset"})
    void ofSeveralEachMustBeKnown(String op) {
        NodeDef.Builder one = node("one", "RangeDataset", "x");
        NodeDef.Builder other = node("other", "FilterDataset", "x");

        assertThat(areKnown(one, node("made", op, "one:handle:0", "one:handle:0", "^other"), other))
                .isTrue();
        assertThat(areKnown(one, other, node("made", op, "one:handle:0", "other:handle:0")))
                .isFalse();
    }

    @Test
    void rowsOfATensorAreAsManyAsItHas() {
        assertThat(Children.areKnown(node("rows", "UnbatchDataset", "elements").build(), Map.of()))
                .isTrue();
        assertThat(Children.areKnown(flatMap().build(), Map.of())).isFalse();
        assertThat(areKnown(node("other", "RangeDataset", "x"))).isFalse();
    }

    private static boolean comeAgain(NodeDef.Builder... nodes) {
        return Children.comeAgain(List.of(flatMap().build()), Map.of("f", function("f", nodes)));
    }

    private static final NodeDef.Builder YES = Protos.constant("yes", Protos.flag(true));
    private static final NodeDef.Builder NO = Protos.constant("no", Protos.flag(false));
    private static final NodeDef.Builder TWO = Protos.constant("two", Protos.int64(2));
    private static final NodeDef.Builder ANY = Protos.constant("any", Protos.int64(-1));

    @ParameterizedTest
    @CsvSource({
        "RangeDataset, true",
        "MapDataset, true",
        "Mul, true",
        "RandomUniform, false",
        "LogUniformCandidateSampler, false",
        "ShuffleDatasetV3, false",
        "RandomDatasetV2, false",
        "IgnoreErrorsDataset, false",
        "CacheDatasetV2, false",
        "TFRecordDataset, false",
        "TextLineDataset, false",
        "SamplingDataset, false",
        "RngReadAndSkip, false",
        "AssignVariableOp, false",
        "FutureDataset, false",
    })
    void whatDrawsReadsOrRemembersDoesNotComeAgain(String op, boolean again) {
        assertThat(comeAgain(node("made", op, "x"))).isEqualTo(again);
    }

    @Test
    void anOrderThatNeedNotBeKeptDoesNotComeAgain() {
        NodeDef.Builder map = node("made", "ParallelMapDatasetV2", "x", "two:output:0");
        assertThat(comeAgain(TWO, map.clone().putAttr("deterministic", Protos.string("default"))))
                .isTrue();
        assertThat(comeAgain(TWO, map.clone().putAttr("deterministic", Protos.string("true"))))
                .isTrue();
        assertThat(comeAgain(TWO, map.clone().putAttr("deterministic", Protos.string("false"))))
                .isFalse();
        assertThat(comeAgain(TWO, map.clone().putAttr("sloppy", Protos.bool(false))))
                .isTrue();
        assertThat(comeAgain(TWO, map.clone().putAttr("sloppy", Protos.bool(true))))
                .isFalse();
    }

    @Test
    void norDoOptionsThatSayItNeedNot() {
        assertThat(comeAgain(
                        options(Options.newBuilder().setDeterministic(false).build())))
                .isFalse();
        assertThat(comeAgain(options(Options.newBuilder().setDeterministic(true).build())))
                .isTrue();
        assertThat(comeAgain(options(Options.getDefaultInstance()))).isTrue();
    }

    private static NodeDef.Builder options(Options options) {
        return node("made", "OptionsDataset", "x")
                .putAttr(
                        "serialized_options",
                        AttrValue.newBuilder().setS(options.toByteString()).build());
    }

    // the older op has it among its inputs: elements, of each, how many at a time, in turn, whether any order will do
    @Test
    void norDoesAnInterleaveThatPassesOverWhatIsLateOrHasAsManyOpenAsTheHostLikes() {
        assertThat(comeAgain(YES, NO, TWO, ANY, sloppy("two", "no"))).isTrue();
        assertThat(comeAgain(YES, NO, TWO, ANY, sloppy("two", "yes"))).isFalse();
        assertThat(comeAgain(YES, NO, TWO, ANY, sloppy("any", "no"))).isFalse();
        assertThat(comeAgain(TWO, node("made", "InterleaveDataset", "x", "two:output:0", "two:output:0")))
                .isTrue();
        assertThat(comeAgain(ANY, TWO, node("made", "InterleaveDataset", "x", "any:output:0", "two:output:0")))
                .isFalse();
        assertThat(comeAgain(TWO, node("made", "InterleaveDataset", "x", "x", "two:output:0")))
                .isFalse();
    }

    private static NodeDef.Builder sloppy(String cycle, String sloppy) {
        return node(
                "made",
                "ParallelInterleaveDataset",
                "x",
                cycle + ":output:0",
                "two:output:0",
                sloppy + ":output:0",
                "two:output:0",
                "two:output:0");
    }

    @Test
    void aDatasetThatIsCapturedWouldBeReadTwice() {
        FunctionDef range = function("f", node("made", "RangeDataset", "x"));
        NodeDef.Builder each = flatMap().putAttr("Targuments", Protos.types(List.of(DataType.DT_VARIANT)));

        assertThat(Children.comeAgain(List.of(each.build()), Map.of("f", range)))
                .isFalse();
        assertThat(Children.comeAgain(
                        List.of(each.putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64)))
                                .build()),
                        Map.of("f", range)))
                .isTrue();
    }

    private static final Scope GRAPH = Scope.ofFunction(FunctionDef.newBuilder()
            .addNodeDef(Protos.constant("two", Protos.int64(2)))
            .addNodeDef(Protos.node("computed", "Neg", "two:output:0"))
            .build());

    @ParameterizedTest
    @CsvSource({
        "MapDataset, true",
        "ShuffleDatasetV3, true",
        "PrefetchDataset, true",
        "IgnoreErrorsDataset, false",
        "BatchDatasetV2, false",
        "TakeDataset, false",
    })
    void betweenTheShuffleAndTheStepStandsWhatLooksAtOneElement(String op, boolean passes) {
        assertThat(Children.passes(node("step", op, "elements").build(), GRAPH)).isEqualTo(passes);
    }

    @Test
    void whatAStepTakesBesideItsElementsIsAConstantOrCaptured() {
        NodeDef.Builder filter =
                node("step", "FilterDataset", "elements", "two:output:0").putAttr("predicate", Protos.function("f"));
        assertThat(Children.passes(filter.build(), GRAPH)).isTrue();
        assertThat(Children.passes(filter.clone().removeAttr("predicate").build(), GRAPH))
                .isFalse();
        NodeDef.Builder computed = filter.clone().setInput(1, "computed:y:0");
        assertThat(Children.passes(computed.build(), GRAPH)).isFalse();
        assertThat(Children.passes(
                        computed.clone()
                                .putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64)))
                                .build(),
                        GRAPH))
                .isTrue();
        assertThat(Children.makesSeveral(flatMap().addInput("two:output:0").build(), GRAPH))
                .isTrue();
        assertThat(Children.makesSeveral(flatMap().addInput("computed:y:0").build(), GRAPH))
                .isFalse();
        assertThat(Children.makesSeveral(flatMap().addInput("^two").build(), GRAPH))
                .isFalse();
        assertThat(Children.makesSeveral(
                        node("rows", "UnbatchDataset", "elements").build(), GRAPH))
                .isTrue();
        assertThat(Children.makesSeveral(node("rows", "MapDataset", "elements").build(), GRAPH))
                .isFalse();
    }
}
