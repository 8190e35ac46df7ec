package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Whether numbers with a fraction come out alike to the last bit on every machine. */
class ExactFractionsTest {
    private static NodeDef node(String op, DataType type) {
        return Protos.node("node", op).putAttr("T", Protos.type(type)).build();
    }

    private static boolean exact(NodeDef... nodes) {
        return ExactFractions.in(List.of(nodes), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "Mul, DT_FLOAT, true",
        "Exp, DT_FLOAT, false",
        "Exp, DT_HALF, false",
        "Exp, DT_BFLOAT16, false",
        "Sum, DT_DOUBLE, false",
        "Sum, DT_INT64, true",
        "Mul, DT_COMPLEX64, false",
        "Mul, DT_COMPLEX128, false",
        "Sum, DT_STRING, true",
    })
    void whatTheStandardFixesIsAndWhatHasNoFraction(String op, DataType type, boolean exact) {
        assertThat(exact(node(op, type))).isEqualTo(exact);
        assertThat(exact(node("Mul", DataType.DT_FLOAT), node(op, type))).isEqualTo(exact);
        assertThat(ExactFractions.isFraction(type))
                .isEqualTo(List.of("DT_FLOAT", "DT_DOUBLE", "DT_HALF", "DT_BFLOAT16")
                        .contains(type.name()));
    }

    @Test
    void ofSeveralTypesEachIsLookedAt() {
        NodeDef several = Protos.node("decoded", "DecodeSomething")
                .putAttr("Tout", Protos.types(List.of(DataType.DT_INT64, DataType.DT_FLOAT)))
                .build();
        NodeDef none = Protos.node("decoded", "DecodeSomething")
                .putAttr("Tout", Protos.types(List.of(DataType.DT_INT64, DataType.DT_STRING)))
                .build();

        assertThat(exact(several)).isFalse();
        assertThat(exact(none)).isTrue();
    }

    // what datasets and calls do with numbers is in their functions
    @Test
    void whatIsCalledIsLookedAtInItsFunction() {
        NodeDef map = Protos.node("map", "MapDataset", "data")
                .putAttr("f", Protos.function("f"))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_FLOAT)))
                .build();
        NodeDef call = Protos.node("call", "PartitionedCall", "x")
                .putAttr("f", Protos.function("f"))
                .putAttr("Tin", Protos.types(List.of(DataType.DT_FLOAT)))
                .build();
        for (NodeDef caller : List.of(map, call)) {
            assertThat(ExactFractions.in(List.of(caller), Map.of("f", function("Mul"))))
                    .isTrue();
            assertThat(ExactFractions.in(List.of(caller), Map.of("f", function("Exp"))))
                    .isFalse();
        }
    }

    private static FunctionDef function(String op) {
        FunctionDef.Builder function = FunctionDef.newBuilder().addNodeDef(node(op, DataType.DT_FLOAT));
        function.getSignatureBuilder().setName("f");
        return function.build();
    }
}
