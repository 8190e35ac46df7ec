package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** After how many epochs the same is drawn again at a step: 0 where each epoch draws anew. */
class StampDrawsTest {
    /** By the ops of datasets, of which no two are alike. */
    private static Map<String, Long> epochs(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        Map<String, Long> epochs = StampDraws.epochs(pipeline, pipeline.scope());
        Map<String, Long> byOp = new LinkedHashMap<>();
        pipeline.nodes().values().stream()
                .filter(DatasetOps::isDataset)
                .forEach(node -> byOp.merge(node.getOp(), epochs.get(node.getName()), Math::max));
        return byOp;
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void withoutACacheEachEpochDrawsAnew() {
        assertThat(epochs(numbers().shuffle(10, 0).batch(7, false)))
                .isEqualTo(Map.of("RangeDataset", 0L, "ShuffleDatasetV3", 0L, "BatchDatasetV2", 0L));
    }

    @Test
    void whatACacheKeepsIsDrawnOnceAndWhatIsMadeOfItAnew() {
        assertThat(epochs(numbers().shuffle(10, 0).cache().batch(7, false)))
                .isEqualTo(
                        Map.of("RangeDataset", 1L, "ShuffleDatasetV3", 1L, "CacheDataset", 0L, "BatchDatasetV2", 0L));
    }

    @Test
    void ofWhatItKeepsSeveralTimesEachEpochHasOne() {
        assertThat(epochs(numbers().shuffle(10, 0).repeat(3).cache()))
                .isEqualTo(Map.of("RangeDataset", 3L, "ShuffleDatasetV3", 3L, "RepeatDataset", 3L, "CacheDataset", 0L));
        assertThat(epochs(numbers().repeat(3).repeat(2).cache()).get("RangeDataset"))
                .isEqualTo(6);
        assertThat(epochs(numbers().repeat(-1).cache()).get("RangeDataset")).isZero();
        assertThat(epochs(numbers().repeat(0).cache()).get("RangeDataset")).isEqualTo(1);
        assertThat(epochs(numbers().repeat(3).concatenate(0, 3).cache()).get("RangeDataset"))
                .isEqualTo(1);
    }

    @Test
    void whatIsLeftBeforeItsEndKeepsNothing() {
        assertThat(epochs(numbers().cache().take(5)))
                .isEqualTo(Map.of("RangeDataset", 0L, "CacheDataset", 0L, "TakeDataset", 0L));
        assertThat(epochs(numbers().cache().take(100)).get("RangeDataset")).isEqualTo(1);
    }

    // both caches are read to their ends, and the nearest one keeps what stands before it
    @Test
    void ofTwoCachesTheNearestOneKeeps() {
        assertThat(epochs(numbers().cache().shuffle(10, 0).repeat(2).cache()))
                .isEqualTo(Map.of("RangeDataset", 1L, "CacheDataset", 2L, "ShuffleDatasetV3", 2L, "RepeatDataset", 2L));
    }
}
