package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

/** Which datasets are read until nothing more comes, where the pipeline is: the ops of those, sorted. */
class ReadToTheEndTest {
    private static List<String> ended(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        Scope scope = pipeline.scope();
        return ReadToTheEnd.in(pipeline, scope).stream()
                .map(scope::node)
                .filter(DatasetOps::isDataset)
                .map(NodeDef::getOp)
                .sorted()
                .toList();
    }

    private static IntegerGraph hundred() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void whatIsNotLeftIsReadToItsEnd() {
        assertThat(ended(hundred().skip(3).shuffle(10, 0).batch(8, false).prefetch(1)))
                .containsExactly(
                        "BatchDatasetV2", "PrefetchDataset", "RangeDataset", "ShuffleDatasetV3", "SkipDataset");
    }

    // where it is written down how many there are, the last one is known to be the last
    @Test
    void aTakeLeavesWhatHasMoreElementsThanItTakes() {
        assertThat(ended(hundred().take(99))).containsExactly("TakeDataset");
        assertThat(ended(hundred().take(100))).containsExactly("RangeDataset", "TakeDataset");
        assertThat(ended(hundred().take(101))).containsExactly("RangeDataset", "TakeDataset");
        assertThat(ended(hundred().take(-1))).containsExactly("RangeDataset", "TakeDataset");
        assertThat(ended(IntegerGraph.slices(List.of(3L, 1L)).take(1))).containsExactly("TakeDataset");
        assertThat(ended(IntegerGraph.slices(List.of(3L, 1L)).take(2)))
                .containsExactly("TakeDataset", "TensorSliceDataset");
        assertThat(ended(hundred().cache().affine(2, 1, false).take(100))).contains("CacheDataset", "RangeDataset");
        assertThat(ended(hundred().cache().affine(2, 1, false).take(99))).containsExactly("TakeDataset");
    }

    // with room for 10 it has read 10 before the first that it gives, and so the hundredth before the 91st
    @Test
    void aShuffleReadsAsManyAheadAsItHasRoomFor() {
        assertThat(ended(hundred().cache().shuffle(10, 0).take(91))).contains("CacheDataset", "RangeDataset");
        assertThat(ended(hundred().cache().shuffle(10, 0).take(90))).containsExactly("TakeDataset");
        assertThat(ended(hundred().cache().shuffle(1000, 0).take(1))).contains("CacheDataset");
        assertThat(ended(hundred().cache().shuffle(-1, 0).take(1))).contains("CacheDataset");
        assertThat(ended(hundred().cache().shuffle(Long.MAX_VALUE, 0).take(2))).contains("CacheDataset");
        assertThat(ended(hundred().cache().shuffle(1000, 0).take(0))).containsExactly("TakeDataset");
        assertThat(ended(hundred()
                        .cache()
                        .shuffle(100, 0)
                        .repeat(-1)
                        .batch(8, false)
                        .take(2)))
                .contains("CacheDataset");
        assertThat(ended(hundred().without(3, 0).cache().shuffle(1000, 0).take(1)))
                .contains("CacheDataset");
        assertThat(ended(hundred().copies(3).cache().shuffle(1000, 0).take(1))).containsExactly("TakeDataset");
        assertThat(ended(hundred().cache().shuffle(1000, 0).whileBelow(0))).contains("CacheDataset");
        assertThat(ended(hundred().cache().shuffle(1000, 0).copies(3).take(2))).contains("CacheDataset");
        // a file is written when nothing more comes
        assertThat(ended(hundred().cache("/kept").shuffle(10, 0).take(91))).doesNotContain("CacheDataset");
        assertThat(ended(hundred().cache("/kept").shuffle(10, 0).take(92))).contains("CacheDataset");
    }

    @Test
    void whoTakesNothingLeavesAll() {
        assertThat(ended(hundred().take(0))).containsExactly("TakeDataset");
        assertThat(ended(hundred().take(0).take(0))).containsExactly("TakeDataset", "TakeDataset");
        assertThat(ended(hundred().without(3, 0).take(0).take(1))).containsExactly("TakeDataset", "TakeDataset");
    }

