package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Behind which steps a bad element is left out alone: the ops from a pipeline's end to its source. */
class SkipBadTest {
    private static PipelineGraph tolerant(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        return new SkipBad().apply(new TrackProvenance().apply(new BindSplits().apply(pipeline)));
    }

    private static List<String> toTheSource(IntegerGraph graph) {
        return Pipelines.toTheSource(tolerant(graph));
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void behindEachFunctionAndTheSourceOneIsLeftOut() {
        assertThat(toTheSource(numbers())).containsExactly("IgnoreErrorsDataset");
        assertThat(toTheSource(numbers().affine(2, 1, false).shuffle(10, 0).without(3, 0)))
                .containsExactly(
                        "IgnoreErrorsDataset",
                        "FilterDataset",
                        "ShuffleDatasetV3",
                        "IgnoreErrorsDataset",
                        "MapDataset",
                        "IgnoreErrorsDataset");
    }

    @Test
    void ofElementsThatAreNumberedItIsToldWhichNumbersWereUsed() {
        IntegerGraph graph = numbers().copies(3).affine(2, 1, false);

        assertThat(toTheSource(graph)).containsExactly("IgnoreErrorsDataset", "MapDataset");
        assertThat(tolerant(graph).functions().values())
                .flatExtracting(FunctionDef::getNodeDefList)
                .extracting(NodeDef::getName)
                .contains("praline_telling");
    }

    @Test
    void whatASingleTaskReadsAsAWholeFailsAsItWould() {
        PipelineGraph pipeline = tolerant(numbers().affine(2, 1, false).take(50).affine(3, 1, false));

        assertThat(pipeline.nodes().values())
                .filteredOn(node -> node.getOp().equals("IgnoreErrorsDataset"))
                .singleElement()
                .satisfies(node -> assertThat(node.getName()).isEqualTo(pipeline.root()));
    }

    private static FunctionDef twice() {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("twice_of_the_test")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("y", DataType.DT_INT64));
        return function.addNodeDef(Protos.sum("sum", "x", "x"))
                .putRet("y", "sum:z:0")
                .build();
    }

    @Test
    void insideAGroupOneIsLeftOutAlone() {
        FunctionDef grouping = tolerant(numbers().groups(3, 4, twice())).functions().values().stream()
                .filter(function -> function.getNodeDefList().stream()
                        .anyMatch(node -> node.getName().startsWith("mapped")))
                .findFirst()
                .orElseThrow();
        NodeDef skip = grouping.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("IgnoreErrorsDataset"))
                .findFirst()
                .orElseThrow();

        assertThat(skip.getInputList()).singleElement().asString().startsWith("mapped");
        assertThat(grouping.getRetMap().values()).containsExactly(skip.getName() + ":handle:0");
    }
}
