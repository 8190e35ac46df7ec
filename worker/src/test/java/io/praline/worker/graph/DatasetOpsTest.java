package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetMetadata;
import org.tensorflow.proto.data.DatasetOptions.Options;

class DatasetOpsTest {
    /** Their nodes have no attribute that says it. */
    @Test
    void opsThatAlwaysYieldTheSameSayNotWhat() {
        NodeDef names = Protos.node("names", "MatchingFilesDataset", "pattern").build();
        NodeDef slices = Protos.node("slices", "SparseTensorSliceDataset", "indices", "values", "shape")
                .putAttr("Tvalues", Protos.type(DataType.DT_FLOAT))
                .build();

        assertThat(DatasetOps.components(names))
                .isEqualTo(List.of(new ElementComponent(DataType.DT_STRING, true, List.of())));
        // of a slice: the indices of its values, the values, its shape
        assertThat(DatasetOps.components(slices))
                .isEqualTo(List.of(
                        new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L)),
                        new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L)),
                        new ElementComponent(DataType.DT_INT64, true, List.of(-1L))));
    }

    @ParameterizedTest
    @CsvSource({
        "MapDataset, true",
        "ShuffleDatasetV3, true",
        "DatasetCardinality, false",
        "DatasetV, false",
        "Mul, false",
        "ReduceDataset, false",
        "InitializeTableFromDataset, false",
        "RegisterDatasetV2, false",
    })
    void datasetsAreToldByTheNamesOfTheirOps(String op, boolean dataset) {
        assertThat(DatasetOps.isDataset(op)).isEqualTo(dataset);
    }

    @ParameterizedTest
    @CsvSource({
        "ParallelMapDatasetV2, map",
        "LegacyParallelInterleaveDatasetV2, interleave",
        "ExperimentalScanDataset, scan",
        "TensorSliceDataset, slices",
        "TFRecordDatasetV2, tfrecord",
        "GroupByWindowDataset, group_by_window",
        "FixedLengthRecordDatasetV2, fixed_length_record",
    })
    void anOpIsSaidInAWord(String op, String word) {
        assertThat(DatasetOps.word(op)).isEqualTo(word);
    }

    private static NodeDef named(String name) {
        return Protos.node("map", "MapDataset", "data")
                .putAttr(
                        "metadata",
                        AttrValue.newBuilder()
                                .setS(DatasetMetadata.Metadata.newBuilder()
                                        .setName(ByteString.copyFromUtf8(name))
                                        .build()
                                        .toByteString())
                                .build())
                .build();
    }

    @Test
    void aNameIsTheUsersUnlessTensorFlowNumberedIt() {
        assertThat(DatasetOps.userName(named("decode"))).contains("decode");
        assertThat(DatasetOps.userName(named("Map:12"))).isEmpty();
        assertThat(DatasetOps.userName(named("Map:12b"))).contains("Map:12b");
        assertThat(DatasetOps.userName(named(""))).isEmpty();
        assertThat(DatasetOps.userName(Protos.node("map", "MapDataset").build()))
                .isEmpty();
        assertThat(DatasetOps.userName(Protos.node("map", "MapDataset")
                        .putAttr("metadata", Protos.string("no message"))
                        .build()))
                .isEmpty();
    }

    private static NodeDef options(ByteString options) {
        return Protos.node("options", "OptionsDataset", "data")
                .putAttr(
                        "serialized_options",
                        AttrValue.newBuilder().setS(options).build())
                .build();
    }

    @Test
    void optionsMaySayWhetherTheOrderIsKeptOrNothing() {
        assertThat(DatasetOps.ordered(options(
                        Options.newBuilder().setDeterministic(true).build().toByteString())))
                .contains(true);
        assertThat(DatasetOps.ordered(options(
                        Options.newBuilder().setDeterministic(false).build().toByteString())))
                .contains(false);
        assertThat(DatasetOps.ordered(options(ByteString.EMPTY))).isEmpty();
        assertThat(DatasetOps.ordered(options(ByteString.copyFromUtf8("no message"))))
                .isEmpty();
        assertThat(DatasetOps.ordered(named("decode"))).isEmpty();
    }

    private static Scope scope(IntegerGraph graph) {
        return PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP).scope();
    }

    private static NodeDef last(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        return pipeline.nodes().get(pipeline.root());
    }

    @Test
    void aBatchSaysHowManyItHoldsAndWhetherAShortOneIsDropped() {
        IntegerGraph numbers = IntegerGraph.range(0, 100, 1);
        IntegerGraph batch = numbers.batch(7, true);
        assertThat(DatasetOps.batchSize(last(batch), scope(batch))).contains(7L);
        assertThat(DatasetOps.dropsRemainder(last(batch), scope(batch))).contains(true);
        IntegerGraph padded = IntegerGraph.range(0, 100, 1).paddedBatch(5, 0, false);
        assertThat(DatasetOps.batchSize(last(padded), scope(padded))).contains(5L);
        assertThat(DatasetOps.dropsRemainder(last(padded), scope(padded))).contains(false);
        IntegerGraph taken = IntegerGraph.range(0, 100, 1).take(7);
        assertThat(DatasetOps.batchSize(last(taken), scope(taken))).isEmpty();
        assertThat(DatasetOps.dropsRemainder(last(taken), scope(taken))).isEmpty();
        IntegerGraph shuffled = IntegerGraph.range(0, 100, 1).shuffle(7, 0);
        assertThat(DatasetOps.batchSize(last(shuffled), scope(shuffled))).isEmpty();
    }

    @Test
    void elementsAreBatchesUntilTheyAreTakenApart() {
        assertThat(yieldsBatches(IntegerGraph.range(0, 9, 1).affine(2, 1, false)))
                .isFalse();
        assertThat(yieldsBatches(IntegerGraph.range(0, 9, 1)
                        .batch(3, false)
                        .affine(2, 1, false)
                        .batchesWithout(2, 0)
                        .shuffle(3, 0)
                        .take(2)
                        .prefetch(1)))
                .isTrue();
        assertThat(yieldsBatches(IntegerGraph.range(0, 9, 1).paddedBatch(3, 0, false)))
                .isTrue();
        assertThat(yieldsBatches(IntegerGraph.range(0, 9, 1).batch(3, false).unbatch()))
                .isFalse();
    }

    private static boolean yieldsBatches(IntegerGraph graph) {
        return DatasetOps.yieldsBatches(scope(graph), last(graph).getName());
    }

    // 0 and 0 say that there are none
    @Test
    void ofSeedsOneThatIsNotZeroIsTheUsers() {
        for (long seed : new long[] {0, 7}) {
            IntegerGraph shuffled = IntegerGraph.range(0, 9, 1).shuffle(3, seed);
            assertThat(DatasetOps.isUnseeded(last(shuffled), scope(shuffled))).isEqualTo(seed == 0);
        }
    }

    @Test
    void aShuffleIsAnotherEachTimeUnlessItSaysNotAndRandomNumbersWhereTheySaySo() {
        NodeDef.Builder shuffle = Protos.node("shuffle", "ShuffleDatasetV3", "data");
        NodeDef.Builder random = Protos.node("random", "RandomDatasetV2");
        assertThat(DatasetOps.drawsAnew(shuffle.build())).isTrue();
        assertThat(DatasetOps.drawsAnew(shuffle.putAttr("reshuffle_each_iteration", Protos.bool(false))
                        .build()))
                .isFalse();
        assertThat(DatasetOps.drawsAnew(random.build())).isFalse();
        assertThat(DatasetOps.drawsAnew(random.putAttr("rerandomize_each_iteration", Protos.bool(true))
                        .build()))
                .isTrue();
        assertThat(DatasetOps.drawsAnew(last(IntegerGraph.range(0, 9, 1).take(3))))
                .isFalse();
    }

    @Test
    void whatSaysNotWhatItYieldsIsRefused() {
        NodeDef silent = Protos.node("map", "MapDataset", "data").build();
        NodeDef halved = silent.toBuilder()
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .build();
        for (NodeDef node : List.of(silent, halved)) {
            assertThatThrownBy(() -> DatasetOps.components(node))
                    .isInstanceOf(RefusedPipeline.class)
                    .hasMessage("the dataset map (MapDataset) does not say what its elements consist of");
        }
    }
}
