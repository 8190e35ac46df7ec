package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** What is said of an argument goes with it when others come or go. */
class FunctionArgumentsTest {
    /** Of {@code a}, {@code b} and {@code c}, of each of which its own name is said. */
    private static FunctionDef function() {
        FunctionDef.Builder function = FunctionDef.newBuilder().putResourceArgUniqueId(1, 5);
        for (String name : List.of("a", "b", "c")) {
            int place = function.getSignature().getInputArgCount();
            function.getSignatureBuilder().setName("f").addInputArg(Protos.arg(name, DataType.DT_FLOAT));
            function.putArgAttr(place, said(name));
        }
        return function.build();
    }

    private static FunctionDef.ArgAttrs said(String name) {
        return FunctionDef.ArgAttrs.newBuilder()
                .putAttr("_user_specified_name", Protos.string(name))
                .build();
    }

    private static List<String> arguments(FunctionDef function) {
        return function.getSignature().getInputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0, n a b c, 1 2 3", "1, a n b c, 0 2 3", "3, a b c n, 0 1 2"})
    void anArgumentMovesUpThoseBehindIt(int place, String names, String places) {
        FunctionDef inserted =
                FunctionArguments.inserted(function(), place, "n").build();

        assertThat(arguments(inserted)).isEqualTo(List.of(names.split(" ", -1)));
        assertThat(inserted.getSignature().getInputArg(place)).isEqualTo(Protos.arg("n", DataType.DT_INT64));
        assertThat(inserted.getArgAttrMap()).isEqualTo(saidAt(places, List.of("a", "b", "c")));
        assertThat(inserted.getResourceArgUniqueIdCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, b c", "1, a c", "2, a b"})
    void withoutOneThoseBehindItMoveDown(int place, String names) {
        FunctionDef removed = FunctionArguments.removed(function(), place);

        assertThat(arguments(removed)).isEqualTo(List.of(names.split(" ", -1)));
        assertThat(removed.getArgAttrMap()).isEqualTo(saidAt("0 1", arguments(removed)));
        assertThat(removed.getResourceArgUniqueIdCount()).isZero();
    }

    private static Map<Integer, FunctionDef.ArgAttrs> saidAt(String places, List<String> names) {
        Map<Integer, FunctionDef.ArgAttrs> said = new HashMap<>();
        for (String place : places.split(" ", -1)) {
            said.put(Integer.valueOf(place), said(names.get(said.size())));
        }
        return said;
    }

    @Test
    void anotherFunctionIsCalledAsTheOneBefore() {
        NodeDef map = Protos.node("map", "MapDataset", "data")
                .putAttr("f", Protos.function("f"))
                .build();

        assertThat(FunctionArguments.called(map, "f", "g")).isEqualTo(Protos.function("g"));
    }
}
