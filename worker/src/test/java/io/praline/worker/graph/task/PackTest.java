package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

class PackTest {
    // int64 and two float32: 16 bytes, so that the bound is the number of elements
    @Test
    void stacksSmallElements() {
        PipelineGraph packed = new Pack().apply(Pipelines.parse("unbatched"));

        assertThat(Pack.isPacked(packed)).isTrue();
        assertThat(packed.components())
                .isEqualTo(List.of(
                        new ElementComponent(DataType.DT_INT64, true, List.of(-1L)),
                        new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L, 2L))));
        assertThat(Constants.integer(
                        packed.scope(), packed.scope().node(packed.root()).getInput(1)))
                .contains(Pack.MOST_ELEMENTS);
    }

    @Test
    void leavesStringsAndShapesThatVaryAlone() {
        assertThat(Pack.isPacked(new Pack().apply(Pipelines.parse("map")))).isFalse();
        assertThat(Pack.isPacked(new Pack().apply(Pipelines.parse("file_names"))))
                .isFalse();
    }

    // CopyElementToSlice knows neither: the batch would fail where single elements do not
    @ParameterizedTest
    @EnumSource(names = {"DT_QINT16", "DT_QUINT16"})
    void leavesTypesThatTensorFlowMakesNoBatchesOf(DataType type) {
        PipelineGraph single = Pipelines.parse("unbatched");
        NodeDef.Builder root = single.scope().node(single.root()).toBuilder();
        DatasetOps.setComponents(root, "output_types", List.of(new ElementComponent(type, true, List.of(3L))));
        Map<String, NodeDef> nodes = new LinkedHashMap<>(single.nodes());
        nodes.put(root.getName(), root.build());
        PipelineGraph quantised =
                new PipelineGraph(nodes.values(), single.functions().values(), single.root(), single.versions());

        assertThat(Pack.isPacked(new Pack().apply(quantised))).isFalse();
    }
}