    @Test
    void whoTakesAllThereAreOfWhatNobodyCanCountSeesItsEndBehindTheMostThereMayBe() {
        assertThat(ended(hundred().without(3, 0).take(-1).take(50))).containsExactly("TakeDataset");
        assertThat(ended(hundred().without(3, 0).take(-1).take(101))).contains("FilterDataset", "RangeDataset");
    }

    @Test
    void whatIsReadAheadIsAsMany() {
        assertThat(ended(hundred().cache().prefetch(2).take(100))).contains("CacheDataset");
        assertThat(ended(hundred().cache().prefetch(2).take(99))).doesNotContain("CacheDataset");
    }

    // TensorFlow does not know how many such a map makes, and looks for the end
    @Test
    void aMapThatDoesNotSayThatItMakesAsManyMayMakeFewer() {
        PipelineGraph written = PipelineGraph.parse(
                hundred().affine(2, 1, false).cache().take(100).bytes(), Pipelines.ANY_OP);
        List<NodeDef> nodes = written.nodes().values().stream()
                .map(node -> node.toBuilder().removeAttr("preserve_cardinality").build())
                .toList();
        PipelineGraph silent =
                new PipelineGraph(nodes, written.functions().values(), written.root(), written.versions());

        assertThat(ReadToTheEnd.in(written, written.scope())).anyMatch(name -> name.startsWith("CacheDataset"));
        assertThat(ReadToTheEnd.in(silent, silent.scope())).noneMatch(name -> name.startsWith("CacheDataset"));
    }

    @Test
    void aFileOfElementsIsWrittenWhenNothingMoreComes() {
        assertThat(ended(hundred().cache("/kept").take(100))).containsExactly("RangeDataset", "TakeDataset");
        assertThat(ended(hundred().cache("/kept").take(101)))
                .containsExactly("CacheDataset", "RangeDataset", "TakeDataset");
        // a zip looks for the end of each
        assertThat(ended(hundred().cache("/kept").zip(0, 100, 1))).contains("CacheDataset");
    }

    // of what is filtered nobody knows how many they are, so that only the end itself tells
    @Test
    void whatStepsMakeIsNoMoreThanTheyWereGiven() {
        assertThat(ended(hundred().without(3, 0).take(101))).contains("FilterDataset", "RangeDataset");
        assertThat(ended(hundred().without(3, 0).cache().take(100))).doesNotContain("CacheDataset");
        assertThat(ended(hundred()
                        .affine(2, 1, false)
                        .without(3, 0)
                        .sums()
                        .shard(1, 0)
                        .unique()
                        .take(101)))
                .contains("UniqueDataset", "RangeDataset");
        assertThat(ended(hundred()
                        .skip(1)
                        .shuffle(10, 0)
                        .paddedBatch(4, 0, false)
                        .take(101)))
                .contains("PaddedBatchDatasetV2", "RangeDataset");
        assertThat(ended(hundred().take(50).take(51))).containsExactly("TakeDataset", "TakeDataset");
        assertThat(ended(hundred().take(50).take(50))).containsExactly("TakeDataset", "TakeDataset");
        assertThat(ended(hundred().take(50).take(49))).containsExactly("TakeDataset");
        assertThat(ended(hundred().take(-1).take(100))).contains("RangeDataset");
        assertThat(ended(hundred().take(-1).take(99))).containsExactly("TakeDataset");
    }

