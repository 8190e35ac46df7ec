package io.praline.worker.graph.source.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Written;
import io.praline.worker.graph.source.Sources;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

class BindSplitsTest {
    @Test
    void theListOfFilesAndItsShuffleGiveWayToTheQueue() {
        PipelineGraph bound = new BindSplits().apply(Pipelines.parse("jpeg_training"));

        assertThat(ops(bound)).doesNotContain("ShuffleDatasetV3", "TensorSliceDataset", "ParallelInterleaveDatasetV4");
        NodeDef source = bound.nodes().values().stream()
                .filter(BindSplits::isSource)
                .findFirst()
                .orElseThrow();
        assertThat(source.getOp()).isEqualTo("FlatMapDataset");
        NodeDef splits = bound.nodes().get(source.getInput(0));
        assertThat(splits.getOp()).isEqualTo("MapDataset");
        assertThat(splits.getAttrOrThrow("preserve_cardinality").getB()).isFalse();
    }

    // Python's reader of one file is a flat map over a list of one name
    @Test
    void theUsersReaderGivesWayToOneThatReadsARange() {
        FunctionDef open = open("interleave_parallel");

        assertThat(ops(open)).contains("TFRecordDatasetV2", "TakeDataset").doesNotContain("FlatMapDataset");
    }

    @Test
    void whatTheUserDoesToEachFileStaysInTheFunctionThatOpensIt() {
        FunctionDef open = open("interleave_nested");

        // the user's own take, that of the range of records, and that of a limit
        assertThat(ops(open)).contains("MapDataset");
        assertThat(open.getNodeDefList().stream()
                        .filter(node -> node.getOp().equals("TakeDataset"))
                        .count())
                .isEqualTo(3);
    }

    @Test
    void stepsUpToTheLastThatMakesSeveralOfOneGoIntoTheFunctionThatOpensASplit() {
        assertThat(ops(open("words_filtered")))
                .contains("MapDataset", "UnbatchDataset")
                .doesNotContain("FilterDataset");
        assertThat(ops(open("masked_unbatched")))
                .containsSubsequence("BatchDatasetV2", "ParallelMapDatasetV2", "UnbatchDataset");
        assertThat(ops(open("flat_map_shuffled"))).doesNotContain("FlatMapDataset");
    }

    @Test
    void repeatsAndCachesOverTheWholeAreTakenOut() {
        assertThat(ops(new BindSplits().apply(Pipelines.parse("repeat")))).doesNotContain("RepeatDataset");
        assertThat(ops(new BindSplits().apply(Pipelines.parse("cache")))).doesNotContain("CacheDatasetV2");
    }

    @Test
    void elementsConsistOfWhatTheyDidBefore() {
        for (String name : Pipelines.running()) {
            PipelineGraph pipeline = Pipelines.parse(name);
            if (Sources.of(pipeline).epochs() > 0) {
                assertThat(new BindSplits().apply(pipeline).components())
                        .as(name)
                        .isEqualTo(pipeline.components());
            }
        }
    }

    @Test
    void aBatchOfWhatRepeatsForEverMayBeShort() {
        PipelineGraph pipeline = Pipelines.parse("repeat_endless");
        assertThat(pipeline.components()).containsExactly(new ElementComponent(DataType.DT_INT64, true, List.of(8L)));
        assertThat(new BindSplits().apply(pipeline).components())
                .containsExactly(new ElementComponent(DataType.DT_INT64, true, List.of(-1L)));
    }

    private static FunctionDef open(String name) {
        PipelineGraph bound = new BindSplits().apply(Pipelines.parse(name));
        return bound.functions().get("praline_open_0");
    }

    private static List<String> ops(PipelineGraph pipeline) {
        return pipeline.nodes().values().stream().map(NodeDef::getOp).toList();
    }

    private static List<String> ops(FunctionDef function) {
        return function.getNodeDefList().stream().map(NodeDef::getOp).toList();
    }

    private static List<ElementComponent> endless(Written batched) {
        return new BindSplits().apply(batched.repeat(-1).graph()).components();
    }

    // Python takes it that what never ends has no short batch
    @Test
    void onlyBatchesThatMayBeShortLoseTheirSize() {
        assertThat(endless(Written.of("int32", "float32[8]").batch(8, true)))
                .containsExactly(Written.component("int32[8]"), Written.component("float32[8,8]"));
        assertThat(endless(Written.of("int32", "float32[8]").batch(8, false).saying("int32[8]", "float32[8,8]")))
                .containsExactly(Written.component("int32[-1]"), Written.component("float32[-1,8]"));
        assertThat(endless(Written.of("int32")
                        .batch(8, false)
                        .saying("int32[8]")
                        .map("s = Sum x [0]", "-> s x")
                        .saying("int32", "int32[8]")))
                .containsExactly(Written.component("int32"), Written.component("int32[-1]"));
    }
}
