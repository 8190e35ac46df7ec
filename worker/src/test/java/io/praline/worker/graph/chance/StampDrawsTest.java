package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Written;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

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

    // ---- by whom it is read besides

    private static PipelineGraph graph(String root, NodeDef.Builder... more) {
        List<NodeDef> nodes = Stream.concat(
                        Stream.of(
                                Protos.constant("one", Protos.int64(1)),
                                Protos.constant("memory", Protos.bytes(ByteString.EMPTY)),
                                Protos.node("numbers", "RangeDataset", "one", "one", "one"),
                                Protos.node("kept", "CacheDataset", "numbers", "memory")),
                        Stream.of(more))
                .map(NodeDef.Builder::build)
                .toList();
        return new PipelineGraph(nodes, List.of(), root, VersionDef.getDefaultInstance());
    }

    // past the cache it is another one each time, whoever is looked at first
    @Test
    void whatIsReadPastACacheTooIsDrawnAnew() {
        PipelineGraph keptFirst = graph("both", Protos.node("both", "ConcatenateDataset", "kept", "numbers"));
        PipelineGraph keptLast = graph("both", Protos.node("both", "ConcatenateDataset", "numbers", "kept"));
        PipelineGraph keptTwice = graph("both", Protos.node("both", "ConcatenateDataset", "kept", "kept"));

        assertThat(StampDraws.epochs(keptFirst, keptFirst.scope())).containsEntry("numbers", 0L);
        assertThat(StampDraws.epochs(keptLast, keptLast.scope())).containsEntry("numbers", 0L);
        assertThat(StampDraws.epochs(keptTwice, keptTwice.scope())).containsEntry("numbers", 1L);
    }

    // ---- places

    private static List<StampDraws.Stamp> stamps(PipelineGraph stamped) {
        return stamped.functions().values().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .flatMap(node -> StampDraws.of(node).stream())
                .toList();
    }

    private static PipelineGraph stamped(String... lines) {
        return new StampDraws()
                .apply(Written.of("float32")
                        .function("noise", List.of("float32"), "r = RandomUniform [] dtype=float32 seed=3", "-> r")
                        .function("still", List.of("float32"), "-> a")
                        .map(lines)
                        .graph());
    }

    @Test
    void eachCallOfAFunctionIsAPlaceOfItsOwnThatKeepsPace() {
        for (String call : List.of("PartitionedCall x f=@noise Tout={float32}", "noise x")) {
            List<StampDraws.Stamp> stamps = stamps(
                    stamped("a = " + call, "b = " + call, "c = RandomUniform [] dtype=float32 seed=3", "-> a b c"));

            assertThat(stamps).extracting(StampDraws.Stamp::place).hasSize(3).doesNotHaveDuplicates();
            assertThat(stamps)
                    .extracting(StampDraws.Stamp::pace)
                    .containsOnly(stamps.get(0).pace());
            assertThat(stamps).allMatch(StampDraws.Stamp::perEpoch);
        }
    }

    @Test
    void aBranchHasAPaceOfItsOwn() {
        List<StampDraws.Stamp> stamps = stamps(stamped(
                "c = Less x 0.5",
                "a = StatelessIf c x Tout={float32} then_branch=@noise else_branch=@noise",
                "b = StatelessCase 0 x Tout={float32} branches={@noise,@noise}",
                "r = RandomUniform [] dtype=float32 seed=3",
                "-> a b r"));

        assertThat(stamps).extracting(StampDraws.Stamp::place).hasSize(5).doesNotHaveDuplicates();
        assertThat(stamps).extracting(StampDraws.Stamp::pace).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void whatDrawsNothingIsCalledAsBefore() {
        PipelineGraph plain = stamped("a = PartitionedCall x f=@still Tout={float32}", "-> a");
        PipelineGraph drawing = stamped(
                "a = PartitionedCall x f=@still Tout={float32}",
                "b = PartitionedCall x f=@noise Tout={float32}",
                "-> a b");

        assertThat(stamps(plain)).isEmpty();
        assertThat(plain.functions()).containsKey("still").hasSize(2);
        assertThat(drawing.functions())
                .containsKey("still")
                .doesNotContainKey("noise")
                .hasSize(3);
    }

    @Test
    void aPlaceThatHasItsStampKeepsIt() {
        PipelineGraph once = stamped("a = PartitionedCall x f=@noise Tout={float32}", "-> a");

        assertThat(stamps(new StampDraws().apply(once))).hasSize(1).isEqualTo(stamps(once));
    }
}
