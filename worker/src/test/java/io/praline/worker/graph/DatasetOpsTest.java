package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

class DatasetOpsTest {
    /** Their nodes have no attribute that says it. */
    @Test
    void opsThatAlwaysYieldTheSameSayNotWhat() {
        NodeDef names = Protos.node("names", "MatchingFilesDataset", "pattern").build();
        NodeDef slices = Protos.node("slices", "SparseTensorSliceDataset", "indices", "values", "shape")
                .putAttr("Tvalues", Protos.type(DataType.DT_FLOAT))
                .build();

        assertThat(DatasetOps.components(names))
                .isEqualTo(List.of(new ElementComponent(DataType.DT_STRING, true, List.of())));
        // of a slice: the indices of its values, the values, its shape
        assertThat(DatasetOps.components(slices))
                .isEqualTo(List.of(
                        new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L)),
                        new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L)),
                        new ElementComponent(DataType.DT_INT64, true, List.of(-1L))));
    }
}
