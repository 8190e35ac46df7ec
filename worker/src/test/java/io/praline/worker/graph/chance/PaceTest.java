package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** Behind which steps draws of one seed still draw the same for an element. */
class PaceTest {
    private static final long KEPT = 0;

    private static long pace(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        return new Pace(pipeline.functions()).of(pipeline.scope(), pipeline.root());
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    /** A function of batches that yields an identity of what it is given, or its double. */
    private static FunctionDef function(boolean twice) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("function_of_the_test")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("y", DataType.DT_INT64));
        NodeDef.Builder same = Protos.node("same", "Identity", "x").putAttr("T", Protos.type(DataType.DT_INT64));
        return function.addNodeDef(same)
                .addNodeDef(Protos.sum("sum", "same:output:0", "x"))
                .putRet("y", twice ? "sum:z:0" : "same:output:0")
                .build();
    }

    @Test
    void whatHandsOnEachElementInItsOrderKeepsIt() {
        assertThat(List.of(
                        pace(numbers()),
                        pace(IntegerGraph.slices(List.of(1L, 2L))),
                        pace(numbers().affine(2, 1, true)),
                        pace(numbers().sums()),
                        pace(numbers().take(5)),
                        pace(numbers().whileBelow(9)),
                        pace(numbers().repeat(2)),
                        pace(numbers().prefetch(2).inAnyOrder())))
                .containsOnly(KEPT);
    }

    @Test
    void whatLeavesOutAddsOrMovesElementsLosesItEachInItsWay() {
        assertThat(List.of(
                        KEPT,
                        pace(numbers().without(3, 0)),
                        pace(numbers().without(3, 0).without(3, 1)),
                        pace(numbers().shuffle(10, 0)),
                        pace(numbers().shuffle(10, 0).without(3, 0)),
                        pace(numbers().without(3, 0).shuffle(10, 0)),
                        pace(numbers().skip(1)),
                        pace(numbers().shard(2, 0)),
                        pace(numbers().copies(3)),
                        pace(numbers().batch(4, false)),
                        pace(numbers().concatenate(0, 3)),
                        pace(numbers().without(3, 0).concatenate(0, 3))))
                .doesNotHaveDuplicates();
    }

    @Test
    void itIsThatOfTheStepThatLostIt() {
        assertThat(pace(numbers().without(3, 0).affine(2, 1, false).prefetch(1)))
                .isEqualTo(pace(numbers().without(5, 0)));
    }

    @Test
    void batchesThatAreTakenApartAreTheElementsThatWerePutTogether() {
        assertThat(List.of(
                        pace(numbers().batch(4, false).unbatch()),
                        pace(numbers().paddedBatch(4, 0, false).unbatch()),
                        pace(numbers().batch(4, false).prefetch(2).take(3).unbatch()),
                        pace(numbers().batch(4, false).mapped(function(false)).unbatch())))
                .containsOnly(KEPT);
        assertThat(pace(numbers().without(3, 0).batch(4, false).unbatch()))
                .isEqualTo(pace(numbers().without(3, 0)));
    }

    // a function of whole batches may turn their rows, and batches that are mixed or left out are not all in their
    // order
    @Test
    void whereSomethingWasMadeOfTheBatchesTheyAreNot() {
        assertThat(List.of(
                        KEPT,
                        pace(numbers().batch(4, false).mapped(function(true)).unbatch()),
                        pace(numbers().batch(4, false).shuffle(3, 0).unbatch()),
                        pace(numbers().batch(4, false).skip(1).unbatch())))
                .doesNotHaveDuplicates();
    }

    @Test
    void whatIsPairedWithACounterHasThePaceOfTheElements() {
        assertThat(pace(numbers().zip(0, 50, 1))).isEqualTo(KEPT);
        assertThat(pace(numbers().without(3, 0).enumerate(1)))
                .isEqualTo(pace(numbers().without(3, 0)));
    }

    @Test
    void whatIsPairedOfTwoThatHaveLostItHasThatOfBoth() {
        PipelineGraph kept = PipelineGraph.parse(numbers().without(3, 0).bytes(), Pipelines.ANY_OP);
        NodeDef filter = kept.nodes().get(kept.root());
        NodeDef again =
                filter.toBuilder().setName("again").setInput(0, kept.root()).build();
        NodeDef both = Protos.node("both", "ZipDataset", kept.root(), "again").build();
        NodeDef alike =
                Protos.node("alike", "ZipDataset", kept.root(), kept.root()).build();
        List<NodeDef> nodes = List.of(filter, again, both, alike);

        assertThat(List.of(
                        paceOf("both", kept, nodes),
                        paceOf(kept.root(), kept, nodes),
                        paceOf("again", kept, nodes),
                        KEPT))
                .doesNotHaveDuplicates();
        assertThat(paceOf("alike", kept, nodes)).isEqualTo(paceOf(kept.root(), kept, nodes));
    }

    private static long paceOf(String root, PipelineGraph pipeline, List<NodeDef> more) {
        List<NodeDef> all = new ArrayList<>(pipeline.nodes().values());
        all.addAll(more);
        PipelineGraph graph =
                new PipelineGraph(all, pipeline.functions().values(), root, VersionDef.getDefaultInstance());
        return new Pace(Map.copyOf(graph.functions())).of(graph.scope(), root);
    }

    @Test
    void ofAFunctionThatNobodyHasItIsNotKnownThatItHandsOn() {
        PipelineGraph pipeline = PipelineGraph.parse(
                numbers().batch(4, false).mapped(function(false)).unbatch().bytes(), Pipelines.ANY_OP);

        assertThat(new Pace(pipeline.functions()).of(pipeline.scope(), pipeline.root()))
                .isEqualTo(KEPT);
        assertThat(new Pace(Map.of()).of(pipeline.scope(), pipeline.root())).isNotEqualTo(KEPT);
    }
}
