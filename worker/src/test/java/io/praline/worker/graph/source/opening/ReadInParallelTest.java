package io.praline.worker.graph.source.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** A task reads as many splits at a time as the user's program reads files. */
class ReadInParallelTest {
    private static PipelineGraph bound(IntegerGraph graph) {
        return new BindSplits().apply(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP));
    }

    private static PipelineGraph read(int files, int block) {
        return new ReadInParallel().apply(bound(IntegerGraph.readInParallel(List.of("/a", "/b"), files, block)));
    }

    private static NodeDef reading(PipelineGraph graph) {
        return graph.nodes().values().stream()
                .filter(node -> node.getOp().equals(ReadInParallel.OP))
                .findFirst()
                .orElseThrow();
    }

    /** Readers at a time, elements in a row of each, those that wait of each, splits ahead, threads. */
    private static List<Long> asked(PipelineGraph graph) {
        return reading(graph).getInputList().stream()
                .skip(1)
                .flatMap(input -> Constants.integer(graph.scope(), input).stream())
                .toList();
    }

    // handed over one by one, small elements cost more than to read them
    @Test
    void elementsGoByTheHandfulOrAsManyInARowAsTheProgramTakes() {
        assertThat(asked(read(3, 1))).containsExactly(3L, 8L, 16L, 0L, 3L);
        assertThat(asked(read(2, 20))).containsExactly(2L, 20L, 40L, 0L, 2L);
    }

    @Test
    void eachReaderTakesTheNextSplitOfOneQueue() {
        PipelineGraph graph = read(3, 1);
        FunctionDef read = graph.functions()
                .get(reading(graph).getAttrOrThrow("f").getFunc().getName());

        assertThat(FunctionText.shown(read, List.of("number")))
                .isEqualTo("FlatMapDataset<f=praline_open_0>(MapDataset<f=praline_dequeue_0>(RangeDataset(0, "
                        + Long.MAX_VALUE + ", 1)))");
        assertThat(reading(graph).getAttrOrThrow("deterministic").getS().toStringUtf8())
                .isEqualTo("false");
        assertThat(ReadInParallel.most(graph)).isEqualTo(3);
    }

    @Test
    void whereTheProgramReadsOneFileAtATimeSoDoesATask() {
        PipelineGraph one = bound(IntegerGraph.files(List.of("/a", "/b")));

        assertThat(new ReadInParallel().apply(one).nodes()).isEqualTo(one.nodes());
        assertThat(ReadInParallel.most(one)).isEqualTo(1);
    }
}
