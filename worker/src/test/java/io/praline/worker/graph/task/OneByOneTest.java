package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

class OneByOneTest {

    // what says how many at a time is gone, and nothing else
    @ParameterizedTest
    @CsvSource({
        "parallel_map, ParallelMapDatasetV2, MapDataset, 1",
        "batch_parallel, ParallelBatchDataset, BatchDatasetV2, 3"
    })
    void whatWorkedOnSeveralWorksOnOne(String name, String before, String after, int inputs) {
        PipelineGraph written = Pipelines.parse(name);
        PipelineGraph changed = new OneByOne().apply(written);

        List<NodeDef> parallel = of(written, before);
        assertThat(parallel).isNotEmpty();
        assertThat(of(changed, before)).isEmpty();
        assertThat(parallel).allSatisfy(node -> {
            NodeDef alone = changed.nodes().get(node.getName());
            assertThat(alone.getOp()).isEqualTo(after);
            assertThat(alone.getInputList()).hasSize(inputs).isSubsetOf(node.getInputList());
            assertThat(alone.getInput(0)).isEqualTo(node.getInput(0));
            assertThat(DatasetOps.components(alone)).isEqualTo(DatasetOps.components(node));
        });
    }

    private static List<String> inputs(String op, String... inputs) {
        PipelineGraph graph = new PipelineGraph(
                Stream.concat(
                                Stream.of(inputs).map(Scope::nodeOf).distinct().map(name -> Protos.node(
                                                name, "Placeholder")
                                        .build()),
                                Stream.of(Protos.node("step", op, inputs).build()))
                        .toList(),
                List.of(),
                "step",
                VersionDef.getDefaultInstance());
        return new OneByOne().apply(graph).nodes().get("step").getInputList();
    }

    @Test
    void whatItCapturesOrWaitsForStays() {
        assertThat(inputs("ParallelMapDatasetV2", "data", "captured", "calls")).containsExactly("data", "captured");
        assertThat(inputs("ParallelMapDataset", "data", "captured", "calls", "^first", "^second"))
                .containsExactly("data", "captured", "^first", "^second");
        assertThat(inputs("ParallelBatchDataset", "data", "size", "calls", "drops", "^first"))
                .containsExactly("data", "size", "drops", "^first");
        assertThat(inputs("MapDataset", "data", "captured", "^first")).containsExactly("data", "captured", "^first");
    }

    private static List<NodeDef> of(PipelineGraph pipeline, String op) {
        return pipeline.nodes().values().stream()
                .filter(node -> node.getOp().equals(op))
                .toList();
    }
}
