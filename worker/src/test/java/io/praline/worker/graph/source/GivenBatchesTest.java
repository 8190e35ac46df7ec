package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Batches that functions are given as a whole, one by one or in groups, and what they make of them. */
class GivenBatchesTest {
    private static final FunctionDef LESS_THE_LARGEST = function(
            "less",
            List.of(DataType.DT_INT64),
            DataType.DT_INT64,
            Protos.constant("along", Protos.int32s(0)),
            Protos.node("largest", "Max", "x0", "along:output:0"),
            Protos.node("made", "Sub", "x0", "largest:output:0"));

    private static final FunctionDef TWICE =
            function("twice", List.of(DataType.DT_INT64), DataType.DT_INT64, Protos.node("made", "AddV2", "x0", "x0"));

    /** Of {@code x0}, {@code x1} and so on; it yields what its last node, {@code made}, gives. */
    private static FunctionDef function(String name, List<DataType> given, DataType result, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder().setName(name).addOutputArg(Protos.arg("y", result));
        for (int i = 0; i < given.size(); i++) {
            function.getSignatureBuilder().addInputArg(Protos.arg("x" + i, given.get(i)));
        }
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        return function.putRet("y", result == DataType.DT_VARIANT ? "made:handle:0" : "made:z:0")
                .build();
    }

    private static NodeDef.Builder dataset(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs)
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.shape(-1))));
    }

    private static NodeDef.Builder mapped(FunctionDef by, DataType... captured) {
        return Protos.node("made", "MapDataset")
                .putAttr("f", Protos.function(by.getSignature().getName()))
                .putAttr("Targuments", Protos.types(List.of(captured)))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.shape(-1))));
    }

    private static IntegerGraph batches() {
        return IntegerGraph.range(0, 100, 1)
                .batch(7, false)
                .with(LESS_THE_LARGEST)
                .with(TWICE);
    }

    private static IntegerGraph shuffledBatches() {
        return IntegerGraph.range(0, 100, 1)
                .shuffle(20, 0)
                .batch(7, false)
                .with(LESS_THE_LARGEST)
                .with(TWICE);
    }

    private static boolean inOneTask(IntegerGraph graph) {
        return PipelineAnalysis.of(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP))
                .singleTask();
    }

    /** By nodes of a function that is given a batch as {@code x0}, the last of which is a dataset. */
    private static IntegerGraph opened(IntegerGraph batches, NodeDef.Builder... nodes) {
        return batches.flatMapped(function("opened", List.of(DataType.DT_INT64), DataType.DT_VARIANT, nodes));
    }

    /** By nodes of a function that is given a key as {@code x0} and a group as {@code x1}, the last of which is a dataset. */
    private static IntegerGraph grouped(IntegerGraph batches, NodeDef.Builder... nodes) {
        return batches.handedOn(
                3, 5, function("grouped", List.of(DataType.DT_INT64, DataType.DT_VARIANT), DataType.DT_VARIANT, nodes));
    }

    @Test
    void whatIsMadeOfOneThatIsOpenedAsAWholeIsMadeOfAllItsRows() {
        NodeDef.Builder one = dataset("one", "TensorDataset", "x0");
        assertThat(inOneTask(opened(batches(), one, mapped(LESS_THE_LARGEST).addInput("one:handle:0"))))
                .isTrue();
        assertThat(inOneTask(opened(batches(), one, mapped(TWICE).addInput("one:handle:0"))))
                .isFalse();
        assertThat(inOneTask(
                        opened(shuffledBatches(), one, mapped(LESS_THE_LARGEST).addInput("one:handle:0"))))
                .isFalse();
    }

    @Test
    void soItIsBehindFurtherStepsOfTheFunction() {
        NodeDef.Builder times = Protos.constant("times", Protos.int64(2));
        NodeDef.Builder one = dataset("one", "TensorDataset", "x0");
        NodeDef.Builder again = dataset("again", "RepeatDataset", "one:handle:0", "times:output:0");
        assertThat(inOneTask(opened(
                        batches(), times, one, again, mapped(LESS_THE_LARGEST).addInput("again:handle:0"))))
                .isTrue();
        assertThat(inOneTask(opened(batches(), times, one, again, mapped(TWICE).addInput("again:handle:0"))))
                .isFalse();
    }

    // where rows lie in what was made of a batch the next step is not told
    @Test
    void whatWasMadeOfOneAndIsOpenedAsAWholeIsNotFollowed() {
        NodeDef.Builder columns = Protos.node("columns", "Pack", "x0", "x0")
                .putAttr("N", Protos.number(2))
                .putAttr("axis", Protos.number(0));
        NodeDef.Builder one = dataset("one", "TensorDataset", "columns:output:0");
        NodeDef.Builder alone = dataset("made", "TensorDataset", "columns:output:0");
        assertThat(inOneTask(opened(batches(), columns, alone))).isFalse();
        assertThat(inOneTask(
                        opened(batches(), columns, one, mapped(LESS_THE_LARGEST).addInput("one:handle:0"))))
                .isTrue();
    }

    @Test
    void whatIsMadeOfThoseOfAGroupIsMadeOfAllTheirRows() {
        assertThat(inOneTask(grouped(batches(), mapped(LESS_THE_LARGEST).addInput("x1"))))
                .isTrue();
        assertThat(inOneTask(grouped(batches(), mapped(TWICE).addInput("x1")))).isFalse();
        assertThat(inOneTask(grouped(shuffledBatches(), mapped(LESS_THE_LARGEST).addInput("x1"))))
                .isFalse();
    }

    @Test
    void thoseOfAGroupThatIsHandedOnAreBatchesBehindIt() {
        NodeDef.Builder handed = dataset("made", "PrefetchDataset", "x1");
        assertThat(inOneTask(grouped(batches(), handed).lessTheLargest())).isTrue();
        assertThat(inOneTask(grouped(batches(), handed).affine(2, 1, false))).isFalse();
    }

    @Test
    void theKeyOfAGroupOfThemIsMadeOfAllRowsOfOne() {
        FunctionDef withKey = function(
                "with_key",
                List.of(DataType.DT_INT64, DataType.DT_INT64),
                DataType.DT_INT64,
                Protos.node("made", "AddV2", "x0", "x1"));
        NodeDef.Builder told = mapped(withKey, DataType.DT_INT64).addInput("x1").addInput("x0");
        assertThat(inOneTask(grouped(batches().with(withKey), told))).isTrue();
        assertThat(inOneTask(grouped(shuffledBatches().with(withKey), told))).isFalse();
        assertThat(inOneTask(grouped(IntegerGraph.range(0, 100, 1).with(withKey), told)))
                .isFalse();
    }
}