    // 100 elements are 13 batches of 8, of which 12 are whole; those that no whole batch holds are not read by 12
    @Test
    void aBatchTakesAsManyAsItHolds() {
        assertThat(ended(hundred().batch(8, false).take(12))).containsExactly("TakeDataset");
        assertThat(ended(hundred().batch(8, false).take(13)))
                .containsExactly("BatchDatasetV2", "RangeDataset", "TakeDataset");
        assertThat(ended(hundred().batch(8, true).take(12))).containsExactly("BatchDatasetV2", "TakeDataset");
        assertThat(ended(hundred().batch(8, true).take(13)))
                .containsExactly("BatchDatasetV2", "RangeDataset", "TakeDataset");
        assertThat(ended(hundred().batch(10, true).take(10)))
                .containsExactly("BatchDatasetV2", "RangeDataset", "TakeDataset");
    }

    @Test
    void ofHowManyTheyAreNobodyCanTellWhereAStepMakesMore() {
        assertThat(ended(hundred().copies(3).take(1_000_000))).containsExactly("TakeDataset");
        assertThat(ended(hundred().batch(4, false).unbatch().take(101))).containsExactly("TakeDataset");
    }

    @Test
    void whoStopsAtAValueLeavesTheRest() {
        assertThat(ended(hundred().whileBelow(1000).affine(2, 1, false)))
                .containsExactly("MapDataset", "TakeWhileDataset");
    }

    // of two that stand one behind the other the first must be at its end before the other begins
    @Test
    void theFirstOfTwoIsReadToItsEndByWhoComesToTheSecond() {
        assertThat(ended(hundred().concatenate(200, 300))).hasSize(3);
        assertThat(ended(hundred().take(7).concatenate(200, 300).take(7)))
                .containsExactly("TakeDataset", "TakeDataset");
        assertThat(ended(hundred().take(7).concatenate(200, 300).take(6))).containsExactly("TakeDataset");
        assertThat(ended(hundred().copies(3).concatenate(200, 300).take(5)))
                .containsExactly("FlatMapDataset", "RangeDataset", "TakeDataset");
    }

    @Test
    void aZipEndsWithTheShortestAndLeavesTheOthers() {
        assertThat(ended(hundred().zip(0, 100, 1)))
                .containsExactly("MapDataset", "RangeDataset", "RangeDataset", "ZipDataset");
        assertThat(ended(hundred().cache().zip(0, 99, 1))).containsExactly("MapDataset", "RangeDataset", "ZipDataset");
        assertThat(ended(hundred().cache().zip(0, 101, 1)))
                .containsExactly("CacheDataset", "MapDataset", "RangeDataset", "ZipDataset");
        assertThat(ended(hundred().without(3, 0).cache().zip(0, 20, 1))).contains("CacheDataset");
        assertThat(ended(hundred().zip(0, 100, 1).take(5))).containsExactly("TakeDataset");
        assertThat(ended(hundred().cache().zip(0, 100, 1).take(100)))
                .containsExactly("CacheDataset", "RangeDataset", "RangeDataset", "TakeDataset");
    }

    @Test
    void whatIsRepeatedHasComeToItsEndBeforeUnlessFewerAreTaken() {
        assertThat(ended(hundred().cache().repeat(-1).take(250)))
                .containsExactly("CacheDataset", "RangeDataset", "TakeDataset");
        assertThat(ended(hundred().cache().repeat(-1).take(100)))
                .containsExactly("CacheDataset", "RangeDataset", "TakeDataset");
        assertThat(ended(hundred().cache().repeat(3).take(99))).containsExactly("TakeDataset");
        assertThat(ended(hundred().cache().repeat(-1).batch(10, false).take(9))).containsExactly("TakeDataset");
        assertThat(ended(hundred().cache().repeat(-1).batch(10, false).take(10)))
                .contains("CacheDataset");
        assertThat(ended(hundred().copies(3).cache().repeat(-1).take(5))).contains("CacheDataset");
    }

    @Test
    void batchesOfOneAreAsManyAsTheirElements() {
        assertThat(ended(hundred().batch(1, false).take(99))).containsExactly("TakeDataset");
        assertThat(ended(hundred().batch(1, false).take(101)))
                .containsExactly("BatchDatasetV2", "RangeDataset", "TakeDataset");
    }
}
