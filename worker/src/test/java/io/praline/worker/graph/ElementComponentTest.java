package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorShapeProto;

class ElementComponentTest {
    private static final ElementComponent ANY = new ElementComponent(DataType.DT_HALF, false, List.of());

    @Test
    void aBatchHasOneDimensionMoreWhereItIsKnownHowManyThereAre() {
        ElementComponent row = ElementComponent.of(DataType.DT_FLOAT, Protos.shape(3, -1));

        assertThat(row.inBatches(8)).isEqualTo(new ElementComponent(DataType.DT_FLOAT, true, List.of(8L, 3L, -1L)));
        assertThat(row.inBatches(-1)).isEqualTo(new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L, 3L, -1L)));
        assertThat(ANY.inBatches(8)).isEqualTo(ANY);
    }

    @Test
    void itIsStaticWhereEachSizeIsKnown() {
        assertThat(ElementComponent.of(DataType.DT_FLOAT, Protos.SCALAR).isStatic())
                .isTrue();
        assertThat(ElementComponent.of(DataType.DT_FLOAT, Protos.shape(0, 3)).isStatic())
                .isTrue();
        assertThat(ElementComponent.of(DataType.DT_FLOAT, Protos.shape(3, -1)).isStatic())
                .isFalse();
        assertThat(ANY.isStatic()).isFalse();
        assertThat(ElementComponent.of(
                        DataType.DT_HALF,
                        TensorShapeProto.newBuilder().setUnknownRank(true).build()))
                .isEqualTo(ANY);
    }

    @Test
    void twoThatSayDifferentThingsOfItAgreeOnWhatBothKnow() {
        ElementComponent row = ElementComponent.of(DataType.DT_HALF, Protos.shape(3, -1));

        assertThat(row.agreed(ElementComponent.of(DataType.DT_HALF, Protos.shape(-1, 4))))
                .contains(ElementComponent.of(DataType.DT_HALF, Protos.shape(3, 4)));
        assertThat(row.agreed(ANY)).contains(row);
        assertThat(ANY.agreed(row)).contains(row);
        assertThat(row.agreed(ElementComponent.of(DataType.DT_HALF, Protos.shape(4, -1))))
                .isEmpty();
        assertThat(row.agreed(ElementComponent.of(DataType.DT_HALF, Protos.shape(3))))
                .isEmpty();
        assertThat(row.agreed(ElementComponent.of(DataType.DT_FLOAT, Protos.shape(3, -1))))
                .isEmpty();
    }

    @Test
    void typesAreCalledAsTensorFlowCallsThem() {
        assertThat(List.of(
                        DataType.DT_FLOAT, DataType.DT_DOUBLE, DataType.DT_HALF, DataType.DT_INT64, DataType.DT_STRING))
                .map(type -> ElementComponent.of(type, Protos.SCALAR).dtypeName())
                .containsExactly("float32", "float64", "float16", "int64", "string");
    }

    @Test
    void aShapeOfAnUnknownRankSaysNothing() {
        assertThatThrownBy(() -> new ElementComponent(DataType.DT_FLOAT, false, List.of(3L)))
                .hasMessage("shape must be empty where the rank is unknown, is [3]");
    }
}
