package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

class CardinalityTest {
    private static Optional<Long> range(long from, long until, long step) {
        PipelineGraph pipeline =
                PipelineGraph.parse(IntegerGraph.range(from, until, step).bytes(), Pipelines.ANY_OP);
        Scope scope = pipeline.scope();
        return Cardinality.written(scope.node(Scope.nodeOf(pipeline.root())), scope);
    }

    @Test
    void aRangeHasAsManyAsItsStepsLeadTo() {
        assertThat(range(0, 7, 1)).contains(7L);
        assertThat(range(0, 7, 3)).contains(3L);
        assertThat(range(7, 0, -3)).contains(3L);
        assertThat(range(0, 7, -1)).contains(0L);
        assertThat(range(7, 7, 1)).contains(0L);
        assertThat(range(7, 3, 1)).contains(0L);
    }

    @Test
    void ofMoreThanCanBeCountedNobodyCanTell() {
        assertThat(range(Long.MIN_VALUE, Long.MAX_VALUE, 1)).isEmpty();
        assertThat(range(-5, Long.MAX_VALUE, 1)).isEmpty();
    }

    private static Optional<Long> ofNodes(NodeDef.Builder source, NodeDef.Builder... others) {
        return Cardinality.written(
                source.build(),
                Scope.ofGraph(Stream.of(others).map(NodeDef.Builder::build).toList()));
    }

    @Test
    void ofBoundsThatNobodyWroteDownNobodyCanTell() {
        NodeDef.Builder one = Protos.constant("one", Protos.int64(1));
        NodeDef.Builder none = Protos.constant("none", Protos.int64(0));
        NodeDef.Builder asked = Protos.node("asked", "Placeholder");
        for (String bounds : List.of("asked one one", "one asked one", "one one asked", "one one none")) {
            assertThat(ofNodes(Protos.node("range", "RangeDataset", bounds.split(" ", -1)), one, none, asked))
                    .as(bounds)
                    .isEmpty();
        }
    }

    @Test
    void aConstantHasAsManySlicesAsRows() {
        NodeDef.Builder slices = Protos.node("slices", "TensorSliceDataset", "values");
        assertThat(ofNodes(slices, Protos.constant("values", Protos.int32s(7, 8, 9))))
                .contains(3L);
        assertThat(ofNodes(slices, Protos.constant("values", Protos.int32(7)))).isEmpty();
        assertThat(ofNodes(slices, Protos.node("values", "Placeholder"))).isEmpty();
        assertThat(ofNodes(Protos.node("batch", "BatchDatasetV2", "values"), Protos.node("values", "Placeholder")))
                .isEmpty();
    }
}
