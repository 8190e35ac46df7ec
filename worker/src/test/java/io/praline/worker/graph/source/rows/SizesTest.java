package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.source.rows.Sizes.Size;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;

/** What is known of the sizes of a tensor, some of which are as many as a batch has rows. */
class SizesTest {
    private static final Size ROWS = Size.ROWS;
    private static final Size OPEN = Size.OPEN;

    private static Size of(long length) {
        return Size.of(length);
    }

    private static Size rows(long times) {
        return new Size(times, true);
    }

    @Test
    void sizesOfOneKindAreAddedAndOthersAreOpen() {
        assertThat(of(2).and(of(3))).isEqualTo(of(5));
        assertThat(ROWS.and(rows(2))).isEqualTo(rows(3));
        assertThat(ROWS.and(of(1))).isEqualTo(OPEN);
        assertThat(OPEN.and(of(1))).isEqualTo(OPEN);
        assertThat(of(1).and(OPEN)).isEqualTo(OPEN);
    }

    @Test
    void aSizeTimesOneOfRowsIsOneOfRowsAndRowsTimesRowsNobodyFollows() {
        assertThat(of(2).by(of(3))).isEqualTo(of(6));
        assertThat(ROWS.by(of(3))).isEqualTo(rows(3));
        assertThat(of(3).by(ROWS)).isEqualTo(rows(3));
        assertThat(ROWS.by(ROWS)).isEqualTo(OPEN);
        assertThat(ROWS.by(OPEN)).isEqualTo(OPEN);
        assertThat(Sizes.of(List.of(ROWS, of(3), of(4))).values()).isEqualTo(rows(12));
        assertThat(Sizes.of(List.of()).values()).isEqualTo(of(1));
    }

    @Test
    void onlyWhatIsKnownIsAnother() {
        assertThat(ROWS.differs(of(3))).isTrue();
        assertThat(of(3).differs(ROWS)).isTrue();
        assertThat(ROWS.differs(rows(2))).isTrue();
        assertThat(ROWS.differs(ROWS)).isFalse();
        assertThat(of(2).differs(of(3))).isFalse();
        assertThat(OPEN.differs(ROWS)).isFalse();
        assertThat(ROWS.differs(OPEN)).isFalse();
        assertThat(OPEN.isOpen()).isTrue();
        assertThat(of(0).isOpen()).isFalse();
    }

    @Test
    void ofABatchTheFirstIsTheNumberOfRows() {
        assertThat(Sizes.ofRows(ElementComponent.of(DataType.DT_FLOAT, Protos.shape(-1, 4, -1))))
                .isEqualTo(Sizes.of(List.of(ROWS, of(4), OPEN)));
        // beside one
        assertThat(Sizes.ofRows(ElementComponent.of(DataType.DT_FLOAT, Protos.shape(10, -1))))
                .isEqualTo(Sizes.of(List.of(of(10), OPEN)));
        assertThat(Sizes.ofRows(ElementComponent.of(DataType.DT_FLOAT, Protos.SCALAR)))
                .isEqualTo(Sizes.UNKNOWN);
        assertThat(Sizes.ofRows(new ElementComponent(DataType.DT_FLOAT, false, List.of())))
                .isEqualTo(Sizes.UNKNOWN);
        assertThat(Sizes.of(Protos.int32s(7, 8))).isEqualTo(Sizes.of(List.of(of(2))));
        assertThat(Sizes.written(List.of(Optional.of(3L), Optional.empty()))).isEqualTo(Sizes.of(List.of(of(3), OPEN)));
        assertThat(Sizes.written(List.of())).isEqualTo(Sizes.UNKNOWN);
        assertThat(Sizes.UNKNOWN.isKnown()).isFalse();
        assertThat(Sizes.of(List.of()).isKnown()).isTrue();
    }

    private static final Sizes THREE = Sizes.of(List.of(ROWS, of(4), of(5)));

