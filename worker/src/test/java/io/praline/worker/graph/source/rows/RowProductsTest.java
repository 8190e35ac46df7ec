package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** Where rows lie in what is multiplied and summed up, by where they lay in both sides. */
class RowProductsTest {
    private static final RowPlace MATRIX = RowPlace.free(2).varying(2);

    private static RowPlace product(NodeDef.Builder node, RowPlace... inputs) {
        TensorProto weights = Protos.int32s(1, 2, 3, 4, 5, 6).toBuilder()
                .setTensorShape(Protos.shape(3, 2))
                .build();
        Scope body = Scope.ofGraph(List.of(Protos.constant("weights", weights).build(), node.build()));
        RowProducts products = new RowProducts(new OpInputs(body, node.build()), List.of(inputs));
        return node.getOp().equals("Einsum") ? products.summed() : products.multiplied();
    }

    private static NodeDef.Builder matMul(String... flags) {
        NodeDef.Builder node = Protos.node("out", "MatMul", "x", "weights");
        for (String flag : flags) {
            node.putAttr(flag, Protos.bool(true));
        }
        return node;
    }

    // (rows, 3) by (3, 2): (rows, 2)
    @Test
    void rowsTimesAMatrixAreRowsAndWhatSumsThemUpIsMixed() {
        assertThat(product(matMul(), RowPlace.rows(2, 0), MATRIX))
                .isEqualTo(RowPlace.rows(2, 0).ofEach(2));
        assertThat(product(matMul("transpose_b"), RowPlace.rows(2, 0), MATRIX))
                .isEqualTo(RowPlace.rows(2, 0).ofEach(3));
        assertThat(product(matMul(), RowPlace.rows(2, 1), MATRIX)).isEqualTo(RowPlace.MIXED);
        assertThat(product(matMul("transpose_a"), RowPlace.rows(2, 0), MATRIX)).isEqualTo(RowPlace.MIXED);
        assertThat(product(matMul("transpose_a"), RowPlace.rows(2, 1), MATRIX).axis())
                .isZero();
        assertThat(product(matMul(), MATRIX, RowPlace.rows(2, 0))).isEqualTo(RowPlace.MIXED);
        assertThat(product(matMul(), MATRIX, RowPlace.rows(2, 1)).axis()).isEqualTo(1);
        assertThat(product(matMul("transpose_b"), MATRIX, RowPlace.rows(2, 0)).axis())
                .isEqualTo(1);
        assertThat(product(matMul(), RowPlace.rows(2, 0), RowPlace.rows(2, 0))).isEqualTo(RowPlace.MIXED);
        assertThat(product(matMul(), RowPlace.LEADING, RowPlace.rows(-1, 0))).isEqualTo(RowPlace.UNKNOWN);
    }

    private static NodeDef.Builder batched() {
        return Protos.node("out", "BatchMatMulV2", "x", "y");
    }

    @Test
    void matricesOfEachRowAreMultipliedByEachRow() {
        RowPlace rows = RowPlace.rows(3, 0);
        assertThat(product(batched(), rows, rows)).isEqualTo(RowPlace.rows(3, 0));
        assertThat(product(batched(), rows, rows.reversed())).isEqualTo(RowPlace.MIXED);
        assertThat(product(batched(), rows, MATRIX)).isEqualTo(RowPlace.rows(3, 0));
        assertThat(product(batched(), MATRIX, rows)).isEqualTo(RowPlace.rows(3, 0));
        assertThat(product(batched(), rows, RowPlace.free(3).varying(3)))
                .isEqualTo(RowPlace.rows(3, 0).numbered(true));
        assertThat(product(batched(), rows, RowPlace.rows(3, 1))).isEqualTo(RowPlace.UNKNOWN);
        assertThat(product(batched(), RowPlace.rows(2, 0), RowPlace.FREE)).isEqualTo(RowPlace.UNKNOWN);
    }

    private static RowPlace sum(String equation, RowPlace... inputs) {
        return product(Protos.node("out", "Einsum", "x", "y").putAttr("equation", Protos.string(equation)), inputs);
    }

    @Test
    void anEquationSaysWhereRowsCome() {
        RowPlace rows = RowPlace.rows(2, 0);
        assertThat(sum("ij,jk->ik", rows, MATRIX)).isEqualTo(RowPlace.rows(2, 0));
        assertThat(sum("ij,jk->ki", rows, MATRIX)).isEqualTo(RowPlace.rows(2, 1));
        assertThat(sum("ij,jk->jk", rows, MATRIX)).isEqualTo(RowPlace.MIXED);
        assertThat(sum("ij,ij->i", rows, rows)).isEqualTo(RowPlace.rows(1, 0));
        assertThat(sum("ij,ij->i", rows, rows.reversed())).isEqualTo(RowPlace.MIXED);
        assertThat(sum("ij,kj->ik", rows, rows)).isEqualTo(RowPlace.MIXED);
        assertThat(sum("ij,ij->ij", rows, MATRIX)).isEqualTo(RowPlace.rows(2, 0).numbered(true));
        assertThat(sum("ij,ij->ij", rows, RowPlace.free(2).varying(1))).isEqualTo(RowPlace.rows(2, 0));
        assertThat(sum("ii,ij->ij", rows, MATRIX)).isEqualTo(RowPlace.MIXED);
        assertThat(sum("ij,jk", rows, MATRIX)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(sum("ij->i", rows, MATRIX)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(sum("...j,jk->...k", RowPlace.rows(3, 0), MATRIX)).isEqualTo(RowPlace.rows(3, 0));
        assertThat(sum("...j,jk->...k", RowPlace.LEADING, MATRIX)).isEqualTo(RowPlace.UNKNOWN);
    }
}
