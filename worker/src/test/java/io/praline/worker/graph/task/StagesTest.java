package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** The datasets of a graph as a tree, as TensorFlow's model of the running iterator shows them. */
class StagesTest {
    private static Stage of(Map<String, String> names, NodeDef.Builder... nodes) {
        return Stages.of(
                new PipelineGraph(
                        Stream.of(nodes).map(NodeDef.Builder::build).toList(),
                        List.of(),
                        "root",
                        VersionDef.getDefaultInstance()),
                names);
    }

    private static Stage stage(String op, Stage... inputs) {
        return new Stage(op, Optional.empty(), List.of(inputs));
    }

    private static NodeDef.Builder one() {
        return Protos.constant("one", Protos.int64(1));
    }

    private static NodeDef.Builder range(String name) {
        return Protos.node(name, "RangeDataset", "one", "one", "one");
    }

    @Test
    void eachDatasetStandsOnThoseThatItTakesElementsFrom() {
        Stage tree = of(
                Map.of("zip", "pairs", "left", "numbers"),
                one(),
                range("left"),
                range("right"),
                Protos.node("zip", "ZipDataset", "left", "right"),
                Protos.node("root", "TakeDataset", "zip", "one"));

        assertThat(tree)
                .isEqualTo(stage(
                        "TakeDataset",
                        new Stage(
                                "ZipDataset",
                                Optional.of("pairs"),
                                List.of(
                                        new Stage("RangeDataset", Optional.of("numbers"), List.of()),
                                        stage("RangeDataset")))));
    }

    @Test
    void whatIsOnlyHandedOnOrWaitedForIsNoStage() {
        Stage tree = of(
                Map.of(),
                one(),
                range("range"),
                range("other"),
                Protos.node("same", "Identity", "range"),
                Protos.node("take", "TakeDataset", "same", "one", "^other"),
                Protos.node("root", "Identity", "take"));

        assertThat(tree).isEqualTo(stage("TakeDataset", stage("RangeDataset")));
    }
}