    @Test
    void anAxisIsCountedFromEitherEnd() {
        assertThat(List.of(THREE.at(0), THREE.at(2), THREE.at(-1), THREE.at(-3), THREE.at(3), THREE.at(-4)))
                .containsExactly(ROWS, of(5), of(5), ROWS, OPEN, OPEN);
        assertThat(THREE.with(1, of(9))).isEqualTo(Sizes.of(List.of(ROWS, of(9), of(5))));
        assertThat(THREE.with(-1, of(9))).isEqualTo(Sizes.of(List.of(ROWS, of(4), of(9))));
        assertThat(THREE.with(3, of(9))).isEqualTo(Sizes.UNKNOWN);
        assertThat(THREE.with(-4, of(9))).isEqualTo(Sizes.UNKNOWN);
        assertThat(THREE.without(0)).isEqualTo(Sizes.of(List.of(of(4), of(5))));
        assertThat(THREE.without(3)).isEqualTo(Sizes.UNKNOWN);
        assertThat(THREE.without(-4)).isEqualTo(Sizes.UNKNOWN);
        assertThat(THREE.widened(0, of(9))).isEqualTo(Sizes.of(List.of(of(9), ROWS, of(4), of(5))));
        assertThat(THREE.widened(-1, of(9))).isEqualTo(Sizes.of(List.of(ROWS, of(4), of(5), of(9))));
        assertThat(THREE.widened(3, of(9))).isEqualTo(THREE.widened(-1, of(9)));
        assertThat(THREE.widened(4, of(9))).isEqualTo(Sizes.UNKNOWN);
        assertThat(THREE.widened(-5, of(9))).isEqualTo(Sizes.UNKNOWN);
        assertThat(THREE.turned(List.of(2L, 0L, 1L))).isEqualTo(Sizes.of(List.of(of(5), ROWS, of(4))));
        assertThat(THREE.turned(List.of(1L, 0L))).isEqualTo(Sizes.UNKNOWN);
    }

    @Property(tries = 50)
    void whatIsPutInAndTakenOutAgainLeavesTheRest(@ForAll @IntRange(min = -4, max = 3) int axis) {
        assertThat(THREE.widened(axis, of(9)).at(axis)).isEqualTo(of(9));
        assertThat(THREE.widened(axis, of(9)).without(axis)).isEqualTo(THREE);
    }

    // ---- grids

    @Test
    void aShapeHoldsRowsOneByOneOrInAGrid() {
        assertThat(RowGrid.holds(List.of(6L, 5L), 6)).isTrue();
        assertThat(RowGrid.holds(List.of(2L, 3L), 6)).isTrue();
        assertThat(RowGrid.holds(List.of(2L, 4L), 6)).isFalse();
        assertThat(RowGrid.holds(List.of(3L), 6)).isFalse();
        assertThat(RowGrid.lacks(List.of(2L, 4L), 6)).isTrue();
        assertThat(RowGrid.lacks(List.of(2L, 3L), 6)).isFalse();
        // of what nobody knows it cannot be told
        assertThat(RowGrid.lacks(List.of(-1L, 4L), 6)).isFalse();
        assertThat(RowGrid.lacks(List.of(), 6)).isFalse();
        assertThat(RowGrid.lacks(List.of(0L, 4L), 6)).isFalse();
    }

    private static boolean isGrid(Set<Long> sizes, long... shape) {
        return RowGrid.isAny(List.of(ElementComponent.of(DataType.DT_FLOAT, Protos.shape(shape))), sizes);
    }

    @Test
    void aComponentMayBeAGridOfABatch() {
        assertThat(isGrid(Set.of(6L), 2, 3)).isTrue();
        assertThat(isGrid(Set.of(6L), 6, 3)).isFalse();
        assertThat(isGrid(Set.of(6L, 2L), 2, 3)).isFalse();
        assertThat(isGrid(Set.of(6L), 2, 4)).isFalse();
        assertThat(isGrid(Set.of(6L))).isFalse();
        assertThat(isGrid(Set.of(-3L), -1, 3)).isFalse();
        assertThat(isGrid(Set.of(0L), 3, 0)).isFalse();
    }
}
