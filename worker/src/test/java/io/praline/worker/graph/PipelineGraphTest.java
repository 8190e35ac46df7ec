package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

class PipelineGraphTest {
    private static PipelineGraph graph(String root, NodeDef.Builder... nodes) {
        return new PipelineGraph(
                Stream.of(nodes).map(NodeDef.Builder::build).toList(),
                List.of(),
                root,
                VersionDef.getDefaultInstance());
    }

    private static NodeDef.Builder saved(String name) {
        return Protos.node(name, "LoadDataset", name + "_path");
    }

    private static NodeDef.Builder path(String name, String folder) {
        return Protos.constant(name + "_path", Protos.bytes(ByteString.copyFromUtf8(folder)));
    }

    @Test
    void foldersOfSavedDatasetsAreThoseThatItLoads() {
        PipelineGraph graph = graph(
                "both",
                path("here", "saved"),
                RelativeNames.in("/home", saved("here").build()).toBuilder(),
                path("there", "/saved"),
                saved("there"),
                Protos.node("asked_path", "Placeholder"),
                saved("asked"),
                Protos.node("first", "ConcatenateDataset", "here", "there"),
                Protos.node("both", "ConcatenateDataset", "first", "asked"));

        assertThat(graph.folders())
                .containsExactlyInAnyOrder(
                        new PipelineGraph.Folder("saved", Optional.of("/home")),
                        new PipelineGraph.Folder("/saved", Optional.empty()));
    }

    @Test
    void onlyWhatTheRootNeedsIsKept() {
        PipelineGraph graph = graph(
                "take",
                Protos.constant("one", Protos.int64(1)),
                Protos.node("range", "RangeDataset", "one", "one", "one"),
                Protos.node("take", "TakeDataset", "range", "one"),
                Protos.node("left", "SkipDataset", "range", "one"));

        assertThat(graph.nodes()).containsOnlyKeys("one", "range", "take");
        assertThat(graph.bytes())
                .isEqualTo(graph.nodes().values().stream()
                        .mapToInt(NodeDef::getSerializedSize)
                        .sum());
    }

    @Test
    void aNameThatATakenOneBeginsWithGetsANumber() {
        FunctionDef any = FunctionDef.getDefaultInstance();

        assertThat(PipelineGraph.freshName("f", Map.of())).isEqualTo("f");
        assertThat(PipelineGraph.freshName("f", Map.of("f", any, "f_1", any))).isEqualTo("f_2");
    }
}
